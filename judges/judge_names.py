"""Run third-party test cases for accessible names against the walker, in a real browser.

``make judge-names CHECKOUT=path``. The cases are the checkout's, unmodified: the Web
Platform Tests and axe-core's, as microsoft/playwright keeps them (``tests/assets``), or a checkout
of web-platform-tests/wpt. Each case passes, or is a row of docs/names.md with its reason; otherwise
the command fails. White space of any kind counts as one space, because a snapshot has no other.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from support.accname.judge import Told, by_walker
from support.site import Site

from judges import ROOT
from tabwarden.sync import Browser

GUIDE = ROOT / "docs/names.md"
_ROW = re.compile(r"^\| `((?:wpt|axe)[^`]*)` \| (.+?) \|$", re.MULTILINE)

# What the pages of the manual cases call, and what marks the elements that cases ask about.
_ATTA = """
window.asked = [];
window.setup = () => {};
window.ATTAcomm = class {
  constructor({ steps }) {
    for (const step of steps) {
      for (const [kind, what, , wanted] of step.test.ATK ?? []) {
        const isText = typeof wanted === "string" && (what === "name" || what === "description");
        if (kind === "property" && isText) asked.push({ id: step.element, what, wanted });
      }
    }
  }
};
"""
_MANUAL = """
asked.map(({ id, what, wanted }, n) => {
  document.getElementById(id).dataset.n = n;
  return ["", what, wanted];
})
"""
_LABELED = """
const found = [];
const look = (root) => {
  for (const one of root.querySelectorAll("*")) {
    if (one.dataset?.expectedlabel !== undefined) found.push(one);
    if (one.shadowRoot) look(one.shadowRoot);
  }
};
look(document);
return found.map((one, n) => {
  one.dataset.n = n;
  return [one.dataset.testname, "name", one.dataset.expectedlabel];
});
"""
_AXE = """
document.body.innerHTML = args.html;
for (const script of document.querySelectorAll("script")) {
  const again = document.createElement("script");
  again.textContent = script.textContent;
  script.replaceWith(again);
}
for (const template of document.querySelectorAll("template[shadow]")) {
  template.parentElement.attachShadow({ mode: "open" }).append(template.content);
  template.remove();
}
const many = (one) => Array.isArray(one) ? one : [one];
const find = (css, root = document) => {
  const found = root.querySelector(css);
  if (found) return found;
  for (const one of root.querySelectorAll("*")) {
    const inner = one.shadowRoot && find(css, one.shadowRoot);
    if (inner) return inner;
  }
};
const wanted = many(args.accessibleText);
return many(args.target).map((css, n) => {
  find(css).dataset.n = n;
  return ["", "name", wanted[n]];
});
"""


class Case(NamedTuple):
    name: str
    """``suite/page: title``, unique among all cases."""
    wanted: str
    said: str

    @property
    def passes(self) -> bool:
        return self.said == self.wanted


def main() -> int:
    checkout = Path(sys.argv[1]).resolve() if len(sys.argv) == 2 else Path("/nowhere")
    suites = suites_of(checkout)
    if not suites:
        print("usage: judge_names.py CHECKOUT (of microsoft/playwright or web-platform-tests/wpt)")
        return 2
    rows = known()
    with Site() as site, Browser.launch() as browser:
        cases = [case for suite in suites for case in suite(browser, site)]
    for case in cases:
        if not case.passes:
            print(f"{case.name}\n    wanted {case.wanted!r}, said {case.said!r}"
                  f"  ({rows.get(case.name, 'no row')})")  # fmt: skip
    print()
    for name, suite_cases in groupby(cases, lambda case: case.name.partition("/")[0]):
        results = [case.passes for case in suite_cases]
        print(f"{name}: {sum(results)} of {len(results)} pass")
    wrong = [case for case in cases if not case.passes and case.name not in rows]
    gone = rows.keys() - {case.name for case in cases if not case.passes}
    print(f"{len(wrong)} cases fail without a row in {GUIDE.relative_to(ROOT)}.")
    for name in sorted(gone):
        print(f"This row is out of date, or its case is not in this checkout: {name}")
    return 1 if wrong else 0


def known() -> Mapping[str, str]:
    """Return the cases with a row in the guide, and their reasons."""
    return dict(_ROW.findall(GUIDE.read_text()))


Suite = Callable[[Browser, Site], Iterator[Case]]


def suites_of(checkout: Path) -> list[Suite]:
    """Return the suites of a checkout."""
    assets = checkout / "tests/assets"
    wpt = assets / "wpt" if assets.is_dir() else checkout
    found: list[Suite] = []
    labeled = [
        page for folder in ("accname", "html-aam", "svg-aam") for page in pages(wpt / folder)
    ]
    if labeled:
        found.append(lambda browser, site: labels(browser, site, labeled))
    if manual := sorted((wpt / "accname/manual").glob("*-manual.html")):
        found.append(lambda browser, site: manuals(browser, site, manual))
    if (axe := assets / "axe-core/accessible-text.js").is_file():
        found.append(lambda browser, site: axe_cases(browser, site, axe))
    return found


def pages(folder: Path) -> list[Path]:
    every = sorted(folder.rglob("*.html"))
    return [page for page in every if "data-expectedlabel" in page.read_text("utf-8", "replace")]


def labels(browser: Browser, site: Site, paths: list[Path]) -> Iterator[Case]:
    """Yield the Web Platform Tests that have the name in ``data-expectedlabel``."""
    for path in paths:
        browser.goto(site.page("/", path.read_text("utf-8")))
        yield from judged(browser, f"wpt/{path.stem}", _LABELED)


def manuals(browser: Browser, site: Site, paths: list[Path]) -> Iterator[Case]:
    """Yield the Web Platform Tests that were written for manual inspection."""
    site.pages["/wai-aria/scripts/ATTAcomm.js"] = _ATTA
    for path in paths:
        browser.goto(site.page("/", path.read_text("utf-8")))
        yield from judged(browser, f"wpt-manual/{path.stem.removesuffix('-manual')}", _MANUAL)


def axe_cases(browser: Browser, site: Site, path: Path) -> Iterator[Case]:
    """Yield axe-core's cases, which are a JavaScript array of HTML, targets and names."""
    browser.goto(site.page("/", "<!doctype html><body></body>"))
    script = f"const module = {{}}; {path.read_text('utf-8')}; return module.exports"
    for number, case in enumerate(browser.evaluate(script).value):
        marking = f"const args = {json.dumps(case)}; {_AXE}"
        yield from judged(browser, f"axe/{number}", marking)


def judged(browser: Browser, name: str, marking: str) -> Iterator[Case]:
    """Mark the elements on the active page, and compare their names with the expected names."""
    asked = browser.evaluate(marking).value
    told = by_walker(browser, walking=True)
    for n, (title, what, wanted) in enumerate(asked):
        said: str = getattr(told.get(str(n), Told()), what)
        number = f" ({n + 1})" if not title and len(asked) > 1 else ""
        full = f"{name}: {title}" if title else f"{name}{number}"
        yield Case(full, _plain(wanted), _plain(said))


def _plain(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    sys.exit(main())

# ruff: noqa: E501 - a page
"""Tests whether a ref ever reaches an element other than its own, with a page that checks this.

    python -m bench.witness [--actions 20000] [--seed 1] [--json FILE]

The page holds lists in the shapes that pages have (list items, table rows, bare ``div`` rows, rows
in a shadow root; with keys and without; equal buttons in each row, and buttons with names of their
own). Each item has an identity that only the page's script knows. Between the snapshot and each
click the page does some things at random: it removes items, renders them again (one, a list, or
all), reorders, renames (often to a name that another has or had), moves to other lists, copies,
adds, and brings back; in one go or with pauses, on the nodes or by new ones. What a click arrives
at is told by a listener of the page, and compared with the identity that the ref's element had.

- *acted*: clicks that arrived. *healed*: those of them by refs whose element had been rendered
  again. *refused*: ``stale_ref``. *missed*: refused though the item was still somewhere.
- *lost*: clicks that were said to have arrived and did not.
- *wrong*: clicks that arrived at another identity. The figure to reach is 0.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tabwarden.errors import NotInteractable, Obscured, StaleRef
from tabwarden.sync import Browser

CLICKS = 3
"""For each snapshot, the page changing before each."""

PAGE = r"""<!doctype html><title>Witness</title><style>
  body { font: 12px sans-serif; margin: 4px } ul, table { margin: 0 } #panels { display: flex; flex-wrap: wrap }
  button, a { font: inherit; padding: 0 2px } [data-panel] { margin: 2px }
</style><div id=panels></div><script>
const witness = (() => {
  let seed = 1;
  const random = () => {  // mulberry32
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n) => Math.floor(random() * n);
  const pick = (list) => list[below(list.length)];

  const identities = new WeakMap();
  const hits = [];
  let lastItem = 0;
  let panels = [];
  let gone = [];

  const BUTTONS = ["Open", "Delete"];
  const KINDS = {
    list: { outer: "ul", row: "li" }, table: { outer: "table", row: "tr", keyed: true },
    divs: { outer: "div", row: "div" }, people: { outer: "div", row: "div", people: true },
    names: { outer: "div", row: null }, shadow: { outer: "div", row: "div", shadow: true },
    cards: { outer: "section", row: "article", keyed: true, more: true },
  };

  const titleOf = () => {
    const known = [...panels.flatMap((panel) => panel.items), ...gone].map((item) => item.title);
    return known.length && random() < 0.35 ? pick(known) : `Item ${below(1e6)}`;
  };
  const make = () => ({ id: ++lastItem, title: titleOf(), note: `since ${below(100)}` });

  const button = (item, name, kind) => {
    const made = document.createElement("button");
    made.textContent = name;
    identities.set(made, `${item.id} ${kind}`);
    return made;
  };
  const draw = (item, { kind }) => {
    const { row, people, keyed, more } = KINDS[kind];
    if (!row) return (item.node = button(item, item.title, "own"));
    const drawn = document.createElement(row);
    if (keyed) drawn.dataset.id = `k${item.id}`;
    const into = row === "tr" ? drawn.appendChild(document.createElement("td")) : drawn;
    if (people) into.append(button(item, item.title, "own"));
    else {
      const title = document.createElement("b");
      title.textContent = item.title;
      const actions = document.createElement("span");
      actions.append(...BUTTONS.map((name) => button(item, name, name)));
      into.append(title, " ", more ? item.note : "", " ", actions);
    }
    return (item.node = drawn);
  };
  const fill = (panel) => panel.into.replaceChildren(...panel.items.map((item) => draw(item, panel)));
  const frame = (panel) => {
    const outer = document.createElement(KINDS[panel.kind].outer);
    outer.dataset.panel = panel.kind;
    panel.into = KINDS[panel.kind].shadow ? outer.attachShadow({ mode: "open" }) : outer;
    fill(panel);
    return outer;
  };

  // A copy is another thing, though nobody can see it.
  const twinOf = (item) => ({ ...item, id: ++lastItem });
  const placed = (panel, item, at, drawn = draw(item, panel)) => {
    const before = panel.items[at]?.node ?? null;
    panel.into.insertBefore(drawn, before);
    panel.items.splice(at, 0, item);
  };
  const taken = (panel, at) => {
    const [item] = panel.items.splice(at, 1);
    item.node.remove();
    return item;
  };
  const shuffled = (list) => {
    for (let i = list.length - 1; i > 0; i--) {
      const j = below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
  };

  const CHANGES = {
    remove: (panel, at) => { if (panel.items.length > 1) gone.push(taken(panel, at)); },
    again: (panel, at) => { const { node } = panel.items[at]; node.replaceWith(draw(panel.items[at], panel)); },
    listAgain: fill,
    emptied: async (panel) => { panel.into.replaceChildren(); await pause(); fill(panel); },
    allAgain: () => document.getElementById("panels").replaceChildren(...panels.map(frame)),
    reorder: (panel) => { shuffled(panel.items); panel.into.append(...panel.items.map((item) => item.node)); },
    reorderAgain: (panel) => { shuffled(panel.items); fill(panel); },
    rename: (panel, at) => {
      const item = panel.items[at];
      item.title = titleOf();
      const title = item.node.querySelector("b") ?? (item.node.localName === "button" ? item.node : item.node.querySelector("button"));
      title.textContent = item.title;
    },
    renameAgain: (panel, at) => { panel.items[at].title = titleOf(); CHANGES.again(panel, at); },
    renameListAgain: (panel, at) => { panel.items[at].title = titleOf(); fill(panel); },
    removeListAgain: (panel, at) => {
      if (panel.items.length > 1) gone.push(...panel.items.splice(at, 1));
      fill(panel);
    },
    move: (panel, at) => {
      const to = pick(panels.filter((one) => one.kind === panel.kind));
      if (panel.items.length < 2) return;
      const item = taken(panel, at);
      placed(to, item, below(to.items.length + 1), item.node);
    },
    moveAgain: (panel, at) => {
      if (panel.items.length < 2) return;
      const item = taken(panel, at);
      const to = pick(panels);
      placed(to, item, below(to.items.length + 1));
    },
    copy: (panel, at) => {
      if (panel.items.length < 8) placed(panel, twinOf(panel.items[at]), below(panel.items.length + 1));
    },
    copyThenRemove: (panel, at) => {
      placed(panel, twinOf(panel.items[at]), at + 1);
      gone.push(taken(panel, at));
    },
    replaced: (panel, at) => {  // another thing of the same look in its place
      const item = taken(panel, at);
      gone.push(item);
      placed(panel, { ...make(), title: random() < 0.5 ? pick(panel.items.concat(make())).title : titleOf() }, at);
    },
    add: (panel) => { if (panel.items.length < 8) placed(panel, make(), below(panel.items.length + 1)); },
    back: (panel) => {
      if (gone.length && panel.items.length < 8) {
        placed(panel, gone.splice(below(gone.length), 1)[0], below(panel.items.length + 1));
      }
    },
  };
  const pause = () => new Promise((later) => setTimeout(later));

  addEventListener("click", (event) => {
    const hit = event.composedPath().find((one) => identities.has(one));
    hits.push(hit ? identities.get(hit) : "nothing");
  }, true);

  return {
    begin(with_) {
      seed = with_;
      lastItem = 0;
      gone = [];
      panels = [];
      for (const kind of [...Object.keys(KINDS), pick(Object.keys(KINDS))]) {
        const items = [];
        panels.push({ kind, items });
        for (let i = 2 + below(4); i; i--) items.push(make());
      }
      CHANGES.allAgain();
    },
    async change(times) {
      for (let i = 0; i < times; i++) {
        const panel = pick(panels);
        if (!panel.items.length) panel.items.push(make()), fill(panel);
        await CHANGES[pick(Object.keys(CHANGES))](panel, below(panel.items.length));
        if (random() < 0.3) await pause();
      }
    },
    of: (element) => identities.get(element) ?? "nothing",
    stands: (identity) => panels.some(({ items }) => items.some((item) => item.id === parseInt(identity))),
    hits: () => hits.splice(0),
  };
})();
</script>"""


@dataclass
class Count:
    """What became of the clicks."""

    acted: int = 0
    healed: int = 0
    refused: int = 0
    missed: int = 0
    unreachable: int = 0
    wrong: int = 0
    lost: int = 0
    """Acted, as we were told, but nothing arrived."""
    reused: int = 0
    """Ref numbers that were reused for another element."""
    stories: list[dict[str, Any]] = field(default_factory=list)
    """Of the first wrong clicks."""


def run(
    browser: Browser, actions: int, seed: int, tell: Callable[[int, Count], None] | None = None
) -> Count:
    """Click ``actions`` times, telling how far it got now and then."""
    choose = random.Random(seed)
    count = Count()
    browser.goto("data:text/html;charset=utf-8," + urllib.parse.quote(PAGE))
    identity_of: dict[str, str] = {}
    here: set[str] = set()
    earlier: set[str] = set()
    """Refs in this document, and in earlier documents."""
    done = rounds = 0
    while done < actions:
        rounds += 1
        if rounds % 25 == 1:
            browser.goto("data:text/html;charset=utf-8," + urllib.parse.quote(PAGE))
            browser.evaluate(f"witness.begin({choose.randrange(1 << 30)})")
            earlier |= here
            here = set()
            identity_of.clear()
            if tell is not None:
                tell(done, count)
        shown = browser.snapshot(full=True).refs
        here |= shown.keys()
        count.reused += len(earlier & shown.keys())
        refs = [ref for ref, about in shown.items() if about["role"] == "button"]
        for ref in choose.sample(refs, min(CLICKS, len(refs))):
            meant = browser.evaluate("(el) => witness.of(el)", ref).value
            if identity_of.setdefault(ref, meant) != meant:
                count.reused += 1
            identity_of[ref] = meant
        for ref in choose.sample(sorted(set(refs) & identity_of.keys()), 1) * CLICKS:
            browser.evaluate(f"witness.change({choose.choice((1, 1, 2, 2, 3, 5, 8))})")
            _click(browser, ref, identity_of[ref], count)
            done += 1
    return count


def _click(browser: Browser, ref: str, meant: str, count: Count) -> None:
    note = ""
    hits: list[str] = []
    try:
        note = browser.click(ref).note
    except StaleRef:
        count.refused += 1
        count.missed += bool(browser.evaluate(f"witness.stands({json.dumps(meant)})").value)
    except (NotInteractable, Obscured):
        count.unreachable += 1
    else:
        count.acted += 1
        count.healed += "was re-rendered" in note
        hits = browser.evaluate("witness.hits()").value
        count.lost += not hits
    if hits not in ([], [meant]):
        count.wrong += 1
        count.stories.append({"ref": ref, "meant": meant, "hit": hits, "note": note})
        print(count.stories[-1], file=sys.stderr, flush=True)


def tell(done: int, count: Count) -> None:
    """A line on stderr."""
    print(f"{done}: {count.acted} acted, {count.healed} healed, {count.refused} refused, "
          f"{count.wrong} wrong", file=sys.stderr, flush=True)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--actions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    began = time.monotonic()
    with Browser.launch() as browser:
        count = run(browser, given.actions, given.seed, tell)
    told = {**asdict(count), "seconds": round(time.monotonic() - began, 1), "seed": given.seed}
    told["stories"] = told["stories"][:20]
    print(json.dumps(told, indent=2))
    if given.json:
        given.json.write_text(json.dumps(told))
    return 1 if count.wrong or count.lost or count.reused else 0


if __name__ == "__main__":
    sys.exit(main())

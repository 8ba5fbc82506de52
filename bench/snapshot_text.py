"""How long the text of a snapshot is, ours and a peer's, on the ten layouts of ``bench/pages``.

    python bench/snapshot_text.py [--show NAME]

The peer is Playwright's ``aria_snapshot(mode="ai")``, which is what Playwright MCP gives a model.
*share* is ours as a part of it; *again* is ``diff=True`` after one text of the page changed, as a
part of our whole text; elements are those with a role that can be acted on, in either text.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.site import Site

from tabwarden.budget import Budget
from tabwarden.endpoints import choose
from tabwarden.sync import Browser

PAGES = Path(__file__).parent / "pages"
ACTIONABLE = (
    "button link textbox searchbox checkbox radio combobox listbox menuitem tab switch slider "
    "spinbutton treeitem"
)
ELEMENT = re.compile(rf"\b({ACTIONABLE.replace(' ', '|')})\b[^|\n]*?\[ref=")
CHANGE = """(() => { const at = document.querySelector('main span, main p, main div, span');
at.append(' changed'); })()"""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--show", help="print both texts of this page")
    chosen = options.parse_args()
    found = asyncio.run(choose(Budget(60_000)))
    print(f"{'page':<10} {'ours':>7} {'peer':>7} {'share':>6} {'again':>6}  elements")
    with Site() as site, Browser.launch(headless=True) as ours, sync_playwright() as playwright:
        peer = playwright.chromium.launch(executable_path=str(found.path)).new_page()
        peer.set_viewport_size({"width": 1280, "height": 720})
        ours.resize(1280, 720)
        for path in sorted(PAGES.glob("*.html")):
            site.pages[f"/{path.name}"] = path.read_text("utf-8")
            if chosen.show and chosen.show != path.stem:
                continue
            ours.goto(f"{site.here}/{path.name}")
            peer.goto(f"{site.here}/{path.name}")
            theirs = peer.aria_snapshot(mode="ai")
            whole = ours.snapshot(full=True).text
            short = ours.snapshot().text
            ours.evaluate(CHANGE)
            again = ours.snapshot(diff=True).text
            if chosen.show:
                print(whole, "\n", "=" * 80, "\n", theirs, "\n", "=" * 80, "\n", again)
            print(
                f"{path.stem:<10} {len(whole):>7} {len(theirs):>7} {len(whole) / len(theirs):>6.0%}"
                f" {len(again) / len(whole):>6.1%}  {len(ELEMENT.findall(whole))} of"
                f" {len(ELEMENT.findall(theirs))}; by default {len(short)} characters"
            )


if __name__ == "__main__":
    main()

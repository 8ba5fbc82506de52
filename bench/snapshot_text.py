"""Compares the lengths of snapshots from Tabwarden and a peer on the ten layouts in
``bench/pages``.

    python -m bench.snapshot_text [--show NAME]

The peer is Playwright's ``aria_snapshot(mode="ai")``, which is what Playwright MCP gives a model.
*elements* are those with a role that can be acted on, in either text; *again* is ``diff=True``
after one text of the page changed. ``--show`` prints the texts of a page.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.rivals.rival import PLAYWRIGHT
from bench.rivals.ways import playwright_rival
from bench.rows import OWN, Figure, Row
from tabwarden import Browser

PAGES = Path(__file__).parent / "pages"
TEXT_SHARE = 0.6
ACTIONABLE = (
    "button link textbox searchbox checkbox radio combobox listbox menuitem tab switch slider "
    "spinbutton treeitem"
)
ELEMENT = re.compile(rf"\b({ACTIONABLE.replace(' ', '|')})\b[^|\n]*?\[ref=")
CHANGE = """(() => { const at = document.querySelector('main span, main p, main div, span');
at.append(' changed'); })()"""
WIDTH, HEIGHT = 1280, 720


async def measure(asked: Asked, found: Found) -> None:
    shares, missing = [], []
    with Site() as site:
        async with (
            Browser.launch(executable=asked.browser) as ours,
            playwright_rival(asked.browser) as rival,
        ):
            await rival.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
            await ours.resize(WIDTH, HEIGHT)
            for path in sorted(PAGES.glob("*.html"))[: 3 if asked.scale < 1 else None]:
                site.pages[f"/{path.name}"] = path.read_text("utf-8")
                await ours.goto(f"{site.here}/{path.name}")
                await rival.goto(f"{site.here}/{path.name}")
                theirs = await rival.page.aria_snapshot(mode="ai")
                whole = (await ours.snapshot(full=True)).text
                await ours.evaluate(CHANGE)
                again = (await ours.snapshot(diff=True)).text
                if asked.options.show == path.stem:
                    for text in (whole, theirs, again):
                        print(f"{'=' * 80}\n{text}")
                shares.append(len(whole) / len(theirs))
                missing.append(float(len(ELEMENT.findall(theirs)) - len(ELEMENT.findall(whole))))
                told = {OWN: whole, PLAYWRIGHT: theirs, "tabwarden again": again}
                lengths = {way: [float(len(text))] for way, text in told.items()}
                found.add(Row(path.stem, lengths, "characters"))
    found.add(
        Row("text share", {OWN: shares}, "of theirs", "our whole text as a part of Playwright's"),
        Row("elements missing", {OWN: missing}, "elements", "named there, and not here"),
    )


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--show", help="print the texts of this page")


BENCH = Bench(
    "snapshot_text",
    "Text of snapshots",
    measure,
    (
        Figure("whole text, relative to Playwright's", "text share", TEXT_SHARE, unit="x",
               source="set later"),
        Figure("elements that only Playwright's snapshot has", "elements missing", 0, stat="max",
               unit="elements", source="set later"),
    ),
    deadline_s=240,
    options=options,
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

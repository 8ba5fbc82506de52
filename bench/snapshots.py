"""Measures snapshots, in comparison with other tools.

    python -m bench.snapshots [--quick] [--json FILE]

- *snapshot N*: N x (button + link) on one page; *50 frames* of another site, each with 20 of them,
  all of which the text contains.
- *growth*: the time per frame of 200 frames, as a multiple of that of 50 frames.
- *characters*: the length of the text for a model, on the largest page.
- *diff*: the second snapshot after one button's name has changed, ``diff=true``; *share* is its
  text as a part of the full one.

*playwright* is ``locator.aria_snapshot()`` of Playwright Python, which gives no refs and does not
read frames. For the page with frames, its mode is ``ai``, which does both. MCP servers,
including *tabwarden mcp*, and agent-browser are timed at their own interfaces.
"""

from __future__ import annotations

import re
import time
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.rivals.rival import PLAYWRIGHT, PlaywrightRival, Rival
from bench.rivals.ways import PEERS, all_ways
from bench.rows import OWN, Figure, Row
from bench.turns import Act, Batch, in_turns, ready, timed
from tabwarden import Browser, Snapshot
from tabwarden.config import BrowserConfig

FRAMES, MOST_FRAMES = 50, 200
SIZES = (200, 2_000, 10_000)
LARGEST = SIZES[-1]
CALL_MS = 120_000
IN_A_ROW = 3
READ = "the page read, some times in a row"
BIG_MS = 150.0
FASTER = 5.0
DIFF_SHARE = 0.05
FRAMES_SHARE = 1.2
GROWTH = 1.3
WITH_REFS = tuple(peer for peer in PEERS if peer != PLAYWRIGHT)
RENAME = "{ document.querySelectorAll('button')[3].textContent = 'Sold out' + %d }"


def big(count: int) -> str:
    rows = (f"<button>Buy {n}</button> <a href='/item/{n}'>Details {n}</a>" for n in range(count))
    return "<!doctype html><title>Big</title>" + "\n".join(f"<div>{row}</div>" for row in rows)


async def measure(asked: Asked, found: Found) -> None:
    absent: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        site = stack.enter_context(Site())
        site.page("/inner", big(20))
        config = BrowserConfig(executable=Path(asked.browser), default_timeout_ms=CALL_MS)
        browser = await stack.enter_async_context(Browser.launch(config=config))
        rivals = await stack.enter_async_context(all_ways(asked, absent))
        for count in SIZES if asked.scale >= 1 else SIZES[:1]:
            url = site.page(f"/big{count}", big(count))
            name = f"snapshot {count:,}"
            await one_page(found, name, url, browser, rivals, asked, absent)
        await diffed(found, browser, url, count, asked.rounds(10, 3))
        if isinstance(playwright := rivals.get(PLAYWRIGHT), PlaywrightRival):
            playwright.mode = "ai"
        many = page_of_frames(site, FRAMES)
        name = f"snapshot {FRAMES} frames"
        await one_page(found, name, many, browser, rivals, asked, absent, frames=FRAMES)
        await growth(found, browser, site, asked.rounds(10, 3))


def page_of_frames(site: Site, count: int) -> str:
    """Serve a page with frames of another site; return its URL."""
    frames = "".join(f"<iframe src='{site.there}/inner?{n}'></iframe>" for n in range(count))
    return site.page(f"/frames{count}", frames + big(100))


async def one_page(
    found: Found,
    name: str,
    url: str,
    browser: Browser,
    rivals: dict[str, Rival],
    asked: Asked,
    absent: dict[str, str],
    frames: int = 0,
) -> None:
    """Open the page with all tools, which then read it in turns. With ``frames``, read the whole
    page, because Tabwarden's default limit leaves out some frames."""
    left_out = dict(absent)
    texts: dict[str, str] = {}

    async def own() -> Snapshot:
        return await browser.snapshot(full=frames > 0)

    await browser.goto(url)
    texts[OWN] = (await own()).text

    def opening(way: str, rival: Rival) -> Act:
        async def act() -> None:
            await rival.goto(url)
            texts[way] = await rival.snapshot()
            if "Buy 1" not in texts[way]:
                raise LookupError(f"its snapshot has no button: {texts[way][:100]}")

        return act

    able = await ready({way: opening(way, rival) for way, rival in rivals.items()}, left_out)
    ways: dict[str, Batch] = {OWN: timed(own)}
    ways |= {way: timed(rivals[way].snapshot) for way in able}
    for way in {OWN, PLAYWRIGHT} & texts.keys():
        check_documents(way, texts[way], frames + 1)
    rounds = asked.rounds(10, 3)
    row = await in_turns(
        name, ways, rounds, IN_A_ROW, warm=1, says=READ, left_out=left_out, way_s=asked.way_s
    )
    found.add(row)
    if name == f"snapshot {LARGEST:,}":
        lengths = {way: [float(len(text))] for way, text in texts.items()}
        found.add(Row("characters", lengths, "characters", "text for a model, by default"))


def check_documents(way: str, text: str, count: int) -> None:
    read = text.count('"Buy 1"')
    why = sorted(set(re.findall(r"\(this frame[^)]*\)", text)))
    assert read == count, f"{way} reads {read} of {count} documents {why}"


async def growth(found: Found, browser: Browser, site: Site, rounds: int) -> None:
    """Compare the time per frame of a page with many frames to that of a page with fewer."""
    tabs = {}
    for count in (FRAMES, MOST_FRAMES):
        await browser.tabs("open", url=page_of_frames(site, count))
        await browser.wait(load_state="load")
        await browser.snapshot(full=True)  # the first one prepares the frames it has time for
        snapshot = await browser.snapshot(full=True)
        check_documents(OWN, snapshot.text, count + 1)
        tabs[count] = snapshot.tab_id
    shares = []
    for _ in range(rounds):
        each = {}
        for count, tab_id in tabs.items():
            read = timed(partial(browser.snapshot, full=True, tab_id=tab_id))
            each[count] = min(await read(IN_A_ROW)) / count
        shares.append(each[MOST_FRAMES] / each[FRAMES])
    says = f"time per frame of {MOST_FRAMES} frames, relative to {FRAMES} frames"
    found.add(Row("growth", {OWN: shares}, "x", says))


async def diffed(found: Found, browser: Browser, url: str, rows: int, times: int) -> None:
    """Measure further snapshots after a small change."""
    await browser.goto(url)
    full = await browser.snapshot(max_chars=None)
    took, shares = [], []
    for number in range(times):
        await browser.evaluate(RENAME % number)
        began = time.perf_counter()
        diff = await browser.snapshot(diff=True)
        took.append((time.perf_counter() - began) * 1000)
        assert f"Sold out{number}" in diff.text, diff.text[:500]
        shares.append(len(diff.text) / len(full.text))
    found.add(
        Row("diff", {OWN: took}, says=f"one name of {rows:,} rows changed, diff=true"),
        Row("diff share", {OWN: shares}, "of the full text"),
    )


BENCH = Bench(
    "snapshots",
    "Snapshots",
    measure,
    (
        Figure(f"snapshot of {LARGEST:,} x (button + link)", f"snapshot {LARGEST:,}", BIG_MS,
               "less"),
        Figure("snapshot, faster than the fastest with refs", f"snapshot {LARGEST:,}", FASTER,
               "least", faster_than=WITH_REFS),
        Figure(f"snapshot of {FRAMES} frames, relative to Playwright's",
               f"snapshot {FRAMES} frames", FRAMES_SHARE, share_of=PLAYWRIGHT, source="set later"),
        Figure(f"time per frame, {MOST_FRAMES} frames relative to {FRAMES}", "growth", GROWTH,
               unit="x", source="set later"),
        Figure("diff, relative to the full text", "diff share", DIFF_SHARE, "less", unit="x"),
    ),
    deadline_s=1800,
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

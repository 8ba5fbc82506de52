"""What a snapshot costs, in time and in text, beside Playwright and MCP servers.

    TABWARDEN_RIVALS=FOLDER python bench/snapshots.py [--json FILE] [--times 5] [--big 10000]

- *big*: N x (button + link), all in one page, and the same with 50 frames of another site.
- *diff*: the second snapshot after one button's name has changed, ``diff=true``.
- *pages*: the ten layouts of ``bench/pages``: characters of the default text, and how many elements
  to act on it names.

*playwright* is ``locator.aria_snapshot()`` of Playwright Python, which gives no refs. The MCP
servers (``bench/rivals.py``) are timed at their own interface, so with their protocol; Tabwarden is
timed at its Python API, and as ``tabwarden mcp`` at the same interface as they are.
``TABWARDEN_BROWSER__EXECUTABLE`` names the browser of all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from playwright.async_api import async_playwright
from rivals import McpRival, rival, rival_servers

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.site import Site

from tabwarden import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.endpoints import choose

PAGES = Path(__file__).parent / "pages"
FRAMES = 50
BIG_MS = 150.0
FASTER = 5.0
DIFF_SHARE = 0.05
TEXT_SHARE = 0.6
CALL_MS = 120_000
REF = re.compile(r"\[ref=|\buid=")

Read = Callable[[], Awaitable[str]]


def big(count: int) -> str:
    rows = (f"<button>Buy {n}</button> <a href='/item/{n}'>Details {n}</a>" for n in range(count))
    return "<!doctype html><title>Big</title>" + "\n".join(f"<div>{row}</div>" for row in rows)


class Rival:
    """One way to read a page."""

    def __init__(self, goto: Callable[[str], Awaitable[Any]], read: Read) -> None:
        self.goto = goto
        self.read = read


@asynccontextmanager
async def all_ways(executable: str) -> AsyncIterator[tuple[Browser, dict[str, Rival]]]:
    """Everybody with a browser of their own."""
    async with AsyncExitStack() as stack:
        config = BrowserConfig(executable=Path(executable), default_timeout_ms=CALL_MS)
        browser = await stack.enter_async_context(Browser.launch(config=config))
        playwright = await stack.enter_async_context(async_playwright())
        chromium = await playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox"]
        )
        stack.push_async_callback(chromium.close)
        page = await chromium.new_page()

        async def own() -> str:
            return (await browser.snapshot()).text

        async def aria() -> str:
            return await page.locator("body").aria_snapshot()

        ways = {"tabwarden": Rival(browser.goto, own), "playwright": Rival(page.goto, aria)}
        command = str(Path(sys.executable).with_name("tabwarden"))
        parameters = StdioServerParameters(
            command=command, args=["mcp", "--executable", executable], env={**os.environ}
        )
        client = await stack.enter_async_context(Client(parameters))
        mine = McpRival(client, "browser_navigate", "browser_snapshot", {"timeout_ms": CALL_MS})
        ways["tabwarden mcp"] = Rival(mine.goto, mine.snapshot)
        for name in rival_servers():
            other = await stack.enter_async_context(rival(name, executable))
            ways[name] = Rival(other.goto, other.snapshot)
        yield browser, ways


async def timed(ways: dict[str, Rival], url: str, times: int) -> dict[str, dict[str, float]]:
    """Everybody reads a page, in turns."""
    took: dict[str, list[float]] = {name: [] for name in ways}
    texts: dict[str, str] = {}
    for name, way in ways.items():
        await way.goto(url)
        texts[name] = await way.read()
    for _ in range(times):
        for name, way in ways.items():
            began = time.perf_counter()
            await way.read()
            took[name].append((time.perf_counter() - began) * 1000)
    return {
        name: {
            "ms": statistics.median(took[name]),
            "chars": len(texts[name]),
            "refs": len(REF.findall(texts[name])),
        }
        for name in ways
    }


async def diffed(browser: Browser, url: str) -> dict[str, float]:
    """What the second snapshot says after a small change."""
    await browser.goto(url)
    full = await browser.snapshot(max_chars=None)
    await browser.evaluate(
        "{ const one = document.querySelectorAll('button')[3]; one.textContent = 'Sold out' }"
    )
    began = time.perf_counter()
    diff = await browser.snapshot(diff=True)
    took = (time.perf_counter() - began) * 1000
    assert "Sold out" in diff.text, diff.text[:500]
    return {
        "ms": took,
        "chars": len(diff.text),
        "full_chars": len(full.text),
        "share": len(diff.text) / len(full.text),
    }


async def measure(times: int, count: int) -> dict[str, Any]:
    executable = str((await choose(Budget(60_000))).path)
    result: dict[str, Any] = {}
    with Site() as site:
        one = site.page("/big", big(count))
        site.page("/inner", big(20))
        frames = "".join(f"<iframe src='{site.there}/inner?{n}'></iframe>" for n in range(FRAMES))
        many = site.page("/frames", frames + big(100))
        urls = {
            page.stem: site.page(f"/{page.name}", page.read_text("utf-8"))
            for page in sorted(PAGES.glob("*.html"))
        }
        async with all_ways(executable) as (browser, ways):
            result[f"{count} x (button + link)"] = await timed(ways, one, times)
            result[f"{FRAMES} frames of another site"] = await timed(ways, many, times)
            result["diff"] = await diffed(browser, one)
            pages = {name: await timed(ways, url, 1) for name, url in urls.items()}
            result["pages"] = pages
    return result


def judge(result: dict[str, Any], count: int) -> dict[str, bool]:
    """Which figures were reached."""
    by_way = result[f"{count} x (button + link)"]
    rivals = [
        row["ms"]
        for name, row in by_way.items()
        if not name.startswith("tabwarden") and row["refs"]
    ] or [by_way["playwright"]["ms"]]
    verdicts = {
        f"big snapshot under {BIG_MS:.0f} ms": by_way["tabwarden"]["ms"] < BIG_MS,
        f"{FASTER:g} x faster than the fastest with refs": by_way["tabwarden"]["ms"] * FASTER
        <= min(rivals),
        f"diff under {DIFF_SHARE:.0%}": result["diff"]["share"] < DIFF_SHARE,
    }
    shares = []
    for row in result["pages"].values():
        others = [r["chars"] for name, r in row.items() if not name.startswith("tabwarden")]
        with_refs = [
            r["chars"] for name, r in row.items()
            if not name.startswith("tabwarden") and r["refs"]
        ] or others  # fmt: skip
        shares.append(row["tabwarden"]["chars"] / min(with_refs))
    if shares:
        mean = statistics.mean(shares)
        what = f"text at most {TEXT_SHARE:.0%} of the smallest with refs (mean {mean:.0%})"
        verdicts[what] = mean <= TEXT_SHARE
    return verdicts


def tell(result: dict[str, Any], verdicts: dict[str, bool]) -> None:
    for what, by_way in result.items():
        if what == "diff":
            row = by_way
            print(f"\ndiff: {row['ms']:.0f} ms, {row['chars']} of {row['full_chars']} characters")
            continue
        if what == "pages":
            names = list(next(iter(by_way.values()), {}))
            print(f"\n{'characters (refs)':<16}" + "".join(f"{name:>22}" for name in names))
            for page, row in by_way.items():
                cells = (f"{row[n]['chars']} ({row[n]['refs']})" for n in names)
                print(f"{page:<16}" + "".join(f"{cell:>22}" for cell in cells))
            continue
        print(f"\n{what}\n{'':<22}{'ms':>9}{'characters':>12}{'refs':>8}")
        for name, row in by_way.items():
            print(f"{name:<22}{row['ms']:>9.0f}{row['chars']:>12}{row['refs']:>8}")
    print()
    for what, reached in verdicts.items():
        print(f"{'reached' if reached else 'MISSED '}  {what}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--big", type=int, default=10_000, help="rows of the big page")
    asked = parser.parse_args()
    print(f"{os.cpu_count()} cpus, Python {platform.python_version()}, load {os.getloadavg()[0]}")
    result = asyncio.run(measure(asked.times, asked.big))
    verdicts = judge(result, asked.big)
    tell(result, verdicts)
    if asked.json is not None:
        asked.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if all(verdicts.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())

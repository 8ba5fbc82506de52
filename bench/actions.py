"""What actions cost, beside Playwright Python on the same Chromium.

    python bench/actions.py [--json FILE] [--rounds 20]

- *click*: a button by its ref (scrolled into view, hit test, stability, then real mouse events, and
  what it led to), beside ``page.click`` and, as a floor, the three input events alone.
- *type*: 1,000 characters into an empty field where no key events are needed, beside ``page.fill``.
- *goto*: a tiny page from a server on this machine, beside ``Page.navigate`` and its load event on
  the same wire, and ``page.goto``.

In turns, each round another one first. ``TABWARDEN_BROWSER__EXECUTABLE`` names the browser.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import async_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.site import Site

from tabwarden import Browser
from tabwarden.budget import Budget
from tabwarden.endpoints import choose
from tabwarden.supervisor import CDPSupervisor, engine_loop

CLICK_MS = 3.0
CLICKS_FASTER = 10.0
TYPE_MS = 150.0
GOTO_OF_RAW = 1.2
TEXT = "The quick brown fox jumps over the lazy dog, twice. " * 19 + "And so on."
PAGE = (
    "<!doctype html><title>Actions</title>"
    "<button onclick='window.clicks = (window.clicks ?? 0) + 1'>Buy now</button>"
    "<p><input aria-label=Name>"
)

Act = Callable[[], Awaitable[Any]]


class Raw:
    """Bare commands on the supervisor's own connection."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._supervisor = supervisor
        tab = supervisor.state.tabs[supervisor.state.active_tab_id or ""]
        self._session_id = tab.session_id

    async def click(self, x: float, y: float) -> None:
        """The mouse events alone, sent together."""
        mouse = {"x": x, "y": y, "button": "left", "clickCount": 1}
        calls = [
            self._call("Input.dispatchMouseEvent", {"type": kind, **mouse})
            for kind in ("mouseMoved", "mousePressed", "mouseReleased")
        ]
        await asyncio.gather(*calls)

    async def goto(self, url: str) -> None:
        """``Page.navigate``, and the load event."""
        loaded = asyncio.Event()
        unlisten = self._supervisor.listen(
            "Page.loadEventFired", self._session_id, lambda _: loaded.set()
        )
        await self._call("Page.navigate", {"url": url})
        await loaded.wait()
        unlisten()

    async def _call(self, method: str, params: dict[str, Any]) -> None:
        connection = self._supervisor.connection
        reply = await connection.call(method, msgspec.json.encode(params), self._session_id)
        assert reply.error is None, reply.error


async def in_turns(
    ways: dict[str, Act], rounds: int, before: Act | None = None
) -> dict[str, float]:
    """Median milliseconds of each."""
    took: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for turn in range(rounds + 2):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            if before is not None:
                await before()
            began = time.perf_counter()
            await ways[name]()
            took[name].append((time.perf_counter() - began) * 1000)
    return {name: statistics.median(times[2:]) for name, times in took.items()}


async def measure(rounds: int) -> dict[str, dict[str, float]]:
    executable = await choose(Budget(60_000))
    result: dict[str, dict[str, float]] = {}
    with Site() as site:
        url = site.page("/", PAGE)
        tiny = [site.page(f"/tiny{n}", "<p>tiny") for n in range(2)]
        async with (
            Browser.launch(executable=executable.path) as browser,
            async_playwright() as playwright,
            await playwright.chromium.launch(
                executable_path=str(executable.path), args=["--no-sandbox"]
            ) as rival,
        ):
            page = await rival.new_page()
            await browser.goto(url)
            await page.goto(url)
            outline = await browser.snapshot()
            button, field = outline.ref("Buy now"), outline.ref("Name")
            raw = Raw(browser._task.supervisor)
            box = await page.locator("button").bounding_box()
            assert box is not None
            x, y = box["x"] + 5, box["y"] + 5
            engine = engine_loop()
            result["click"] = await in_turns(
                {
                    "tabwarden": lambda: browser.click(button),
                    "raw": lambda: engine.run_async(raw.click(x, y)),
                    "playwright": lambda: page.click("button"),
                },
                rounds,
            )
            clicks = (await browser.evaluate("clicks")).value
            assert clicks == 2 * (rounds + 2), clicks

            async def emptied() -> None:
                await browser.evaluate("document.querySelector('input').value = ''")
                await page.evaluate("document.querySelector('input').value = ''")

            result["type 1,000"] = await in_turns(
                {
                    "tabwarden": lambda: browser.type(TEXT, field),
                    "playwright": lambda: page.fill("input", TEXT),
                },
                rounds,
                emptied,
            )
            await browser.type(TEXT, field, clear=True)
            assert (await browser.evaluate("document.querySelector('input').value")).value == TEXT
            turn = iter(range(10**9))
            result["goto"] = await in_turns(
                {
                    "tabwarden": lambda: browser.goto(tiny[next(turn) % 2]),
                    "raw": lambda: engine.run_async(raw.goto(tiny[next(turn) % 2])),
                    "playwright": lambda: page.goto(tiny[next(turn) % 2]),
                },
                rounds,
            )
    return result


def judge(result: dict[str, dict[str, float]]) -> dict[str, bool]:
    click, typed, gone = result["click"], result["type 1,000"], result["goto"]
    return {
        f"click at most {CLICK_MS:g} ms": click["tabwarden"] <= CLICK_MS,
        f"click {CLICKS_FASTER:g} x faster than Playwright": (
            click["tabwarden"] * CLICKS_FASTER <= click["playwright"]
        ),
        f"1,000 characters at most {TYPE_MS:g} ms": typed["tabwarden"] <= TYPE_MS,
        f"goto at most {GOTO_OF_RAW:g} x raw": gone["tabwarden"] <= gone["raw"] * GOTO_OF_RAW,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args()
    print(f"{os.cpu_count()} cpus, Python {platform.python_version()}, load {os.getloadavg()[0]}\n")
    result = asyncio.run(measure(asked.rounds))
    ways = ("tabwarden", "raw", "playwright")
    print(f"{'median ms':<14}" + "".join(f"{way:>12}" for way in ways))
    for what, row in result.items():
        cells = (f"{row[way]:.2f}" if way in row else "" for way in ways)
        print(f"{what:<14}" + "".join(f"{cell:>12}" for cell in cells))
    verdicts = judge(result)
    print()
    for what, reached in verdicts.items():
        print(f"{'reached' if reached else 'MISSED '}  {what}")
    if asked.json is not None:
        asked.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if all(verdicts.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())

"""Measures how soon a dialog is seen and answered.

    python -m bench.dialogs [--quick] [--json FILE]

- *seen*: from the page's call (``performance.timeOrigin + now()`` read in the page right before it)
  until the dialog is in the supervisor's state and its observers have been called.
- *answered*: from calling ``browser.dialog`` to the page's next line.
- Ways: *tabwarden* is the default bridge, ``auto``; then each channel by itself. *playwright*: its
  ``dialog`` event in a handler that accepts at once. *hermes*: its supervisor's snapshot, read
  5,000 times a second, and ``respond_to_dialog``.
- *seen through MCP*: a click on a button that opens a dialog, through an MCP server, until the tool
  has answered; *accepted through MCP*: the tool that accepts it.

Page and Python read the same clock, the page in steps of 0.1 ms; their offset is measured.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from playwright.async_api import Dialog
from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.rivals.hermes import hermes
from bench.rivals.installed import Installed
from bench.rivals.mcp import SERVERS, McpRival, mcp_rival
from bench.rivals.rival import PLAYWRIGHT
from bench.rivals.ways import BUTTON, playwright_rival
from bench.rows import OWN, Figure, Row
from bench.turns import because
from tabwarden.browser.opening import registry
from tabwarden.config import load_config
from tabwarden.supervisor.core.state.notices import DialogOpened
from tabwarden.sync import Browser

TARGET_MS = 5.0
BRIDGES = {OWN: "auto", "native": "native", "debugger": "debugger", "xhr": "xhr"}
NOW = "performance.timeOrigin + performance.now()"
ASK = f"""<script>
const now = () => {NOW};
const ask = () => {{ const value = prompt(String(now())); window.went = {{ at: now(), value }}; }};
</script><button onclick="ask()">{BUTTON}</button>"""
SOON = "setTimeout(ask, 0), 0"
DOOR_S = 60.0

Taken = dict[str, dict[str, list[float]]]
"""The numbers by row and way."""


class Seen:
    """The times at which dialogs entered the state, from the engine's thread."""

    def __init__(self, browser: Browser) -> None:
        supervisor = registry.get(browser.task_id)
        assert supervisor is not None
        self._told = threading.Event()
        self.at_ms = 0.0
        self.message = ""
        self.channel = ""
        supervisor.observe(self._observe)

    def _observe(self, notices: tuple[Any, ...], _: object) -> None:
        for notice in notices:
            if isinstance(notice, DialogOpened):
                self.at_ms = time.time() * 1000
                self.message, self.channel = notice.dialog.message, notice.dialog.channel
                self._told.set()

    def wait(self) -> None:
        assert self._told.wait(30), "no dialog came"
        self._told.clear()


class Own:
    """One of our bridges, with a separate browser."""

    def __init__(self, way: str, browser: Browser, url: str) -> None:
        self.way = way
        self._browser = browser
        browser.goto(url)
        self._offset = clock_offset_ms(browser)
        self._seen = Seen(browser)

    def dialog(self, number: int) -> tuple[float, float]:
        """Return the milliseconds until the dialog was seen, and until it was answered."""
        browser, seen = self._browser, self._seen
        browser.evaluate(SOON)
        seen.wait()
        assert self.way in (OWN, seen.channel), seen.channel
        given = time.time() * 1000
        browser.dialog("accept", str(number))
        went = browser.evaluate("went").value
        assert went["value"] == str(number)
        return (
            seen.at_ms - (float(seen.message) - self._offset),
            went["at"] - self._offset - given,
        )


def clock_offset_ms(browser: Browser) -> float:
    """Return by how many milliseconds the page's clock is ahead of this process's clock.

    The function reads both clocks 50 times and uses the quickest reading.
    """
    readings = []
    for _ in range(50):
        before = time.time() * 1000
        told = browser.evaluate(NOW).value
        after = time.time() * 1000
        readings.append((after - before, told - (before + after) / 2))
    return float(min(readings)[1])


async def measure(asked: Asked, found: Found) -> None:
    absent: dict[str, str] = {}
    taken: Taken = {"dialog seen": {}, "dialog answered": {}}
    each = 10
    async with AsyncExitStack() as stack:
        url = stack.enter_context(Site()).page("/ask", ASK)
        batches: dict[str, Callable[[int], Any]] = {}
        for way, bridge in BRIDGES.items():
            config = load_config(dialog_bridge=bridge).browser
            config = config.model_copy(update={"executable": Path(asked.browser)})
            own = Own(way, stack.enter_context(Browser.launch(config=config)), url)
            batches[way] = lambda times, own=own: own_batch(own, times)
        if asked.rivals:
            batches |= await rival_batches(stack, asked, url, absent)
        rounds = asked.rounds(10, 3)
        names = list(batches)
        for turn in range(-1, rounds):
            at = turn % len(names)
            for way in [name for name in names[at:] + names[:at] if name not in absent]:
                try:
                    async with asyncio.timeout(DOOR_S):
                        seen, answered = await batches[way](each)
                except Exception as error:
                    if way == OWN:
                        raise
                    absent[way] = because(error)
                    continue
                if turn >= 0:
                    taken["dialog seen"].setdefault(way, []).extend(seen)
                    taken["dialog answered"].setdefault(way, []).extend(answered)
    found.add(*(Row(name, by_way, left_out=dict(absent)) for name, by_way in taken.items()))
    if asked.rivals:
        await at_doors(asked, found)


async def own_batch(own: Own, times: int) -> tuple[list[float], list[float]]:
    pairs = [await asyncio.to_thread(own.dialog, number) for number in range(times)]
    return [seen for seen, _ in pairs], [answered for _, answered in pairs]


async def rival_batches(
    stack: AsyncExitStack, asked: Asked, url: str, absent: dict[str, str]
) -> dict[str, Callable[[int], Any]]:
    batches: dict[str, Callable[[int], Any]] = {}
    rival = await stack.enter_async_context(playwright_rival(asked.browser))
    page = rival.page
    await page.goto(url)
    opened: asyncio.Queue[tuple[float, float, float]] = asyncio.Queue()

    async def accept(dialog: Dialog) -> None:
        at = time.time() * 1000
        await dialog.accept("yes")
        opened.put_nowait((at, float(dialog.message), at))

    page.on("dialog", accept)

    async def playwright_batch(times: int) -> tuple[list[float], list[float]]:
        seen, answered = [], []
        for _ in range(times):
            await page.evaluate(SOON)
            at, asked_at, given = await opened.get()
            went = await page.evaluate("window.went")
            assert went["value"] == "yes"
            seen.append(at - asked_at)
            answered.append(went["at"] - given)
        return seen, answered

    batches[PLAYWRIGHT] = playwright_batch
    try:
        theirs = await stack.enter_async_context(hermes(asked.browser, Installed.here(), url))
    except Exception as error:
        absent["hermes"] = because(error)
        return batches

    async def hermes_batch(times: int) -> tuple[list[float], list[float]]:
        told = await theirs.dialogs(SOON, times)
        return told["seen"], told["answered"]

    batches["hermes"] = hermes_batch
    return batches


# -- through MCP servers --------------------------------------------------------------------------


async def at_doors(asked: Asked, found: Found) -> None:
    told: Taken = {"seen through MCP": {}, "accepted through MCP": {}}
    absent: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        url = stack.enter_context(Site()).page("/ask", ASK)
        doors: dict[str, McpRival] = {}
        for name in SERVERS:
            try:
                async with asyncio.timeout(DOOR_S):
                    opening = mcp_rival(name, asked.browser, Installed.here())
                    doors[name] = await stack.enter_async_context(opening)
                    await doors[name].goto(url)
                    await doors[name].look()
            except Exception as error:
                absent[name] = because(error)
        for turn in range(asked.rounds(10, 3) + 1):
            for name in [name for name in doors if name not in absent]:
                try:
                    async with asyncio.timeout(DOOR_S):
                        clicked, accepted = await at_door(doors[name])
                except Exception as error:
                    absent[name] = because(error)
                    continue
                if turn:
                    told["seen through MCP"].setdefault(name, []).append(clicked)
                    told["accepted through MCP"].setdefault(name, []).append(accepted)
    found.add(*(Row(name, by_way, left_out=dict(absent)) for name, by_way in told.items()))


async def at_door(door: McpRival) -> tuple[float, float]:
    """Return the milliseconds until the click's tool responded, and until the dialog's tool did."""
    began = time.perf_counter()
    await door.click(BUTTON)
    clicked = time.perf_counter()
    await door.accept()
    return (clicked - began) * 1000, (time.perf_counter() - clicked) * 1000


BENCH = Bench(
    "dialogs",
    "Dialogs",
    measure,
    (
        Figure("dialog opened, until it is in the state", "dialog seen", TARGET_MS, "less"),
        Figure("dialog answered, until the page goes on", "dialog answered", TARGET_MS, "less"),
    ),
)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

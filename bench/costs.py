"""Counts what a call costs apart from time: commands, bytes, round trips, functions.

    python -m bench.costs [--quick] [--json FILE]

- *commands*: sent to the browser. *messages*: received from it, replies and events. *bytes sent*
  and *bytes received*: their lengths.
- *round trips*: how often the call waited for a reply. Commands that it sent together are one.
- *functions in the engine* and *in the caller*: how many Python functions each of the two threads
  called or resumed.

The machine's load hardly changes these numbers, so they show a small cost that times hide. Counting
makes calls slower, so this bench measures no time, and the other benches do not count.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

from support.site import Site

from bench.actions import EMPTY, PAGE, TEXT
from bench.bench import Asked, Bench, Found, alone
from bench.raw import GET_TEXT
from bench.rivals.ways import BUTTON, FIELD
from bench.rows import Row
from bench.snapshots import big
from bench.turns import Act
from tabwarden import Browser
from tabwarden.supervisor.runtime import engine_loop

__all__ = ["COMMANDS", "ROUND_TRIPS", "traffic"]

WARM = 3
PAUSE_S = 0.2
COMMANDS, ROUND_TRIPS = "commands", "round trips"

Counts = dict[str, int]
"""What one call cost, by the name of the row."""


class Functions:
    """Counts the Python functions of a thread, as its profiler."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, frame: object, event: str, argument: object) -> None:
        self.count += event == "call"


async def traffic(
    browser: Browser, act: Act, times: int, before: Act | None = None
) -> list[Counts]:
    """Count the traffic of some calls, after some calls to warm up.

    Args:
        browser: the browser with which the calls talk.
        act: makes a call.
        times: how many calls to count.
        before: is called before each call, and is not counted.
    """
    found = []
    for turn in range(-WARM, times):
        if before is not None:
            await before()
        with _on_the_wire(browser) as counts:
            await act()
        if turn >= 0:
            found.append(counts)
    return found


@contextmanager
def _on_the_wire(browser: Browser) -> Iterator[Counts]:
    wire: Any = browser._task.supervisor.connection._wire
    send, receive = wire.send, wire._on_message
    names = (COMMANDS, "messages", ROUND_TRIPS, "bytes sent", "bytes received")
    counts, is_waiting = dict.fromkeys(names, 0), False

    def sent(message: bytes) -> None:
        nonlocal is_waiting
        is_waiting = True
        counts[COMMANDS] += 1
        counts["bytes sent"] += len(message)
        send(message)

    def received(message: bytes) -> None:
        nonlocal is_waiting
        if is_waiting and message.startswith(b'{"id"'):
            is_waiting = False
            counts[ROUND_TRIPS] += 1
        counts["messages"] += 1
        counts["bytes received"] += len(message)
        receive(message)

    wire.send, wire._on_message = sent, received
    try:
        yield counts
    finally:
        del wire.send
        wire._on_message = receive


async def functions(act: Act, times: int, before: Act | None = None) -> list[Counts]:
    """Count the functions that both threads call, for each of some calls."""
    found = []
    for _ in range(times):
        if before is not None:
            await before()
        engine, caller = Functions(), Functions()
        await engine_loop().run_async(_profile(engine))
        sys.setprofile(caller)
        try:
            await act()
        finally:
            sys.setprofile(None)
            await engine_loop().run_async(_profile(None))
        found.append(
            {"functions in the engine": engine.count, "functions in the caller": caller.count}
        )
    return found


async def _profile(by: Functions | None) -> None:
    sys.setprofile(by)


async def measure(asked: Asked, found: Found) -> None:
    times = asked.rounds(20, 5)
    rows: dict[str, Row] = {}

    async def count(action: str, act: Act, before: Act | None = None) -> None:
        for counts in (
            *await traffic(browser, act, times, before),
            *await functions(act, times, before),
        ):
            for name, number in counts.items():
                unit = "bytes" if name.startswith("bytes") else "of a call"
                row = rows.setdefault(name, Row(name, {}, unit))
                row.ways.setdefault(action, []).append(float(number))

    async with AsyncExitStack() as stack:
        site = stack.enter_context(Site())
        browser = await stack.enter_async_context(Browser.launch(executable=asked.browser))
        await browser.goto(site.page("/", PAGE))
        outline = await browser.snapshot()
        button, field = outline.ref(BUTTON), outline.ref(FIELD)
        # These first: for some seconds after an input, other calls look for its late effects.
        await count("evaluate 1 + 1", lambda: browser.evaluate("1 + 1"))
        await count("evaluate by ref", lambda: browser.evaluate(GET_TEXT, button))
        await count("click", lambda: browser.click(button))
        await count("click alone", lambda: browser.click(button), lambda: asyncio.sleep(PAUSE_S))
        await count(
            "evaluate after a click",
            lambda: browser.evaluate("1 + 1"),
            lambda: browser.click(button),
        )
        await count("type", lambda: browser.type(TEXT, field), lambda: browser.evaluate(EMPTY))
        await count("press", lambda: browser.press("a"))
        tiny = site.page("/tiny", "<p>tiny")
        await count("goto", lambda: browser.goto(tiny))
        await browser.goto(site.page("/big", big(1000)))
        await count("snapshot of 2,000 elements", browser.snapshot)
    found.add(*rows.values())


BENCH = Bench("costs", "Costs of a call", measure, deadline_s=120)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

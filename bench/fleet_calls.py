"""Measures calls on a fleet, and how soon a new task can start.

    python -m bench.fleet_calls [--quick] [--json FILE]

The same calls run in a browser that this process launched, and in a fleet's browser: a node of a
real Ray cluster on this machine, started as by an operator. The bench stops only this node at the
end.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager

from support.site import Site

from bench.actions import BUTTON, EMPTY, FIELD, PAGE, TEXT
from bench.bench import Asked, Bench, Found, alone
from bench.rows import OWN, Figure, Row
from bench.turns import Batch, in_turns, timed
from tabwarden import Browser
from tabwarden.fleet import Fleet

FLEET = "fleet"
WARM, COLD = "warm", "cold"
PORT = 6395
REFILL_S = 3.0
"""Time until the node has a warm browser again."""
WARM_FIRST_MS = 300.0


def tabwarden(*words: str) -> None:
    subprocess.run(
        (sys.executable, "-m", "tabwarden.surfaces.cli", *words),
        check=True, stdout=subprocess.DEVNULL, timeout=180,
    )  # fmt: skip


@contextmanager
def one_node() -> Iterator[str]:
    """Start a fleet with one node. Return its address. Ray reads its secrets from the environment,
    so this runs before Ray's import."""
    with tempfile.TemporaryDirectory(prefix="tw-fleet-", ignore_cleanup_errors=True) as home:
        os.environ.update(HOME=home, TABWARDEN_FLEET__WARM="1")
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ.pop(name, None)
        try:
            tabwarden("fleet", "up", "--port", str(PORT))
            yield f"127.0.0.1:{PORT}"
        finally:
            if "ray" in sys.modules:
                sys.modules["ray"].shutdown()
            tabwarden("fleet", "stop")


async def measure(asked: Asked, found: Found) -> None:
    async with AsyncExitStack() as stack:
        site = stack.enter_context(Site())
        address = stack.enter_context(one_node())
        url = site.page("/", PAGE)
        fleet = await stack.enter_async_context(Fleet.connect(address))
        browsers = {
            OWN: await stack.enter_async_context(Browser.launch(executable=asked.browser)),
            FLEET: await stack.enter_async_context(fleet.browser("bench")),
        }
        refs: dict[str, tuple[str, str]] = {}
        for name, browser in browsers.items():
            await browser.goto(url)
            outline = await browser.snapshot()
            refs[name] = outline.ref(BUTTON), outline.ref(FIELD)
        rounds = asked.rounds(40, 8)
        scripts: dict[str, Batch] = {
            name: timed(lambda name=name: browsers[name].evaluate("1 + 1")) for name in browsers
        }
        found.add(await in_turns("evaluate", scripts, rounds, 50, says="1 + 1"))
        clicks: dict[str, Batch] = {
            name: timed(lambda name=name: browsers[name].click(refs[name][0])) for name in browsers
        }
        found.add(await in_turns("click", clicks, rounds, 10, says="clicks on a button"))
        typing: dict[str, Batch] = {
            name: timed(
                lambda name=name: browsers[name].type(TEXT, refs[name][1]),
                lambda name=name: browsers[name].evaluate(EMPTY),
            )
            for name in browsers
        }
        found.add(await in_turns("type", typing, rounds, 5, says="1,000 characters"))
        outlines: dict[str, Batch] = {
            name: timed(lambda name=name: browsers[name].snapshot()) for name in browsers
        }
        found.add(await in_turns("snapshot", outlines, rounds, 10, says="a small page"))
        found.add(await _first_actions(fleet, asked.rounds(15, 3)))


async def _first_actions(fleet: Fleet, rounds: int) -> Row:
    """Return the time from the request for a new task's browser to its first script's value."""
    taken: dict[str, list[float]] = {WARM: [], COLD: []}
    for _ in range(rounds):
        await asyncio.sleep(REFILL_S)
        async with AsyncExitStack() as stack:
            for way in (
                WARM,
                COLD,
            ):  # the second task starts before the node has another warm browser
                began = time.perf_counter()
                browser = await stack.enter_async_context(fleet.browser())
                await browser.evaluate("1")
                taken[way].append((time.perf_counter() - began) * 1000)
    return Row("first action", taken, says="of a new task: its browser opens, and a script runs")


BENCH = Bench(
    "fleet_calls",
    "Calls on a fleet",
    measure,
    (Figure("first action of a new task, warm", "first action", WARM_FIRST_MS, way=WARM),),
)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

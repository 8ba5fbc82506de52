"""What evaluate costs: the Python API beside a raw client on the same wire, and Playwright.

    python bench/evaluate.py [--json FILE] [--rounds 40] [--calls 25]

- *tabwarden*: ``await browser.evaluate(...)`` from an event loop of the caller's own, through every
  layer.
- *raw*: one bare command on the same ``Connection`` to the same page, result decoded, on the loop
  that the connection belongs to. It awaits no promise, frees no page, and knows no deadline.
- *playwright*: ``await page.evaluate(...)`` over a pipe of its own, with the same Chromium.

All in one process, in turns: each round makes some calls with each of them, in another order each
time. *trips*: commands that one call sends. ``TABWARDEN_BROWSER__EXECUTABLE`` names another
browser.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import async_playwright

from tabwarden import Browser
from tabwarden.budget import Budget
from tabwarden.endpoints import choose
from tabwarden.supervisor import CDPSupervisor, engine_loop

MOST_OF_RAW = 1.3
LEAST_OF_PLAYWRIGHT = 2.5
PAGE = "<!doctype html><title>Bench</title><button>Buy now</button>"
GET_TEXT = "(element) => element.textContent"
SCRIPTS = {
    "1 + 1": "1 + 1",
    "small object": "({id: 7, name: 'text', list: [1, 2, 3], inner: {ok: true}})",
    "1 MB string": "'x'.repeat(1e6)",
}
BY_REF = "element by ref"

Call = Callable[[], Awaitable[Any]]


@dataclass
class Way:
    """One way to make a call, and how long its calls took."""

    call: Call
    on_engine: bool = False
    """It belongs to the engine's loop; else to the caller's."""
    sent: Callable[[], int] | None = None
    """How many commands went out so far."""
    took_us: list[float] = field(default_factory=list)
    trips: float | None = None


class Raw:
    """A bare client: the supervisor's connection, without the supervisor."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._connection = supervisor.connection
        tab = supervisor.state.tabs[supervisor.state.active_tab_id or ""]
        self._session_id = tab.session_id

    async def evaluate(self, expression: str) -> Any:
        sent = msgspec.json.encode({"expression": expression, "returnByValue": True})
        return await self._call("Runtime.evaluate", sent)

    async def on_element(self, object_id: str) -> Any:
        sent = msgspec.json.encode(
            {
                "functionDeclaration": GET_TEXT,
                "objectId": object_id,
                "arguments": [{"objectId": object_id}],
                "returnByValue": True,
            }
        )
        return await self._call("Runtime.callFunctionOn", sent)

    async def element(self) -> str:
        found = msgspec.json.encode({"expression": "document.querySelector('button')"})
        reply = await self._connection.call("Runtime.evaluate", found, self._session_id)
        assert reply.result is not None
        object_id: str = msgspec.json.decode(reply.result)["result"]["objectId"]
        return object_id

    async def _call(self, method: str, params: bytes) -> Any:
        reply = await self._connection.call(method, params, self._session_id)
        assert reply.result is not None, reply
        return msgspec.json.decode(reply.result)["result"]["value"]


# -- measuring -----------------------------------------------------------------------------------


async def in_a_row(way: Way, calls: int) -> None:
    """Some calls, one after the other, each timed."""
    before = way.sent() if way.sent is not None else 0
    for _ in range(calls):
        began = time.perf_counter_ns()
        await way.call()
        way.took_us.append((time.perf_counter_ns() - began) / 1000)
    if way.sent is not None:
        way.trips = (way.sent() - before) / calls


async def measure(ways: dict[str, Way], rounds: int, calls: int) -> dict[str, Any]:
    """Each way in turn, each time another one first."""
    names = list(ways)
    for turn in range(-2, rounds):  # the first two warm up
        order = names[turn % len(names) :] + names[: turn % len(names)]
        for way in (ways[name] for name in order):
            if way.on_engine:
                await engine_loop().run_async(in_a_row(way, calls))
            else:
                await in_a_row(way, calls)
        if turn < 0:
            for way in ways.values():
                way.took_us.clear()
    return {name: summary(way) for name, way in ways.items()}


def summary(way: Way) -> dict[str, Any]:
    ordered = sorted(way.took_us)
    return {
        "median_us": statistics.median(ordered),
        "p95_us": ordered[max(0, round(len(ordered) * 0.95) - 1)],
        "count": len(ordered),
        "trips": way.trips,
    }


async def measure_all(rounds: int, calls: int) -> dict[str, Any]:
    executable = await choose(Budget(60_000))
    async with (
        Browser.launch(executable=executable.path) as browser,
        async_playwright() as playwright,
        await playwright.chromium.launch(
            executable_path=str(executable.path), args=["--no-sandbox"]
        ) as rival,
    ):
        url = f"data:text/html,{PAGE}"
        await browser.goto(url)
        page = await rival.new_page()
        await page.goto(url)
        ref = (await browser.snapshot()).ref("Buy now")
        supervisor = browser._task.supervisor
        raw = Raw(supervisor)
        object_id = await engine_loop().run_async(raw.element())
        handle = await page.query_selector("button")
        assert handle is not None

        def sent() -> int:
            return supervisor.connection._last_id

        cases: dict[str, dict[str, Way]] = {
            name: {
                "tabwarden": Way(lambda s=script: browser.evaluate(s), sent=sent),
                "raw": Way(lambda s=script: raw.evaluate(s), on_engine=True, sent=sent),
                "playwright": Way(lambda s=script: page.evaluate(s)),
            }
            for name, script in SCRIPTS.items()
        }
        cases[BY_REF] = {
            "tabwarden": Way(lambda: browser.evaluate(GET_TEXT, ref), sent=sent),
            "raw": Way(lambda: raw.on_element(object_id), on_engine=True, sent=sent),
            "playwright": Way(lambda: handle.evaluate(GET_TEXT)),
        }
        for name, ways in cases.items():
            await alike(name, ways)
        return {name: await measure(ways, rounds, calls) for name, ways in cases.items()}


async def alike(name: str, ways: dict[str, Way]) -> None:
    """All three give the same."""
    values = []
    for way in ways.values():
        got = await (engine_loop().run_async(way.call()) if way.on_engine else way.call())
        values.append(getattr(got, "value", got))
    assert values[0] == values[1] == values[2], (name, [str(value)[:80] for value in values])


# -- telling -------------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "load_before": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def judge(by_way: dict[str, Any]) -> dict[str, Any]:
    own = by_way["tabwarden"]["median_us"]
    of_raw = own / by_way["raw"]["median_us"]
    of_playwright = by_way["playwright"]["median_us"] / own
    reached = of_raw <= MOST_OF_RAW and of_playwright >= LEAST_OF_PLAYWRIGHT
    return {"of_raw": of_raw, "faster_than_playwright": of_playwright, "reached": reached}


def tell(result: dict[str, Any]) -> None:
    where = result["machine"]
    print(f"{where['cpus']} cpus, {where['system']}; Python {where['python']}", end="")
    print(f"; load {where['load_before']}\n")
    print(f"{'microseconds':<28}{'median':>9}{'p95':>9}{'trips':>7}{'count':>7}")
    for case, by_way in result["cases"].items():
        for way, row in by_way.items():
            trips = "" if row["trips"] is None else f"{row['trips']:.0f}"
            print(
                f"{f'{case}, {way}':<28}{row['median_us']:>9.0f}{row['p95_us']:>9.0f}{trips:>7}"
                f"{row['count']:>7}"
            )
        found = result["verdicts"][case]
        print(
            f"  {found['of_raw']:.2f} x raw (at most {MOST_OF_RAW}), "
            f"{found['faster_than_playwright']:.2f} x faster than Playwright "
            f"(at least {LEAST_OF_PLAYWRIGHT})" + ("" if found["reached"] else "  MISSED")
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--calls", type=int, default=25, help="of each way in each round")
    asked = parser.parse_args()
    result: dict[str, Any] = {"machine": machine()}
    result["cases"] = asyncio.run(measure_all(asked.rounds, asked.calls))
    result["verdicts"] = {case: judge(by_way) for case, by_way in result["cases"].items()}
    tell(result)
    if asked.json is not None:
        asked.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if all(found["reached"] for found in result["verdicts"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())

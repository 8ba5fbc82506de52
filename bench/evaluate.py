"""What evaluate costs: the Python API beside raw clients, and Playwright.

    python bench/evaluate.py [--json FILE] [--rounds 40] [--calls 25]

- *tabwarden*: ``await browser.evaluate(...)`` from an event loop of the caller's own, through every
  layer.
- *sync*: the same with ``tabwarden.sync``, from a thread without a loop.
- *raw*: one bare command on the same ``Connection`` to the same page, result decoded, on the loop
  that the connection belongs to. It awaits no promise, frees no page, knows no deadline, and no
  thread has to be woken for it but the one that reads: nothing can be leaner on this wire.
- *websockets*: what is commonly called a raw client: the ``websockets`` library and ``json`` on the
  caller's loop, over a connection of its own to the port of the same browser, on the same page. Its
  command is that of *raw*.
- *playwright*: ``await page.evaluate(...)`` over a pipe of its own, with the same Chromium.

All in one process, in turns: each round makes some calls with each of them (a fifth of them for the
large value), in another order each time. *p10*: what a call takes when nothing else
wants the processors. *trips*: commands that one call sends. *cpu*: processor
time of this process a call, all of its threads together; Playwright's driver, which does most of
its work, and the browsers are processes of their own and not in it.

The page's debugger is on, as dialogs need it (docs/decisions/0007), for all but Playwright: V8 then
tells of each script that it compiles, which costs a third of a short script. ``--bridge native``
measures without. ``TABWARDEN_BROWSER__EXECUTABLE`` names another browser.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import async_playwright
from websockets.asyncio.client import ClientConnection, connect

import tabwarden.sync
from tabwarden import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, load_config
from tabwarden.endpoints import choose
from tabwarden.supervisor import CDPSupervisor, engine_loop

MOST_OF_RAW = 1.3
LEAST_OF_PLAYWRIGHT = 2.5
PAGE = "<!doctype html><title>Bench</title><button>Buy now</button>"
GET_TEXT = "(element) => element.textContent"
LARGE = "1 MB string"
SCRIPTS = {
    "1 + 1": "1 + 1",
    "small object": "({id: 7, name: 'text', list: [1, 2, 3], inner: {ok: true}})",
    LARGE: "'x'.repeat(1e6)",
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
    cpu_us: list[float] = field(default_factory=list)
    """Of each round, a call."""
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


class WebSockets:
    """A client as one writes it in an afternoon: ids to futures, and a loop that reads."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._session_id: str | None = None
        self.sent = 0
        self._reading = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def on(cls, url: str, target_id: str) -> AsyncIterator[WebSockets]:
        async with connect(url, compression=None, max_size=None) as connection:
            client = cls(connection)
            attached = await client.call(
                "Target.attachToTarget", {"targetId": target_id, "flatten": True}
            )
            client._session_id = attached["sessionId"]
            yield client

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": params}
        if self._session_id is not None:
            message["sessionId"] = self._session_id
        future = self._waiting[self.sent] = asyncio.get_running_loop().create_future()
        await self._connection.send(json.dumps(message))
        return await future

    async def evaluate(self, expression: str) -> Any:
        done = await self.call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True}
        )
        return done["result"]["value"]

    async def element(self) -> str:
        found = await self.call(
            "Runtime.evaluate", {"expression": "document.querySelector('button')"}
        )
        object_id: str = found["result"]["objectId"]
        return object_id

    async def on_element(self, object_id: str) -> Any:
        done = await self.call(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": GET_TEXT,
                "objectId": object_id,
                "arguments": [{"objectId": object_id}],
                "returnByValue": True,
            },
        )
        return done["result"]["value"]

    async def _read(self) -> None:
        async for message in self._connection:
            told = json.loads(message)
            if "id" in told:
                self._waiting.pop(told["id"]).set_result(told["result"])


# -- measuring -----------------------------------------------------------------------------------


async def in_a_row(way: Way, calls: int) -> None:
    """Some calls, one after the other, each timed."""
    before = way.sent() if way.sent is not None else 0
    cpu = time.process_time_ns()
    for _ in range(calls):
        began = time.perf_counter_ns()
        await way.call()
        way.took_us.append((time.perf_counter_ns() - began) / 1000)
    way.cpu_us.append((time.process_time_ns() - cpu) / calls / 1000)
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
                way.cpu_us.clear()
    return {name: summary(way) for name, way in ways.items()}


def summary(way: Way) -> dict[str, Any]:
    ordered = sorted(way.took_us)
    return {
        "p10_us": ordered[len(ordered) // 10],
        "median_us": statistics.median(ordered),
        "p95_us": ordered[max(0, round(len(ordered) * 0.95) - 1)],
        "cpu_us": statistics.median(way.cpu_us),
        "count": len(ordered),
        "trips": way.trips,
    }


async def measure_all(rounds: int, calls: int, bridge: str) -> dict[str, Any]:
    executable = (await choose(Budget(60_000))).path
    config = load_config().browser.model_copy(update={"dialog_bridge": bridge})
    async with (
        launched(executable, config) as (browser, port_url),
        async_playwright() as playwright,
        await playwright.chromium.launch(
            executable_path=str(executable), args=["--no-sandbox"]
        ) as rival,
    ):
        url = f"data:text/html,{PAGE}"
        await browser.goto(url)
        page = await rival.new_page()
        await page.goto(url)
        ref = (await browser.snapshot()).ref("Buy now")
        task = browser._task
        supervisor = task.supervisor
        sync = tabwarden.sync.Browser(task, config)
        raw = Raw(supervisor)
        object_id = await engine_loop().run_async(raw.element())
        handle = await page.query_selector("button")
        assert handle is not None
        sent = counted(supervisor)
        target_id = supervisor.state.tabs[supervisor.state.active_tab_id or ""].target_id
        async with WebSockets.on(port_url, target_id) as plain:
            element = await plain.element()
            cases: dict[str, dict[str, Way]] = {
                name: {
                    "tabwarden": Way(lambda s=script: browser.evaluate(s), sent=sent),
                    "sync": Way(lambda s=script: at_once(sync.evaluate, s), sent=sent),
                    "raw": Way(lambda s=script: raw.evaluate(s), on_engine=True, sent=sent),
                    "websockets": Way(lambda s=script: plain.evaluate(s), sent=lambda: plain.sent),
                    "playwright": Way(lambda s=script: page.evaluate(s)),
                }
                for name, script in SCRIPTS.items()
            }
            cases[BY_REF] = {
                "tabwarden": Way(lambda: browser.evaluate(GET_TEXT, ref), sent=sent),
                "sync": Way(lambda: at_once(sync.evaluate, GET_TEXT, ref), sent=sent),
                "raw": Way(lambda: raw.on_element(object_id), on_engine=True, sent=sent),
                "websockets": Way(lambda: plain.on_element(element), sent=lambda: plain.sent),
                "playwright": Way(lambda: handle.evaluate(GET_TEXT)),
            }
            for name, ways in cases.items():
                await alike(name, ways)
            return {
                name: await measure(ways, rounds, calls // 5 if name == LARGE else calls)
                for name, ways in cases.items()
            }


@asynccontextmanager
async def launched(executable: Path, config: BrowserConfig) -> AsyncIterator[tuple[Browser, str]]:
    """A browser on a pipe, as ever, and the address of the port that it has besides."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        program, profile = Path(folder) / "chromium", Path(folder) / "profile"
        program.write_text(f'#!/bin/sh\nexec "{executable}" --remote-debugging-port=0 "$@"\n')
        program.chmod(0o755)
        async with Browser.launch(
            executable=program, user_data_dir=profile, config=config
        ) as browser:
            told: list[str] = []
            while len(told) < 2:  # nothing tells when it is written
                await asyncio.sleep(0.01)
                told = (profile / "DevToolsActivePort").read_text().split()
            yield browser, f"ws://127.0.0.1:{told[0]}{told[1]}"


async def at_once(call: Callable[..., Any], *given: Any) -> Any:
    """A blocking call, on this thread."""
    return call(*given)


def counted(supervisor: CDPSupervisor) -> Callable[[], int]:
    """How many messages a supervisor has sent from now on."""
    wire: Any = supervisor.connection._wire
    send, messages = wire.send, []

    def counting(message: bytes) -> None:
        messages.append(None)
        send(message)

    wire.send = counting
    return lambda: len(messages)


async def alike(name: str, ways: dict[str, Way]) -> None:
    """All of them give the same."""
    values = []
    for way in ways.values():
        got = await (engine_loop().run_async(way.call()) if way.on_engine else way.call())
        values.append(getattr(got, "value", got))
    assert all(value == values[0] for value in values), (name, [str(v)[:80] for v in values])


# -- telling -------------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "load_before": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def judge(by_way: dict[str, Any]) -> dict[str, Any]:
    took, best = (
        {way: row[figure] for way, row in by_way.items()} for figure in ("median_us", "p10_us")
    )
    own = took["tabwarden"]
    of_raw, of_playwright = own / took["raw"], took["playwright"] / own
    return {
        "of_raw": of_raw,
        "of_raw_undisturbed": best["tabwarden"] / best["raw"],
        "sync_of_raw_undisturbed": best["sync"] / best["raw"],
        "of_websockets": own / took["websockets"],
        "sync_of_raw": took["sync"] / took["raw"],
        "faster_than_playwright": of_playwright,
        "reached": of_raw <= MOST_OF_RAW and of_playwright >= LEAST_OF_PLAYWRIGHT,
    }


def tell(result: dict[str, Any]) -> None:
    where = result["machine"]
    print(f"{where['cpus']} cpus, {where['system']}; Python {where['python']}", end="")
    print(f"; load {where['load_before']}\n")
    print(
        f"{'microseconds':<28}{'p10':>8}{'median':>9}{'p95':>9}{'cpu':>7}{'trips':>7}{'count':>7}"
    )
    for case, by_way in result["cases"].items():
        for way, row in by_way.items():
            trips = "" if row["trips"] is None else f"{row['trips']:.0f}"
            print(
                f"{f'{case}, {way}':<28}{row['p10_us']:>8.0f}{row['median_us']:>9.0f}"
                f"{row['p95_us']:>9.0f}{row['cpu_us']:>7.0f}{trips:>7}{row['count']:>7}"
            )
        found = result["verdicts"][case]
        print(
            f"  undisturbed (p10) {found['of_raw_undisturbed']:.2f} x raw, sync "
            f"{found['sync_of_raw_undisturbed']:.2f} x"
        )
        print(
            f"  {found['of_raw']:.2f} x raw (at most {MOST_OF_RAW}), sync "
            f"{found['sync_of_raw']:.2f} x; {found['of_websockets']:.2f} x websockets; "
            f"{found['faster_than_playwright']:.2f} x faster than Playwright "
            f"(at least {LEAST_OF_PLAYWRIGHT})" + ("" if found["reached"] else "  MISSED")
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--calls", type=int, default=25, help="of each way in each round")
    parser.add_argument(
        "--bridge", default="auto", help="browser.dialog_bridge (native: no debugger)"
    )
    asked = parser.parse_args()
    result: dict[str, Any] = {"machine": machine()}
    result["cases"] = asyncio.run(measure_all(asked.rounds, asked.calls, asked.bridge))
    result["verdicts"] = {case: judge(by_way) for case, by_way in result["cases"].items()}
    tell(result)
    if asked.json is not None:
        asked.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if all(found["reached"] for found in result["verdicts"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())

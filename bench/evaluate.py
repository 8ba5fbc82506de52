"""Measures evaluate: the Python API, a raw client on the same connection, and other tools.

    python -m bench.evaluate [--quick] [--json FILE]

- *tabwarden*: ``await browser.evaluate(...)`` from the caller's own event loop, through every
  layer. *tabwarden sync*: the sync API, from a thread.
- *raw*: one bare command on the same ``Connection`` to the same page, result decoded, on the
  connection's own loop. It awaits no promise, frees no page, has no deadline, and wakes no thread
  except the reader, so it is the minimum for this connection.
- *raw, called across*: the same from the caller's own event loop, to measure the switch to the
  supervisor's thread and back.
- *websockets*: a typical raw client: the ``websockets`` library and ``json`` on the caller's loop,
  over a separate connection to the same browser's port, on the same page. Like Tabwarden and
  Playwright, it requests a user gesture, which adds a tenth to the browser's time.
- *playwright*: ``await page.evaluate(...)`` over a separate pipe, with the same Chromium.
- *hermes*: the supervisor's ``evaluate_runtime``, timed in its own process.
- MCP servers and agent-browser at their own interfaces, for the smallest script.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from bench.bench import Asked, Bench, Found, alone
from bench.raw import GET_TEXT, Raw, WebSockets, launched_with_port
from bench.rivals.hermes import Hermes, hermes
from bench.rivals.installed import Installed
from bench.rivals.rival import PLAYWRIGHT, PlaywrightRival, Rival
from bench.rivals.ways import all_ways
from bench.rows import OWN, Figure
from bench.turns import Batch, because, in_turns, on_engine, timed
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser as SyncBrowser

MOST_OF_WEBSOCKETS = 1.25
LEAST_OF_PLAYWRIGHT = 1.7
LEAST_OF_HERMES = 1.0
PAGE = "<!doctype html><title>Bench</title><button>Buy now</button>"
URL = f"data:text/html,{PAGE}"
SMALLEST = "1 + 1"
SCRIPTS = {
    SMALLEST: "1 + 1",
    "small object": "({id: 7, name: 'text', list: [1, 2, 3], inner: {ok: true}})",
    "1 MB string": "'x'.repeat(1e6)",
}
BY_REF = "element by ref"


# -- measuring -----------------------------------------------------------------------------------


async def measure(asked: Asked, found: Found) -> None:
    left_out: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        browser, port_url = await stack.enter_async_context(launched_with_port(asked.browser))
        without_awaits = stack.enter_context(SyncBrowser.launch(executable=asked.browser))
        rivals = await stack.enter_async_context(all_ways(asked, left_out))
        theirs = await _hermes(stack, asked, left_out)
        for goto in (browser.goto, *(rival.goto for rival in rivals.values())):
            await goto(URL)
        without_awaits.goto(URL)
        ref = (await browser.snapshot()).ref("Buy now")
        supervisor = browser._task.supervisor
        raw = Raw(supervisor)
        object_id = await engine_loop().run_async(raw.element())
        target_id = supervisor.state.tabs[supervisor.state.active_tab_id or ""].target_id
        plain = await stack.enter_async_context(WebSockets.on(port_url, target_id))
        element = await plain.element()
        cases: dict[str, dict[str, Batch]] = {}
        for name, script in SCRIPTS.items():
            cases[name] = {
                OWN: timed(lambda s=script: browser.evaluate(s)),
                "raw": on_engine(lambda s=script: raw.evaluate(s)),
                "raw, called across": timed(
                    lambda s=script: engine_loop().run_async(raw.evaluate(s))
                ),
                "websockets": timed(lambda s=script: plain.evaluate(s)),
            }
            await alike(
                name, lambda s=script: browser.evaluate(s), lambda s=script: raw.evaluate(s)
            )
            if PLAYWRIGHT in rivals:
                cases[name][PLAYWRIGHT] = timed(lambda s=script: rivals[PLAYWRIGHT].evaluate(s))
            if theirs is not None:
                cases[name]["hermes"] = _batch_of(theirs, script)
        cases[SMALLEST] |= _smallest(without_awaits, rivals)
        cases[BY_REF] = {
            OWN: timed(lambda: browser.evaluate(GET_TEXT, ref)),
            "raw": on_engine(lambda: raw.on_element(object_id)),
            "websockets": timed(lambda: plain.on_element(element)),
        }
        await alike(
            BY_REF, lambda: browser.evaluate(GET_TEXT, ref), lambda: raw.on_element(object_id)
        )
        if isinstance(playwright := rivals.get(PLAYWRIGHT), PlaywrightRival):
            handle = await playwright.page.query_selector("button")
            assert handle is not None
            cases[BY_REF][PLAYWRIGHT] = timed(lambda: handle.evaluate(GET_TEXT))
        rounds, calls = asked.rounds(40, 10), 25 if asked.scale >= 1 else 5
        for name, ways in cases.items():
            absent = left_out if name == SMALLEST else {}
            found.add(
                await in_turns(
                    f"evaluate {name}", ways, rounds, calls, left_out=absent, way_s=asked.way_s
                )
            )


def _smallest(without_awaits: SyncBrowser, rivals: dict[str, Rival]) -> dict[str, Batch]:
    """The other ways to evaluate ``1 + 1``."""

    async def sync() -> None:
        without_awaits.evaluate(SCRIPTS[SMALLEST])

    ways = {"tabwarden sync": timed(sync)}
    for name, rival in rivals.items():
        if name != PLAYWRIGHT:
            ways[name] = timed(lambda rival=rival: rival.evaluate(SCRIPTS[SMALLEST]))
    return ways


async def _hermes(stack: AsyncExitStack, asked: Asked, left_out: dict[str, str]) -> Hermes | None:
    if not asked.rivals:
        return None
    try:
        return await stack.enter_async_context(hermes(asked.browser, Installed.here()))
    except Exception as error:
        left_out["hermes"] = because(error)
        return None


def _batch_of(theirs: Hermes, script: str) -> Batch:
    async def batch(calls: int) -> list[float]:
        return (await theirs.evaluate(script, calls))[0]

    return batch


async def alike(
    name: str, own: Callable[[], Awaitable[Any]], raw: Callable[[], Awaitable[Any]]
) -> None:
    """Check that both return the same value."""
    told, bare = (await own()).value, await engine_loop().run_async(raw())
    assert told == bare, (name, json.dumps(told)[:80], json.dumps(bare)[:80])


BENCH = Bench(
    "evaluate",
    "Evaluate",
    measure,
    tuple(
        figure
        for name in (*SCRIPTS, BY_REF)
        for figure in (
            Figure(
                f"evaluate {name}, of the time of websockets and json",
                f"evaluate {name}", MOST_OF_WEBSOCKETS, share_of="websockets",
            ),
            Figure(
                f"evaluate {name}, faster than Playwright Python",
                f"evaluate {name}", LEAST_OF_PLAYWRIGHT, "least", faster_than=(PLAYWRIGHT,),
            ),
            *(
                [Figure(
                    f"evaluate {name}, faster than Hermes' supervisor",
                    f"evaluate {name}", LEAST_OF_HERMES, "least", faster_than=("hermes",),
                )]
                if name != BY_REF else []
            ),
        )
    ),
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

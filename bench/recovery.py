"""Measures recovery from ``while (true) {}``: when each tool returns, and whether the tab still
works.

    python -m bench.recovery [--quick] [--json FILE]

- *held up*: the call, from its start until it returned. Tabwarden has a limit of 500 ms. A rival
  has no limit of its own, but 10 seconds in this bench: if it has not responded by then, it has no
  number, and the report says so.
- *past the budget*: for Tabwarden, the time beyond 500 ms.
- *responds afterwards*: from then until ``1 + 1`` in the same tab returned. Each rival is started
  for this bench and stopped afterwards.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

from bench.bench import Asked, Bench, Found, alone
from bench.rivals.agent_browser import agent_browser
from bench.rivals.installed import Installed
from bench.rivals.mcp import SERVERS, mcp_rival
from bench.rivals.rival import PLAYWRIGHT, Rival
from bench.rivals.ways import playwright_rival
from bench.rows import OWN, Figure, Row
from bench.turns import because
from tabwarden import Browser
from tabwarden.errors import BudgetExceeded

BUDGET_MS = 500.0
OVER_MS = 50.0
GIVEN_S = 10.0
START_S = 60.0
LOOP = "(() => { while (true); })()"
URL = "data:text/html,<title>Loop</title>"


async def measure(asked: Asked, found: Found) -> None:
    held, late, on = [], [], []
    async with Browser.launch(executable=asked.browser) as browser:
        await browser.goto(URL)
        for _ in range(asked.rounds(20, 5)):
            began = time.perf_counter()
            try:
                await browser.evaluate(LOOP, timeout_ms=BUDGET_MS)
            except BudgetExceeded:
                back = time.perf_counter()
            assert (await browser.evaluate("1 + 1")).value == 2
            held.append((back - began) * 1000)
            late.append(held[-1] - BUDGET_MS)
            on.append((time.perf_counter() - back) * 1000)
    rows = [Row("held up", {OWN: held}), Row("responds afterwards", {OWN: on})]
    found.add(Row("past the budget", {OWN: late}))
    if asked.rivals:
        for name in (PLAYWRIGHT, *(name for name in SERVERS if name != "tabwarden mcp"),
                     "agent-browser"):  # fmt: skip
            await _rival(name, asked, rows)
    found.add(*rows)


async def _rival(name: str, asked: Asked, rows: list[Row]) -> None:
    held, on = rows
    try:
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(START_S):
                rival: Rival = await stack.enter_async_context(_opening(name, asked))
                await rival.goto(URL)
            began = time.perf_counter()
            if (why := await _within(rival.evaluate(LOOP))) is None:
                held.ways[name] = [(time.perf_counter() - began) * 1000]
            else:
                held.left_out[name] = why
            began = time.perf_counter()
            if (why := await _within(rival.evaluate("1 + 1"))) is None:
                on.ways[name] = [(time.perf_counter() - began) * 1000]
            else:
                on.left_out[name] = why
    except Exception as error:
        for row in rows:
            if name not in row.ways and name not in row.left_out:
                row.left_out[name] = because(error)


def _opening(name: str, asked: Asked) -> AbstractAsyncContextManager[Any]:
    if name == PLAYWRIGHT:
        return playwright_rival(asked.browser)
    if name == "agent-browser":
        return agent_browser(asked.browser, Installed.here())
    return mcp_rival(name, asked.browser, Installed.here())


async def _within(call: Any) -> str | None:
    """Wait for a call. Return the reason if the call can't be timed, otherwise None. An error that
    reports a timeout counts as a response.
    """
    try:
        async with asyncio.timeout(GIVEN_S):
            await call
    except TimeoutError:
        return f"no answer within {GIVEN_S:g} s"
    except Exception as error:
        return because(error)
    return None


BENCH = Bench(
    "recovery",
    "A page that hangs",
    measure,
    (Figure("while (true) {}, past its budget", "past the budget", OVER_MS),),
)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

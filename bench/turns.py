"""Measuring in turns: each round some calls of each way, another way first each time.

What disturbs a machine comes in spells; taken one after the other, ways would not share them. So
the absolute numbers are of that machine at that hour, and the ratios hold.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from bench.rows import OWN, Row
from tabwarden.supervisor.runtime import engine_loop

__all__ = ["Act", "Batch", "because", "in_turns", "on_engine", "ready", "timed"]

Act = Callable[[], Awaitable[Any]]
Batch = Callable[[int], Awaitable[list[float]]]
"""Makes so many calls, one after the other, and tells how many milliseconds each took."""

CALL_S = 60.0
"""A call that takes longer is given up, and its way with it."""
WAY_S = 45.0


def timed(act: Act, before: Act | None = None) -> Batch:
    """A batch of plain calls, each after ``before``, which is not counted."""

    async def batch(calls: int) -> list[float]:
        took = []
        for _ in range(calls):
            if before is not None:
                await before()
            began = time.perf_counter_ns()
            await act()
            took.append((time.perf_counter_ns() - began) / 1e6)
        return took

    return batch


def on_engine(act: Act) -> Batch:
    """The same, on the loop that the connection belongs to."""
    batch = timed(act)
    return lambda calls: engine_loop().run_async(batch(calls))


async def in_turns(
    name: str,
    ways: dict[str, Batch],
    rounds: int,
    calls: int = 1,
    *,
    warm: int = 2,
    says: str = "",
    left_out: dict[str, str] | None = None,
    way_s: float = WAY_S,
) -> Row:
    """Each way in turn, each time another one first. A rival that fails is left out, and told of.

    Args:
        name: of the row.
        ways: what to measure.
        rounds: how often each has its turn.
        calls: of each in a turn.
        warm: turns before those that count.
        says: what is measured.
        left_out: ways that could not even be tried, and why.
        way_s: a way that has used up so much takes no further turn.
    """
    row = Row(name, {way: [] for way in ways}, says=says, left_out=dict(left_out or {}))
    used = dict.fromkeys(ways, 0.0)
    names = list(ways)
    for turn in range(-warm, rounds):
        at = turn % len(names)
        for way in names[at:] + names[:at]:
            if way in row.left_out or (used[way] > way_s and row.ways[way]):
                continue
            began = time.monotonic()
            took = await _turn(way, ways[way], calls, row.left_out)
            used[way] += time.monotonic() - began
            if turn >= 0 or used[way] > way_s:
                row.ways[way] += took
    row.ways = {way: took for way, took in row.ways.items() if took}
    return row


async def _turn(way: str, batch: Batch, calls: int, left_out: dict[str, str]) -> list[float]:
    try:
        async with asyncio.timeout(CALL_S * min(calls, 2)):
            return await batch(calls)
    except Exception as error:
        if way == OWN:
            raise
        left_out[way] = because(error)
        return []


async def ready(ways: dict[str, Act], left_out: dict[str, str]) -> list[str]:
    """Get each way ready; those that failed are left out, and ``left_out`` says why."""
    good = []
    for way, act in ways.items():
        if way in left_out:
            continue
        try:
            async with asyncio.timeout(CALL_S):
                await act()
        except Exception as error:
            if way == OWN:
                raise
            left_out[way] = because(error)
        else:
            good.append(way)
    return good


def because(error: BaseException) -> str:
    """Why, in a line."""
    if isinstance(error, TimeoutError):
        return f"no answer within {CALL_S:g} s"
    first = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {first}"[:200]

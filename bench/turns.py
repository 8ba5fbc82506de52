"""Measures in turns: in each round, some calls of each way, beginning with another way each time.

Disturbances of a machine come in phases. In turns, all ways share them, so that the ratios are
valid, although the absolute numbers depend on the machine and the time.
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
"""Makes a number of calls in turn, and returns the milliseconds of each."""

CALL_S = 60.0
"""Time limit for a call, after which its way is abandoned."""
WAY_S = 45.0


def timed(act: Act, before: Act | None = None) -> Batch:
    """Return a batch of plain calls, each after ``before``, which is not measured."""

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
    """Return a batch that runs on the connection's loop."""
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
    """Measure each way in turn, beginning with another way each time. Omit and report rivals that
    fail.

    Args:
        name: of the row.
        ways: what to measure.
        rounds: how often each has its turn.
        calls: of each in a turn.
        warm: turns before those that count.
        says: what is measured.
        left_out: ways that could not even be tried, and why.
        way_s: the seconds after which a way gets no further turn.
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
    """Prepare each way. Omit ways that fail; ``left_out`` has the reasons."""
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
    """Return an error as one line."""
    if isinstance(error, TimeoutError):
        return f"no answer within {CALL_S:g} s"
    first = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {first}"[:200]

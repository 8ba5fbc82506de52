"""Tools take turns in a bench, and a failing tool does not stop the others."""

from __future__ import annotations

import asyncio
from itertools import count
from types import SimpleNamespace

import pytest

from bench.turns import Batch, in_turns


def batch(told: list[str], way: str) -> Batch:
    async def act(calls: int) -> list[float]:
        told.append(way)
        return [1.0] * calls

    return act


async def fails(calls: int) -> list[float]:
    raise RuntimeError("its server has died")


async def hangs(calls: int) -> list[float]:
    await asyncio.Event().wait()
    return []


def test_bench_starts_each_round_with_a_different_tool() -> None:
    told: list[str] = []
    ways = {way: batch(told, way) for way in ("tabwarden", "raw", "rival")}
    row = asyncio.run(in_turns("row", ways, 3, 2, warm=0))
    assert told == "tabwarden raw rival raw rival tabwarden rival tabwarden raw".split()
    assert row.ways == {way: [1.0] * 6 for way in ways}


def test_row_omits_a_failing_rival_and_reports_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.turns.CALL_S", 0.05)
    ways: dict[str, Batch] = {"tabwarden": batch([], "tabwarden"), "dead": fails, "slow": hangs}
    row = asyncio.run(in_turns("row", ways, 3, left_out={"absent": "not installed"}))
    assert row.ways == {"tabwarden": [1.0] * 3}
    assert row.left_out == {
        "absent": "not installed",
        "dead": "RuntimeError: its server has died",
        "slow": "no answer within 0.05 s",
    }


def test_tabwarden_failure_fails_the_row() -> None:
    with pytest.raises(RuntimeError, match="died"):
        asyncio.run(in_turns("row", {"tabwarden": fails}, 1))


def test_bench_gives_a_slow_tool_fewer_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    clock = count()
    monkeypatch.setattr("bench.turns.time", SimpleNamespace(monotonic=lambda: next(clock)))

    async def slow(calls: int) -> list[float]:
        for _ in range(100):
            next(clock)
        return [10.0] * calls

    ways: dict[str, Batch] = {"tabwarden": batch(told, "tabwarden"), "slow": slow}
    row = asyncio.run(in_turns("row", ways, 10, way_s=100))
    assert len(row.ways["tabwarden"]) == 10
    assert len(row.ways["slow"]) == 1

"""Budgets: an inherited deadline and a shared cancellation."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from typing import Any

import pytest

from tabwarden import Budget
from tabwarden.budget import MAX_TIMEOUT_MS
from tabwarden.errors import BudgetExceeded, Cancelled, InvalidArgument

pytestmark = pytest.mark.anyio


WRONG = [0, -1, math.nan, math.inf, -math.inf, 86_400_001, "100", "soon", True, False, [1]]


@pytest.mark.parametrize("wrong", [*WRONG, None])
def test_budget_rejects_an_invalid_timeout_and_identifies_the_field(wrong: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Budget(wrong)
    assert caught.value.data["field"] == "timeout_ms"
    assert f"not {wrong!r}" in str(caught.value)
    assert "default" in caught.value.hint


def test_budget_timeout_is_at_most_one_day() -> None:
    assert Budget(MAX_TIMEOUT_MS).timeout_ms == 24 * 60 * 60 * 1_000


@pytest.mark.parametrize("wrong", WRONG)
def test_call_rejects_an_invalid_timeout(wrong: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Budget.of(wrong, 1_000)
    assert caught.value.data["field"] == "timeout_ms"


def test_call_uses_its_callers_budget_or_the_default_timeout() -> None:
    mine = Budget(2_000)
    assert Budget.of(mine, 1_000) is mine
    assert Budget.of(300, 1_000).timeout_ms == 300
    assert Budget.of(None, 1_000).timeout_ms == 1_000


def test_child_budget_ends_within_its_parent_and_reports_the_callers_timeout() -> None:
    parent = Budget(10_000)
    assert parent.child(headroom_ms=50).deadline == pytest.approx(parent.deadline - 0.05)
    assert parent.child(headroom_ms=50).timeout_ms == 10_000
    short = parent.child(at_most_ms=100)
    assert short.deadline < parent.deadline
    assert short.timeout_ms == pytest.approx(100, abs=1)
    assert parent.child(at_most_ms=1e9).deadline == parent.deadline


@pytest.mark.parametrize(
    ("ms", "said"),
    [(889.937, "890"), (2.5, "2.5"), (30_000, "30000"), (MAX_TIMEOUT_MS, "86400000")],
)
def test_timeout_error_shows_the_time_in_round_numbers(ms: float, said: str) -> None:
    assert f"within its {said} ms" in Budget(ms).exceeded().message


def test_expired_budget_has_zero_time_left() -> None:
    budget = Budget(1).child(headroom_ms=1000)
    assert budget.expired
    assert (budget.remaining_ms(), budget.remaining_s()) == (0.0, 0.0)


def test_canceling_a_budget_notifies_children_and_parents_once() -> None:
    parent = Budget(10_000)
    child = parent.child(headroom_ms=1)
    told: list[str] = []
    child.on_cancel(told.append)
    undo = parent.on_cancel(told.append)
    undo()
    child.cancel("enough")
    parent.cancel("again")
    assert told == ["enough"]
    parent.on_cancel(told.append)
    assert told == ["enough", "enough"]
    with pytest.raises(Cancelled, match="enough"):
        parent.check()


def test_canceling_a_budget_from_many_threads_runs_its_callback_once() -> None:
    budget, told, together = Budget(10_000), [], threading.Barrier(8)
    budget.on_cancel(told.append)

    def cancel() -> None:
        together.wait()
        budget.cancel()

    threads = [threading.Thread(target=cancel) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == ["the caller canceled"]


def test_budget_deadline_uses_the_monotonic_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [50.0]
    monkeypatch.setattr("tabwarden.budget.time.monotonic", lambda: now[0])
    budget = Budget(2_000)
    assert (budget.deadline, budget.remaining_ms(), budget.remaining_s()) == (52.0, 2_000.0, 2.0)
    now[0] = 51.5
    assert (budget.remaining_ms(), budget.expired) == (500.0, False)
    assert repr(budget) == "Budget(2000 ms, 500 ms left)"
    now[0] = 52.0
    assert (budget.remaining_ms(), budget.expired) == (0.0, True)


def test_grandchild_budget_never_outlives_its_ancestors() -> None:
    parent = Budget(10_000)
    child = parent.child(at_most_ms=100)
    assert child.child(headroom_ms=10).deadline < child.deadline
    assert child.child(at_most_ms=5_000).deadline == child.deadline
    assert child.child(at_most_ms=0).expired


def test_expired_budget_that_is_not_canceled_passes_its_check() -> None:
    budget = Budget(1).child(headroom_ms=10)
    assert budget.expired
    assert budget.cancelled is None
    budget.check()


def test_unsubscribing_from_a_budget_twice_or_after_its_cancellation_has_no_effect() -> None:
    budget, told = Budget(10_000), []
    undo = budget.on_cancel(told.append)
    kept = budget.on_cancel(told.append)
    undo()
    undo()
    budget.cancel("enough")
    kept()
    assert told == ["enough"]
    budget.on_cancel(told.append)()
    assert told == ["enough", "enough"]


def test_budget_callback_can_subscribe_and_cancel_again() -> None:
    budget, told = Budget(10_000), []

    def again(reason: str) -> None:
        told.append(reason)
        budget.cancel("another")
        budget.on_cancel(told.append)

    budget.on_cancel(again)
    budget.cancel("enough")
    assert told == ["enough", "enough"]


def test_child_budget_shares_its_current_step_with_its_parent() -> None:
    budget = Budget(10_000)
    assert budget.doing == ""
    budget.child(headroom_ms=5).doing = "waiting for the tab to be freed"
    assert budget.doing == "waiting for the tab to be freed"


async def wait_in_line(budget: Budget, begun: asyncio.Event | None = None) -> None:
    async with budget.waiting_for("the queue"):
        assert budget.doing == "waiting for the queue"
        if begun is not None:
            begun.set()
        await asyncio.Event().wait()


async def test_queue_wait_uses_the_budget_and_reports_what_it_waited_for() -> None:
    budget, began = Budget(300), time.monotonic()
    with pytest.raises(
        BudgetExceeded, match=r"spent \d+ of its 300 ms waiting for the queue"
    ) as caught:
        await wait_in_line(budget)
    assert budget.doing == ""
    assert caught.value.data["waited_for"] == "the queue"
    took_ms = (time.monotonic() - began) * 1000
    assert 30 < caught.value.data["waited_ms"] <= took_ms + 1  # it is rounded
    assert caught.value.hint


async def test_queue_wait_ends_when_the_budget_is_canceled() -> None:
    budget, begun = Budget(60_000), asyncio.Event()
    waiting = asyncio.ensure_future(wait_in_line(budget, begun))
    await begun.wait()
    threading.Thread(target=budget.cancel, args=["enough"]).start()
    with pytest.raises(Cancelled, match="enough"):
        await waiting
    with pytest.raises(Cancelled, match="enough"):
        await wait_in_line(budget)


async def test_finished_queue_wait_ignores_a_later_cancel() -> None:
    budget = Budget(60_000)
    async with budget.waiting_for("nothing"):
        pass
    budget.cancel("late")
    await asyncio.sleep(0)


async def test_queue_wait_propagates_the_callers_cancelled_error() -> None:
    budget, begun = Budget(60_000), asyncio.Event()
    waiting = asyncio.ensure_future(wait_in_line(budget, begun))
    await begun.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_queue_wait_propagates_an_unrelated_timeout_error() -> None:
    async def fail() -> None:
        async with Budget(60_000).waiting_for("the queue"):
            raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        await fail()


async def enforced(budget: Budget, begun: asyncio.Event | None = None) -> None:
    async with budget.enforced():
        if begun is not None:
            begun.set()
        await asyncio.Event().wait()


async def test_enforced_budget_cancels_its_block_soon_after_the_deadline() -> None:
    budget = Budget(30)
    budget.doing = "counting sheep"
    with pytest.raises(BudgetExceeded, match="within its 30 ms: it was counting sheep") as caught:
        await enforced(budget)
    assert caught.value.data["timeout_ms"] == 30
    assert budget.expired


async def test_enforced_budget_cancels_its_block_soon_after_a_cancellation() -> None:
    budget, begun = Budget(60_000), asyncio.Event()
    waiting = asyncio.ensure_future(enforced(budget, begun))
    await begun.wait()
    threading.Thread(target=budget.cancel, args=["enough"]).start()
    with pytest.raises(Cancelled, match="enough"):
        await waiting
    with pytest.raises(Cancelled, match="enough"):
        await enforced(budget)


async def test_enforced_budget_lets_its_body_finish_shortly_after_a_cancel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tabwarden.budget._GRACE_S", 60.0)
    budget = Budget(60_000)
    async with budget.enforced():
        budget.cancel("enough")
        for _ in range(10):
            await asyncio.sleep(0)


async def test_enforced_budget_does_not_affect_a_body_that_ends_in_time() -> None:
    budget = Budget(60_000)
    async with budget.enforced():
        pass
    budget.cancel("late")
    await asyncio.sleep(0)
    assert not budget._shared._callbacks

    async def fail() -> None:
        async with Budget(60_000).enforced():
            raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        await fail()


def test_each_budget_subscriber_is_notified_of_a_cancel_once() -> None:
    budget = Budget(1_000)
    heard: list[tuple[int, str]] = []
    undo = [
        budget.on_cancel(lambda reason, n=n: heard.append((n, reason)))  # type: ignore[misc]
        for n in range(5)
    ]
    undo[3]()
    budget.cancel("stop")
    budget.cancel("again")
    assert heard == [(n, "stop") for n in (0, 1, 2, 4)]


def test_child_budget_deadline_is_exact() -> None:
    parent = Budget(10_000_000)
    assert parent.child(headroom_ms=1_000_000).deadline == parent.deadline - 1_000
    before = time.monotonic()
    child = parent.child(at_most_ms=1_000_000)
    took_s = time.monotonic() - before
    assert before + 1_000 <= child.deadline <= before + took_s + 1_000
    assert 1_000_000 - took_s * 1_000 <= child.timeout_ms <= 1_000_000
    assert parent.child(headroom_ms=20_000_000, at_most_ms=5).timeout_ms == 0

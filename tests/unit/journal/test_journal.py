"""The journal: its records of calls, and its watchers."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tabwarden.browser.journaled import journaled
from tabwarden.errors import BudgetExceeded
from tabwarden.journal import Entry, Journal, set_on_current_call
from tabwarden.journal.journal import KEPT, KEPT_RESULTS

pytestmark = pytest.mark.anyio


class Owner:
    def __init__(self) -> None:
        self._journal = Journal()

    @property
    def journal(self) -> Journal:
        return self._journal

    @journaled
    async def click(self, ref: str, *, count: int = 1, timeout_ms: object = None) -> str:
        _ = timeout_ms
        set_on_current_call(point=(1, 2))
        return f"{ref} {count}"

    @journaled
    async def batch(self) -> None:
        await self.click("e1")

    @journaled
    def press(self, keys: str) -> str:
        raise BudgetExceeded("The page hangs.", "Wait.", steps=["stopped the script"])


async def test_journal_records_a_call_with_its_arguments_and_result() -> None:
    owner = Owner()
    assert await owner.click("e3", count=2, timeout_ms=object()) == "e3 2"
    (entry,) = owner.journal.entries
    assert (entry.action, entry.arguments) == ("click", {"ref": "e3", "count": 2})
    assert (entry.status, entry.result, entry.point) == ("ok", "e3 2", (1, 2))
    assert entry.took_ms is not None


async def test_journal_links_a_nested_call_to_its_parent() -> None:
    owner = Owner()
    await owner.batch()
    inner, outer = owner.journal.entries
    assert (outer.action, outer.parent) == ("batch", None)
    assert (inner.action, inner.parent) == ("click", outer.number)


def test_journal_records_a_failed_calls_error() -> None:
    owner = Owner()
    with pytest.raises(BudgetExceeded):
        owner.press("Enter")
    (entry,) = owner.journal.entries
    assert (entry.status, entry.code) == ("failed", "budget_exceeded")
    assert (entry.message, entry.hint) == ("The page hangs.", "Wait.")
    assert entry.steps == ("stopped the script",)


async def test_journal_records_a_canceled_call_with_status_cancelled() -> None:
    journal = Journal()
    with pytest.raises(asyncio.CancelledError), journal.call("wait", {}):
        raise asyncio.CancelledError
    assert journal.entries[0].status == "cancelled"
    assert not journal.running


async def test_watchers_receive_call_start_and_end_despite_a_failing_watcher() -> None:
    owner = Owner()
    heard: list[tuple[str, bool]] = []

    def fails(_: Entry) -> None:
        raise ValueError

    owner.journal.watch(fails)
    stop = owner.journal.watch(lambda entry: heard.append((entry.action, entry.ended is None)))
    await owner.click("e1")
    stop()
    await owner.click("e1")
    assert heard == [("click", True), ("click", False)]


async def test_journal_keeps_only_the_last_calls_and_results() -> None:
    owner = Owner()
    for _ in range(KEPT + 5):
        await owner.click("e1")
    kept = owner.journal.entries
    assert len(kept) == KEPT
    assert sum(entry.result is not None for entry in kept) == KEPT_RESULTS
    set_on_current_call(point=(3, 4))  # outside of a call this does nothing


def test_journal_keeps_arguments_that_json_cannot_represent() -> None:
    """A batch's steps are actions with their classes."""

    class Step(msgspec.Struct):
        kind: type

    journal = Journal()
    with journal.call("batch", {"steps": [Step(int)]}):
        pass
    assert journal.entries[-1].arguments == {"steps": [{"kind": "<class 'int'>"}]}

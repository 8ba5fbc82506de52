"""The records of hung tabs, and their removal."""

from __future__ import annotations

import pytest

from tabwarden.page.task.hang_state import HangState
from tabwarden.page.task.rescue import Rescue
from tabwarden.telemetry import Telemetry


@pytest.mark.parametrize("seen", [True, False])
def test_next_call_gets_a_recovery_note_only_if_no_call_reported_the_recovery(
    seen: bool,
) -> None:
    hangs, rescue = HangState(), Rescue("t1", Telemetry("test"))
    hangs.begin("t1", rescue)
    assert (hangs.rescue_of("t1"), hangs.rescues) == (rescue, 1)
    rescue.ended("renewed", "It was loaded again.", ["refs"])
    rescue.unseen = not seen
    hangs.end("t1")
    assert (hangs.rescue_of("t1"), hangs.rescues) == (None, 0)
    assert hangs.has_notes is not seen
    assert hangs.take_note("t1") == ("" if seen else "The tab had hung. It was loaded again.")
    assert hangs.take_note("t1") == ""
    assert not hangs.has_notes


def test_hang_state_remembers_hung_documents_while_a_tab_shows_them() -> None:
    hangs = HangState()
    assert not hangs.any_hung
    hangs.hang({"a", ""}, {"a", "b"})
    assert hangs.has_hung("a", "b")
    assert not hangs.has_hung("b", "")
    hangs.relapse("a")
    hangs.hang({"b"}, {"b"})
    assert not hangs.has_hung("a")
    hangs.relapse("b")
    assert (hangs.has_relapsed("a"), hangs.has_relapsed("b")) == (False, True)
    hangs.is_only_slow("b")
    assert not hangs.any_hung


def test_hang_state_counts_crashes_per_tab_and_period() -> None:
    hangs = HangState()
    assert [hangs.crashed("t1", 60), hangs.crashed("t1", 60), hangs.crashed("t2", 60)] == [1, 2, 1]
    assert hangs.crashed("t1", 0) == 1
    hangs.forget_closed({"t2"})
    assert (hangs.crashed("t1", 60), hangs.crashed("t2", 60)) == (1, 2)


def test_closing_a_tab_drops_its_recovery_note_and_keeps_its_replacement_record() -> None:
    hangs = HangState()
    hangs.give_up("t1", "Continue in tab t2.")
    rescue = Rescue("t1", Telemetry("test"))
    rescue.ended("gone", "It is gone.", ["the tab"])
    rescue.unseen = True
    hangs.begin("t1", rescue)
    hangs.end("t1")
    hangs.forget_closed({"t2"})
    assert hangs.take_note("t1") == ""
    assert (hangs.instead_of("t1"), hangs.instead_of("t2")) == ("Continue in tab t2.", None)

"""State that is kept during a lost connection, and restored on the next one."""

from __future__ import annotations

import msgspec
import pytest
from support.machine_kit import HOME, Play

from tabwarden.protocol import network, page
from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.handlers.connection import (
    LOST_DIALOGS_S,
    SILENT_PAGE_S,
    UNANSWERABLE_S,
)
from tabwarden.supervisor.core.handlers.dialogs import DialogAnswered, open_dialog
from tabwarden.supervisor.core.handlers.set_up import SetUp
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import (
    EndpointLost,
    EndpointRegained,
    SessionDetached,
    StateInvalidated,
    TabClosed,
)
from tabwarden.supervisor.core.state.policy import BridgeMode, Policy
from tabwarden.supervisor.core.state.transition import Now, Turn
from tabwarden.supervisor.runtime import fresh_bridge


@pytest.fixture
def play() -> Play:
    """An attached browser with one ready tab."""
    play = Play(Policy(bridge=fresh_bridge(BridgeMode.AUTO)))
    play.give(inputs.Connected(owned=False))
    play.open_page()
    return play


def asks(play: Play, on: str = "S1", held_by: str = "7.0") -> None:
    """A dialog is open in a debugger pause."""
    turn = Turn(play.state, Now(play.clock, play.clock))
    open_dialog(
        turn,
        play.state.sessions[on],
        kind="prompt",
        message="Name?",
        default_prompt="",
        frame_id="T1",
        url=HOME,
        channel="debugger",
        held_by=held_by,
    )
    play.state = turn.state


def cut(play: Play, *guarded: str) -> None:
    play.give(inputs.Disconnected("cut", reconnecting=True, guarded=frozenset(guarded)))


def back(play: Play, *targets: str) -> None:
    play.give(inputs.Connected(owned=False))
    play.attach("T1", "S2")
    play.give(inputs.Reattached(frozenset(targets or ("T1",))))


def test_disconnect_keeps_tab_numbers_and_removes_their_sessions(play: Play) -> None:
    cut(play)
    (tab,) = play.state.tabs.values()
    assert (tab.tab_id, tab.session_id, tab.status) == ("t1", None, "starting")
    assert (dict(play.state.sessions), dict(play.state.frames)) == ({}, {})
    assert play.state.health.status == "reconnecting"
    assert play.told(EndpointLost)[-1].reconnecting
    back(play)
    (tab,) = play.state.tabs.values()
    assert (tab.tab_id, tab.session_id) == ("t1", "S2")
    assert play.state.health.status == "live"
    assert play.told(EndpointRegained)
    assert [told.tab_id for told in play.told(StateInvalidated)] == ["t1"]


def test_reconnect_closes_a_tab_whose_target_is_gone(play: Play) -> None:
    play.open_page("T2", "S9")
    cut(play)
    back(play, "T1")
    assert [tab.target_id for tab in play.state.tabs.values()] == ["T1"]
    assert [told.tab_id for told in play.told(TabClosed)] == ["t2"]


def test_debugger_dialog_becomes_a_native_dialog_with_the_same_id_after_a_reconnect(
    play: Play,
) -> None:
    asks(play)
    cut(play)
    (dialog,) = play.state.pending_dialogs
    assert dialog.is_left_behind
    play.give(inputs.AnswerDialog(dialog.id, True, "too early"))
    assert play.state.pending_dialogs == (dialog,)
    back(play)
    words = [s.command for s in play.commands if isinstance(s.command, network.SetCookie)]
    assert [(word.value, word.url) for word in words] == [("native", HOME)]
    params = {
        "url": HOME, "frameId": "T1", "message": "Name?", "type": "prompt",
        "hasBrowserHandler": False, "defaultPrompt": "",
    }  # fmt: skip
    play.event("Page.javascriptDialogOpening", params, "S2")
    (found,) = play.state.pending_dialogs
    assert (found.id, found.channel, found.session_id) == (dialog.id, "native", "S2")


def words(play: Play) -> list[tuple[str, str]]:
    found = [s.command for s in play.commands if isinstance(s.command, network.SetCookie)]
    return [(word.value, word.url) for word in found]


def test_after_a_reconnect_a_cookie_makes_an_unresponsive_page_open_a_native_dialog(
    play: Play,
) -> None:
    cut(play)
    back(play)
    due = m.next_deadline(play.state)
    assert due == play.clock + SILENT_PAGE_S
    play.give(inputs.Tick())
    assert words(play) == []
    play.clock = due
    play.give(inputs.Tick())
    play.give(inputs.Tick())
    assert words(play) == [("native", HOME)]
    assert m.next_deadline(play.state) is None
    play.reply(SetUp("S2"))
    assert words(play) == [("native", HOME), ("", HOME)]
    assert (dict(play.state.left_at), play.state.word_said) == ({}, frozenset())


def test_cross_site_frame_gets_a_reconnect_cookie_that_it_can_read(play: Play) -> None:
    play.frame_attached("F")
    play.oopif("F", "SF")
    cut(play)
    play.give(inputs.Connected(owned=False))
    play.attach("T1", "S2")
    play.reply(SetUp("S2"))
    play.attach("F", "SF2", kind="iframe", on="S2", parent_frame="T1")
    play.give(inputs.Reattached(frozenset(("T1",))))
    play.tick_at(play.clock + SILENT_PAGE_S)
    said = [s.command for s in play.commands if isinstance(s.command, network.SetCookie)]
    inner = "https://f.other.test/"
    assert [(word.url, word.same_site, word.secure) for word in said] == [
        (inner, msgspec.UNSET, msgspec.UNSET),
        (inner, "None", True),
    ]
    around = network.CookiePartitionKey(
        top_level_site=HOME.rstrip("/"), has_cross_site_ancestor=True
    )
    assert said[1].partition_key == around


@pytest.mark.parametrize("url", ["http://[", "https://[::1", "about:blank", "", "http://x:y/"])
def test_machine_sets_a_frames_reconnect_cookie_despite_an_unusual_page_url(url: str) -> None:
    play = Play(Policy(bridge=fresh_bridge(BridgeMode.AUTO)))
    play.give(inputs.Connected(owned=False))
    play.open_page(url=url)
    play.frame_attached("F")
    play.oopif("F", "SF")
    cut(play)
    play.give(inputs.Connected(owned=False))
    play.attach("T1", "S2", url=url)
    play.attach("F", "SF2", kind="iframe", on="S2", parent_frame="T1")
    play.give(inputs.Reattached(frozenset(("T1",))))
    play.tick_at(play.clock + SILENT_PAGE_S)
    assert ("native", "https://f.other.test/") in words(play)


def test_after_a_reconnect_a_page_with_a_native_dialog_gets_no_cookie(play: Play) -> None:
    cut(play)
    back(play)
    play.dialog("confirm", on="S2")
    play.tick_at(play.clock + SILENT_PAGE_S)
    assert words(play) == []


def test_after_a_reconnect_a_responsive_page_gets_no_cookie(play: Play) -> None:
    play.open_page("T2", "S9")
    cut(play)
    back(play, "T1")
    play.reply(SetUp("S2"))
    play.clock += SILENT_PAGE_S
    play.give(inputs.Tick())
    assert words(play) == []
    assert dict(play.state.left_at) == {}


def test_after_two_reconnects_the_cookie_is_set_for_the_pages_first_url(play: Play) -> None:
    cut(play)
    back(play)
    cut(play)
    assert m.next_deadline(play.state) is None
    back(play)
    play.clock += SILENT_PAGE_S
    play.give(inputs.Tick())
    assert words(play) == [("native", HOME)]


def test_after_a_reconnect_a_new_debugger_pause_takes_over_the_open_dialog(play: Play) -> None:
    asks(play)
    before = play.state.pending_dialogs[0].id
    cut(play)
    back(play)
    asks(play, "S2", "9.0")
    (found,) = play.state.pending_dialogs
    assert (found.id, found.held_by, found.session_id) == (before, "9.0", "S2")


def test_after_a_reconnect_a_dialog_that_is_not_reopened_closes(play: Play) -> None:
    asks(play)
    cut(play)
    back(play)
    assert m.next_deadline(play.state) is not None
    play.clock += LOST_DIALOGS_S + 1
    play.give(inputs.Tick())
    assert play.state.pending_dialogs == ()
    assert play.state.recent_dialogs[-1].closed_by == "remote"


def test_after_a_reconnect_an_unguarded_native_dialog_closes_and_its_tab_reloads(
    play: Play,
) -> None:
    play.dialog("confirm")
    cut(play)
    assert play.state.recent_dialogs[-1].closed_by == "remote"
    back(play)
    play.clock += UNANSWERABLE_S + 1
    play.give(inputs.Tick())
    assert play.sent("S2")[-1] == page.Reload.METHOD
    assert play.state.tabs["t1"].generation == 2


def test_guard_connection_answers_a_native_dialog(play: Play) -> None:
    play.dialog("confirm")
    cut(play, "T1")
    (dialog,) = play.state.pending_dialogs
    assert dialog.guarded
    back(play)
    play.give(inputs.AnswerDialog(dialog.id, True))
    assert play.commands[-1].guarded_target == "T1"
    assert play.commands[-1].command.METHOD == page.HandleJavaScriptDialog.METHOD
    play.reply(DialogAnswered(dialog.id), {})
    assert play.state.recent_dialogs[-1].closed_by == "agent"


def test_losing_the_guard_connection_during_a_reconnect_closes_its_dialog(play: Play) -> None:
    play.dialog("confirm")
    cut(play, "T1")
    play.give(inputs.GuardLost())
    assert play.state.pending_dialogs == ()
    back(play)
    assert play.state.unanswerable_until is not None


def told_by_guard(play: Play) -> None:
    event = page.JavascriptDialogOpening(
        url=HOME, frame_id="T1", message="Sure?", type="confirm", has_browser_handler=False
    )
    play.give(inputs.GuardTold("T1", event))


@pytest.mark.parametrize("when", ["before we are back", "before the tab is set up"])
def test_guard_connection_reports_and_answers_a_dialog_opened_during_a_reconnect(
    when: str, play: Play
) -> None:
    cut(play, "T1")
    if when == "before the tab is set up":
        back(play)
    told_by_guard(play)
    (dialog,) = play.state.pending_dialogs
    assert (dialog.guarded, dialog.tab_id, dialog.message) == (True, "t1", "Sure?")
    assert set(play.state.sessions) <= {"S2"}
    play.give(inputs.AnswerDialog(dialog.id, True))
    assert play.commands[-1].guarded_target == "T1"
    play.reply(DialogAnswered(dialog.id), {})
    assert play.state.recent_dialogs[-1].closed_by == "agent"


def test_dialog_that_guard_and_session_report_is_one_dialog_of_the_session(play: Play) -> None:
    cut(play, "T1")
    back(play)
    told_by_guard(play)
    (dialog,) = play.state.pending_dialogs
    params = {
        "url": HOME, "frameId": "T1", "message": "Sure?", "type": "confirm",
        "hasBrowserHandler": False, "defaultPrompt": "",
    }  # fmt: skip
    play.event("Page.javascriptDialogOpening", params, "S2")
    told_by_guard(play)
    (found,) = play.state.pending_dialogs
    assert (found.id, found.guarded, found.session_id) == (dialog.id, False, "S2")


def test_state_machine_ignores_the_guard_connection_while_the_session_is_connected(
    play: Play,
) -> None:
    told_by_guard(play)
    assert play.state.pending_dialogs == ()


def test_losing_the_guard_connection_after_a_reconnect_schedules_a_tab_reload(
    play: Play,
) -> None:
    play.dialog("confirm")
    cut(play, "T1")
    back(play)
    play.give(inputs.GuardLost())
    assert play.state.unanswerable_until == play.clock + UNANSWERABLE_S
    assert play.state.unanswerable == {"t1"}
    assert play.state.recent_dialogs[-1].closed_by == "remote"


def test_losing_a_guard_connection_without_dialogs_changes_nothing(play: Play) -> None:
    cut(play)
    play.give(inputs.GuardLost())
    assert play.state.unanswerable_until is None
    back(play)
    play.give(inputs.GuardLost())
    assert play.state.unanswerable_until is None


def test_dialog_answer_in_flight_at_a_disconnect_is_recorded_as_remote(play: Play) -> None:
    waits = play.dialog("confirm")
    assert waits is not None
    play.answer(waits.id)
    cut(play)
    assert play.state.recent_dialogs[-1].closed_by == "remote"


def test_disconnect_reports_its_reason_in_health_and_notices(play: Play) -> None:
    cut(play)
    assert play.state.health.reason == "cut"
    assert [one.reason for one in play.told(SessionDetached)] == ["cut"]
    assert play.state.lost_dialogs_until is None


def test_state_machine_reloads_a_stuck_tab_at_its_deadline_and_not_before(play: Play) -> None:
    play.dialog("confirm")
    cut(play)
    back(play)
    at = play.state.unanswerable_until
    assert at is not None
    play.tick_at(at - 0.001)
    assert page.Reload.METHOD not in play.sent("S2")
    play.tick_at(at)
    assert play.sent("S2").count(page.Reload.METHOD) == 1


def test_disconnect_reports_each_session_with_the_reason(play: Play) -> None:
    play.open_page("T2", "S9")
    cut(play)
    assert {(n.tab_id, n.session_id, n.reason) for n in play.told(SessionDetached)} == {
        ("t1", "S1", "cut"),
        ("t2", "S9", "cut"),
    }
    assert play.told(EndpointLost)[-1].reason == "cut"
    back(play, "T1", "T2")
    assert {n.reason for n in play.told(StateInvalidated)} == {"the connection was lost"}


def test_state_machine_reloads_each_stuck_tab_and_no_other(play: Play) -> None:
    play.open_page("T2", "S9")
    play.open_page("T3", "S8")
    play.dialog("confirm")
    play.dialog("confirm", on="S9", frame_id="T2")
    play.dialog("confirm", on="S8", frame_id="T3")
    cut(play)
    play.give(inputs.Connected(owned=False))
    for target_id, session_id in (("T1", "S2"), ("T2", "S3"), ("T3", "S4")):
        play.attach(target_id, session_id)
    play.give(inputs.Reattached(frozenset(("T1", "T2", "T3"))))
    assert play.state.unanswerable_until == play.clock + UNANSWERABLE_S
    play.reply(SetUp("S2"))
    play.notices.clear()
    play.tick_at(play.clock + UNANSWERABLE_S)
    assert page.Reload.METHOD not in play.sent("S2")
    assert play.sent("S3").count(page.Reload.METHOD) == 1
    assert play.sent("S4").count(page.Reload.METHOD) == 1
    told = [(n.tab_id, "reloaded" in n.reason) for n in play.told(StateInvalidated)]
    assert told == [("t2", True), ("t3", True)]
    assert (play.state.unanswerable, play.state.unanswerable_until) == (frozenset(), None)


def test_dialog_left_from_before_a_disconnect_closes_at_its_deadline_and_not_before(
    play: Play,
) -> None:
    asks(play)
    cut(play)
    back(play)
    until = play.state.lost_dialogs_until
    assert until == play.clock + LOST_DIALOGS_S
    play.tick_at(until - 0.01)
    assert play.state.pending_dialogs
    play.tick_at(until)
    assert play.state.pending_dialogs == ()


def test_disconnect_resets_a_dialogs_answer_and_session(play: Play) -> None:
    asks(play)
    play.give(inputs.AnswerDialog(play.state.pending_dialogs[0].id, True, None))
    assert play.state.pending_dialogs[0].answer is not None
    cut(play)
    (dialog,) = play.state.pending_dialogs
    assert (dialog.held_by, dialog.answer, dialog.guarded) == ("", None, False)


def test_disconnect_drops_prompts_replacements_and_pending_cookies(play: Play) -> None:
    play.event(
        "Page.fileChooserOpened",
        {"frameId": "T1", "mode": "selectSingle", "backendNodeId": 7},
        "S1",
    )
    asks(play)
    cut(play)
    back(play)
    assert play.state.prompts == ()
    assert play.state.lost_dialogs_until is not None
    play.give(inputs.ReplaceTab("t1", HOME))
    play.tick_at(play.clock + SILENT_PAGE_S)
    assert play.state.replacing
    assert play.state.word_said
    cut(play)
    state = play.state
    assert (dict(state.replacing), state.lost_dialogs_until, state.word_said) == (
        {},
        None,
        frozenset(),
    )


def test_reconnect_closes_the_guarded_dialog_of_a_lost_tab(play: Play) -> None:
    play.open_page("T2", "S9")
    play.dialog("confirm", on="S9", frame_id="T2")
    cut(play, "T2")
    assert play.state.pending_dialogs
    back(play, "T1")
    assert play.state.pending_dialogs == ()
    assert play.state.recent_dialogs[-1].tab_id == "t2"


def test_guard_connection_reports_a_dialog_beside_another_tabs_dialog(play: Play) -> None:
    play.open_page("T2", "S9")
    play.dialog("confirm", on="S9", frame_id="T2")
    cut(play, "T1", "T2")
    told_by_guard(play)
    assert [(d.tab_id, d.session_id) for d in play.state.pending_dialogs] == [
        ("t2", "S9"),
        ("t1", ""),
    ]
    cut(play, "T1", "T2")
    back(play, "T1", "T2")


def test_dialog_the_guard_reports_belongs_to_the_session_being_set_up(play: Play) -> None:
    cut(play, "T1")
    back(play)
    told_by_guard(play)
    assert [d.session_id for d in play.state.pending_dialogs] == ["S2"]


def test_state_machine_clears_the_cookie_on_the_session_that_answers(play: Play) -> None:
    cut(play)
    back(play)
    play.tick_at(play.clock + SILENT_PAGE_S)
    play.reply(SetUp("S2"))
    said = [s.session_id for s in play.commands if isinstance(s.command, network.SetCookie)]
    assert said == ["S2", "S2"]

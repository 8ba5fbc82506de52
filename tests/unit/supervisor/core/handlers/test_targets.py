"""Targets, sessions and tabs: each set up before its first script, without delays by others."""

from __future__ import annotations

from typing import Any

import pytest
from support.machine_kit import HOME, SET_UP, Play, target_info

from tabwarden.protocol import target
from tabwarden.supervisor.core.handlers.set_up import SetUp
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import (
    EndpointLost,
    PopupOpened,
    SessionDetached,
    StateInvalidated,
    TabClosed,
    TabReplaced,
    TargetCrashed,
)
from tabwarden.supervisor.core.state.values import replace


def test_connected_state_machine_discovers_and_attaches_to_all_targets(play: Play) -> None:
    assert play.sent(None) == [
        "Browser.setDownloadBehavior",
        "Target.setDiscoverTargets",
        "Target.setAutoAttach",
    ]
    auto = play.commands[-1].command
    assert (auto.auto_attach, auto.wait_for_debugger_on_start, auto.flatten) == (True, True, True)
    assert play.state.health.status == "live"


@pytest.mark.parametrize("kind", ["page", "iframe"])
def test_machine_sets_a_target_up_in_one_batch_and_runs_it_last(kind: str, one_tab: Play) -> None:
    one_tab.attach("X", "SX", kind=kind, on="S1" if kind == "iframe" else None)
    assert one_tab.sent("SX") == SET_UP
    assert not one_tab.state.sessions["SX"].ready
    one_tab.reply(SetUp("SX"))
    assert one_tab.state.sessions["SX"].ready


@pytest.mark.parametrize("kind", ["service_worker", "worker", "browser_ui", "tab", "webview"])
def test_state_machine_runs_and_detaches_targets_of_other_kinds(kind: str, play: Play) -> None:
    play.attach("W", "SW", kind=kind)
    assert play.sent("SW") == ["Runtime.runIfWaitingForDebugger"]
    assert play.sent(None)[-1] == "Target.detachFromTarget"
    assert play.state.tabs == play.state.sessions == {}


def test_state_machine_runs_a_frame_of_an_unknown_page(play: Play) -> None:
    play.attach("F", "SF", kind="iframe", on="S9")
    assert play.sent("SF") == ["Runtime.runIfWaitingForDebugger"]
    assert play.state.sessions == {}


def test_unresponsive_tabs_do_not_delay_the_setup_of_other_tabs(play: Play) -> None:
    for n in range(30):
        play.attach(f"T{n}", f"S{n}")
    for n in range(0, 30, 3):
        play.reply(SetUp(f"S{n}"))
    ready = [tab.tab_id for tab in play.state.tabs.values() if tab.status == "ready"]
    assert ready == [f"t{n + 1}" for n in range(0, 30, 3)]
    assert all(f"S{n}" in play.state.sessions for n in range(30))


def test_popup_stores_its_opener_and_does_not_become_active(one_tab: Play) -> None:
    one_tab.attach("P", "SP", opener="T1")
    assert one_tab.state.tabs["t2"].opener_tab_id == "t1"
    assert one_tab.told(PopupOpened) == [PopupOpened(tab_id="t2", opener_tab_id="t1")]
    assert one_tab.state.active_tab_id == "t1"


@pytest.mark.threat
def test_state_machine_closes_popups_beyond_a_hundred_tabs(one_tab: Play) -> None:
    for n in range(99):
        one_tab.attach(f"P{n}", f"S-{n}", opener="T1")
    for n in range(3):
        one_tab.attach(f"Q{n}", f"SQ{n}", opener="T1")
        one_tab.destroy(f"Q{n}")
    assert len(one_tab.state.tabs) == 100
    assert one_tab.sent(None).count("Target.closeTarget") == 3
    assert [note.kind for note in one_tab.state.notes] == ["window"]
    one_tab.attach("A", "SA")  # the agent's
    assert len(one_tab.state.tabs) == 101


def test_closing_the_active_tab_activates_its_opener(one_tab: Play) -> None:
    one_tab.open_page("X", "SX")
    one_tab.open_page("P", "SP", opener="T1")
    one_tab.give(inputs.ActivateTab("t3"))
    one_tab.destroy("P")
    assert one_tab.state.active_tab_id == "t1"
    assert one_tab.told(TabClosed) == [TabClosed(tab_id="t3", reason="the tab was closed")]


def test_no_tab_is_active_after_the_last_tab_closes(one_tab: Play) -> None:
    one_tab.detach("S1")
    assert (one_tab.state.active_tab_id, one_tab.state.tabs) == (None, {})
    one_tab.open_page("X", "SX")
    assert one_tab.state.active_tab_id == "t2"


def test_closing_a_tab_removes_its_frames_sessions_and_dialogs(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.dialog(frame_id="F")
    one_tab.destroy("T1")
    state = one_tab.state
    assert (state.tabs, state.sessions, state.frames, state.pending_dialogs) == ({}, {}, {}, ())
    assert {n.session_id for n in one_tab.told(SessionDetached)} == {"S1", "SF"}
    assert state.recent_dialogs[0].closed_by == "remote"
    assert state.recent_dialogs[0].accepted is None


def test_machine_stops_setting_up_a_target_that_keeps_crashing() -> None:
    play = Play.connected()
    play.attach("T1", "S1")
    for _ in range(30):
        play.reply(SetUp("S1"), error="Target crashed")
    assert 2 < play.sent("S1").count("Runtime.enable") < 20
    assert not play.state.sessions["S1"].ready


def test_crash_is_reported_and_a_new_document_revives_the_tab(one_tab: Play) -> None:
    one_tab.dialog()
    one_tab.crash("T1")
    assert (one_tab.tab.status, one_tab.tab.status_reason) == ("crashed", "crashed (error code 11)")
    assert one_tab.tab.generation == 2
    assert one_tab.state.pending_dialogs == ()
    assert one_tab.told(TargetCrashed)[0].tab_id == "t1"
    one_tab.navigated(url=HOME, loader="L2")
    assert (one_tab.tab.status, one_tab.tab.generation) == ("ready", 2)


def test_crashed_frame_leaves_its_tab_alive(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.crash("F")
    assert one_tab.tab.status == "ready"
    assert one_tab.told(TargetCrashed)[0].is_oopif


def test_target_info_updates_the_title_and_any_nonempty_url(one_tab: Play) -> None:
    for url, shown in (("https://b.test/", "https://b.test/"), ("", "https://b.test/")):
        info = target_info("T1", url=url, title="B")
        one_tab.event("Target.targetInfoChanged", {"targetInfo": info})
        assert (one_tab.tab.url, one_tab.tab.title) == (shown, "B")


@pytest.mark.parametrize("reply_first", [True, False])
def test_replaced_tab_keeps_its_id_in_either_event_order(reply_first: bool, one_tab: Play) -> None:
    one_tab.give(inputs.ReplaceTab("t1"))
    create = one_tab.commands[-1].command
    assert create.url == HOME
    told = {"targetId": "N"}
    if reply_first:
        one_tab.reply(one_tab.replacement_ask(), told)
        one_tab.attach("N", "SN")
    else:
        one_tab.attach("N", "SN")
        one_tab.reply(one_tab.replacement_ask(), told)
    one_tab.reply(SetUp("SN"))
    tab = one_tab.tab
    assert (tab.tab_id, tab.target_id, tab.session_id) == ("t1", "N", "SN")
    assert (tab.status, tab.generation) == ("ready", 2)
    assert one_tab.state.sessions["SN"].tab_id == "t1"
    assert one_tab.state.active_tab_id == "t1"
    assert one_tab.sent(None)[-1] == "Target.closeTarget"
    assert one_tab.told(TabReplaced) == [TabReplaced(tab_id="t1", target_id="N")]
    one_tab.destroy("T1")
    assert list(one_tab.state.tabs) == ["t1"]


def test_rejected_or_identical_tab_replacement_changes_nothing(one_tab: Play) -> None:
    for result, error in ((None, "refused"), ({"targetId": "T1"}, None)):
        one_tab.give(inputs.ReplaceTab("t1"))
        one_tab.reply(one_tab.replacement_ask(), result, error)
        assert (one_tab.tab.target_id, one_tab.state.replacing) == ("T1", {})
        assert one_tab.state.active_tab_id == "t1"


def test_target_attached_twice_becomes_one_tab_and_leaves_nothing_behind(
    one_tab: Play,
) -> None:
    one_tab.attach("T1", "S2")
    assert one_tab.tab.session_id == "S2"
    one_tab.destroy("T1")
    assert (one_tab.state.tabs, one_tab.state.sessions) == ({}, {})


def test_lost_connection_closes_dialogs_and_reports_the_reason(one_tab: Play) -> None:
    one_tab.dialog()
    one_tab.give(inputs.Disconnected("the socket closed"))
    assert (one_tab.state.health.status, one_tab.state.health.reason) == (
        "gone",
        "the socket closed",
    )
    assert one_tab.state.pending_dialogs == ()
    assert one_tab.told(EndpointLost) == [EndpointLost(reason="the socket closed")]


def test_console_keeps_the_last_fifty_errors_with_their_tab(one_tab: Play) -> None:
    for n in range(60):
        one_tab.console("error", {"type": "string", "value": f"no {n}"})
        one_tab.console("log", {"type": "string", "value": f"yes {n}"})
    one_tab.thrown("Error: thrown")
    errors = one_tab.state.console_errors
    assert len(errors) == 50
    assert (errors[-1].tab_id, errors[-1].line) == ("t1", 12)
    assert "Error: thrown" in errors[-1].text
    assert errors[0].text == "no 11"
    one_tab.give(inputs.ClearConsole("t1"))
    assert one_tab.state.console_errors == one_tab.state.console == ()


def test_page_attached_through_another_session_outlives_that_session(one_tab: Play) -> None:
    one_tab.attach("T2", "S2", on="S1", opener="T1")
    one_tab.detach("S1")
    assert [tab.session_id for tab in one_tab.state.tabs.values()] == ["S2"]
    assert "S2" in one_tab.state.sessions


def test_attachment_reported_twice_changes_nothing(one_tab: Play) -> None:
    one_tab.frame_attached("F1")
    before = one_tab.state
    one_tab.attach("T1", "S1")
    assert one_tab.state == before


def test_state_machine_attaches_again_to_a_page_whose_session_ended(one_tab: Play) -> None:
    one_tab.detach("S1")
    asked = [s.command for s in one_tab.commands if s.command.METHOD == "Target.attachToTarget"]
    assert [(command.target_id, command.flatten) for command in asked] == [("T1", True)]


@pytest.mark.parametrize("told", ["changed", "attached"])
def test_state_machine_closes_again_a_target_that_survived_closing(
    told: str, one_tab: Play
) -> None:
    one_tab.give(inputs.ReplaceTab("t1"))
    one_tab.attach("N", "SN")
    one_tab.reply(one_tab.replacement_ask(), {"targetId": "N"})
    if told == "changed":
        info = {**target_info("T1", url="about:blank"), "attached": True}
        one_tab.event("Target.targetInfoChanged", {"targetInfo": info})
    else:
        one_tab.attach("T1", "S9")
    closing = [s.command.target_id for s in one_tab.commands if "closeTarget" in s.command.METHOD]
    assert closing == ["T1", "T1"]
    assert [tab.target_id for tab in one_tab.state.tabs.values()] == ["N"]
    one_tab.destroy("T1")
    assert one_tab.state.closing == frozenset()


def test_renewing_a_tab_increases_its_generation(one_tab: Play) -> None:
    before = one_tab.tab
    one_tab.give(inputs.TabRenewed("t1"))
    one_tab.give(inputs.TabRenewed("t9"))
    assert one_tab.tab == replace(before, generation=before.generation + 1)
    assert one_tab.told(TabReplaced) == [TabReplaced(tab_id="t1", target_id="T1")]
    (void,) = one_tab.told(StateInvalidated)
    assert (void.tab_id, void.reason) == ("t1", "its renderer was replaced")


def test_abandoning_the_last_tab_opens_an_empty_tab(one_tab: Play) -> None:
    one_tab.give(inputs.ReplaceTab("t1"))
    one_tab.give(inputs.DeclareGone("t1"))
    assert not one_tab.state.tabs
    assert not one_tab.state.replacing
    close, create = (sent.command for sent in one_tab.commands[-2:])
    assert close == target.CloseTarget(target_id="T1")
    assert create == target.CreateTarget(url="about:blank", browser_context_id="C")


def test_replaced_popup_keeps_its_position_in_the_tab_list(one_tab: Play) -> None:
    one_tab.open_page("T2", "S2", opener="T1")
    one_tab.give(inputs.ActivateTab("t2"))
    one_tab.give(inputs.ReplaceTab("t2"))
    one_tab.reply(one_tab.replacement_ask(), {"targetId": "N"})
    one_tab.open_page("N", "SN")
    tab = one_tab.state.tabs["t2"]
    assert (tab.target_id, tab.session_id, tab.opener_tab_id, tab.generation) == (
        "N", "SN", "t1", 2,
    )  # fmt: skip
    assert list(one_tab.state.tabs) == ["t1", "t2"]
    assert one_tab.state.active_tab_id == "t2"
    assert {s.tab_id for s in one_tab.state.sessions.values()} == {"t1", "t2"}
    assert not one_tab.state.replacing
    assert "S2" not in one_tab.state.sessions
    closed = [s.command for s in one_tab.commands if isinstance(s.command, target.CloseTarget)]
    assert closed == [target.CloseTarget(target_id="T2")]
    assert [one.tab_id for one in one_tab.told(StateInvalidated)] == ["t2"]


# -- titles that no event reports --------------------------------------------------------------


def asked_of(play: Play, command: type) -> list[Any]:
    return [sent for sent in play.commands if isinstance(sent.command, command)]


def test_state_machine_requests_the_title_of_a_loaded_page_and_not_of_its_frames(
    one_tab: Play,
) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", loader="LF", parent="T1")
    for name in ("DOMContentLoaded", "load", "networkIdle"):
        one_tab.lifecycle(name, "LF", "F")
    assert asked_of(one_tab, target.GetTargetInfo) == []
    for name in ("DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle"):
        one_tab.lifecycle(name)
    asked = asked_of(one_tab, target.GetTargetInfo)
    assert [(one.command.target_id, one.session_id) for one in asked] == [("T1", None)] * 2
    one_tab.reply(asked[0].ask, {"targetInfo": target_info("T1", url=HOME, title="Popup")})
    assert one_tab.state.tabs["t1"].title == "Popup"
    one_tab.reply(asked[1].ask, error="No target with given id found")
    assert one_tab.state.tabs["t1"].title == "Popup"


def test_tab_refresh_updates_titles_and_does_not_replace_a_title_with_a_url(one_tab: Play) -> None:
    one_tab.open_page("T2", "S2")
    one_tab.give(inputs.LookAtTabs())
    (asked,) = asked_of(one_tab, target.GetTargets)
    told = [
        target_info("T1", url=HOME, title="a.test"),
        target_info("T2", url=f"{HOME}b", title="a.test/b"),
        target_info("T9", url=HOME, title="Another task's"),
    ]
    one_tab.reply(asked.ask, {"targetInfos": told})
    assert [(tab.url, tab.title) for tab in one_tab.state.tabs.values()] == [
        (HOME, "A"),
        (f"{HOME}b", "a.test/b"),
    ]

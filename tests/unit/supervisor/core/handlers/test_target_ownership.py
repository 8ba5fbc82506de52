"""A task with its own browser context keeps that context's targets and detaches all others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from support.machine_kit import Play, target_info

from tabwarden.protocol import Command, browser, target
from tabwarden.supervisor.core.handlers.hidden_targets import BackstageCreated
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import TabOpened
from tabwarden.supervisor.core.state.prompts import PermissionRule

LET_GO = ["Runtime.runIfWaitingForDebugger"]


def own() -> Play:
    play = Play.connected(context="C")
    play.open_page()
    return play


def sent(play: Play, kind: type[Command[Any]]) -> list[Any]:
    return [one.command for one in play.commands if isinstance(one.command, kind)]


def left(play: Play) -> list[str]:
    return [one.session_id for one in sent(play, target.DetachFromTarget)]


def another_tasks(play: Play, session_id: str, **about: Any) -> None:
    info = target_info("X", context="D", **about)
    told = {"sessionId": session_id, "targetInfo": info, "waitingForDebugger": True}
    play.give(inputs.AnotherTasksTarget(json.dumps(told).encode()))


def test_task_with_its_own_context_opens_a_tab_in_that_context() -> None:
    rule = PermissionRule(name="geolocation", setting="granted")
    play = Play.connected(context="C", permissions=(rule,), download_dir="/d")
    (tab,) = sent(play, target.CreateTarget)
    asked = [tab, *sent(play, browser.SetPermission), *sent(play, browser.SetDownloadBehavior)]
    assert [one.browser_context_id for one in asked] == ["C", "C", "C"]


def test_task_without_its_own_context_opens_no_tab() -> None:
    play = Play.connected()
    (downloads,) = sent(play, browser.SetDownloadBehavior)
    assert downloads.browser_context_id is msgspec.UNSET
    assert sent(play, target.CreateTarget) == []


def test_state_machine_runs_and_silently_detaches_a_target_of_another_context() -> None:
    play = own()
    before = play.state
    play.attach("X", "SX", context="D")
    assert play.state == before
    assert play.sent("SX") == LET_GO
    assert left(play) == ["SX"]
    assert len(play.told(TabOpened)) == 1


def test_task_without_its_own_context_supervises_all_contexts() -> None:
    play = Play.connected()
    play.attach("X", "SX", context="D")
    assert list(play.state.tabs) == ["t1"]
    assert left(play) == []


@pytest.mark.parametrize("begin", [own, Play.connected])
@pytest.mark.parametrize(("reaches_opener", "runs"), [(True, []), (False, LET_GO)])
def test_state_machine_leaves_another_tasks_popup_for_that_task_to_run(
    begin: Callable[[], Play], reaches_opener: bool, runs: list[str]
) -> None:
    play = begin()
    tabs = play.state.tabs
    another_tasks(play, "SX", opener="Y", reaches_opener=reaches_opener)
    assert play.sent("SX") == runs
    assert left(play) == ["SX"]
    assert play.state.tabs == tabs


def test_page_of_another_context_is_not_held_while_a_hidden_page_is_created() -> None:
    play = own()
    play.give(inputs.OpenBackstage("b-1", "C"))
    play.attach("X", "SX", context="D")
    assert play.sent("SX") == LET_GO
    assert play.state.held_pages == ()
    play.reply(BackstageCreated("b-1"), {"targetId": "B"})


def test_session_id_reused_in_another_context_ends_the_old_session() -> None:
    play = own()
    play.attach("X", "S1", context="D")
    assert play.state.sessions == {}
    assert play.state.tabs == {}


@pytest.mark.parametrize("leave", [inputs.ReplaceTab("t1"), inputs.DeclareGone("t1")])
def test_replaced_or_lost_tab_is_reopened_in_the_same_context(leave: inputs.Input) -> None:
    for play in (own(), Play.connected()):
        if not play.state.tabs:
            play.open_page()
        play.give(leave)
        assert sent(play, target.CreateTarget)[-1].browser_context_id == "C"


@pytest.mark.parametrize(
    ("frame_id", "told"), [("T1", True), ("F", True), ("X", False), ("F-of-X", False)]
)
def test_state_machine_ignores_downloads_of_other_contexts(frame_id: str, told: bool) -> None:
    play = own()
    play.frame_attached("F")
    play.attach("X", "SX", context="D")
    begins = {"frameId": frame_id, "guid": "g", "url": "https://a.test/f", "suggestedFilename": "f"}
    play.event("Browser.downloadWillBegin", begins)
    progress = {"guid": "g", "totalBytes": 1, "receivedBytes": 1, "state": "completed"}
    play.event("Browser.downloadProgress", progress)
    assert bool(play.state.downloads) is told


def test_task_without_its_own_context_gets_unknown_downloads_only_if_it_is_alone() -> None:
    play = Play.connected()
    begins = {"frameId": "?", "guid": "g", "url": "https://a.test/f", "suggestedFilename": "f"}
    play.event("Browser.downloadWillBegin", begins)
    another_tasks(play, "SX")
    play.event("Browser.downloadWillBegin", begins | {"guid": "h"})
    assert [download.guid for download in play.state.downloads] == ["g"]


def test_reconnect_to_the_same_context_opens_no_tab() -> None:
    play = own()
    play.give(inputs.Disconnected("cut", reconnecting=True))
    play.give(inputs.Connected(False, "C"))
    assert len(sent(play, target.CreateTarget)) == 1


def test_newly_created_context_replaces_the_lost_one() -> None:
    play = own()
    play.give(inputs.Disconnected("cut", reconnecting=True))
    play.give(inputs.Connected(False, "E"))
    play.attach("T2", "S2", context="E")
    play.attach("T3", "S3", context="C")
    play.give(inputs.Reattached(frozenset({"T2", "T3"})))
    assert [tab.target_id for tab in play.state.tabs.values()] == ["T2"]
    assert play.state.active_tab_id == "t2"


def test_unreadable_target_event_changes_nothing() -> None:
    play = own()
    before = play.state
    play.give(inputs.AnotherTasksTarget(b"{"))
    assert play.state == before


def test_joining_a_context_keeps_the_contexts_tabs_and_download_settings() -> None:
    play = Play()
    play.give(inputs.Connected(False, "C", joined=True))
    play.attach("T1", "S1", context="C")
    play.attach("T2", "S2", context="D")
    assert [tab.target_id for tab in play.state.tabs.values()] == ["T1"]
    assert sent(play, target.CreateTarget) == []
    assert sent(play, browser.SetDownloadBehavior) == []

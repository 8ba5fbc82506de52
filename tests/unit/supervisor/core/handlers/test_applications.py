"""Applications that embed Chromium: late pages and refused windows."""

from __future__ import annotations

from typing import Any

import pytest
from support.machine_kit import Play, target_info

from tabwarden.supervisor.core.handlers.applications import WINDOW_S
from tabwarden.supervisor.core.handlers.target_ownership import TabAsked
from tabwarden.supervisor.core.state import inputs


def announce(play: Play, event: str, kind: str, target_id: str = "T2") -> None:
    info = target_info(target_id) | {"type": kind}
    play.event(f"Target.{event}", {"targetInfo": info})


def open_window(play: Play) -> None:
    opened: dict[str, Any] = {
        "url": "https://a.example/", "windowName": "", "windowFeatures": [], "userGesture": True,
    }  # fmt: skip
    play.event("Page.windowOpen", opened, "S1")


def attachments(play: Play) -> int:
    return play.sent(None).count("Target.attachToTarget")


def test_target_that_becomes_a_page_is_attached_once() -> None:
    play = Play.connected()
    announce(play, "targetCreated", "other")
    assert attachments(play) == 0
    announce(play, "targetInfoChanged", "page")
    announce(play, "targetInfoChanged", "page")
    assert attachments(play) == 1


@pytest.mark.parametrize("kind", ["page", "iframe"])
def test_targets_that_the_browser_attaches_itself_are_left_to_it(kind: str) -> None:
    play = Play.connected()
    announce(play, "targetCreated", kind)
    announce(play, "targetInfoChanged", kind)
    assert attachments(play) == 0


def test_destroyed_target_is_forgotten() -> None:
    play = Play.connected()
    announce(play, "targetCreated", "other")
    play.destroy("T2")
    assert play.state.untyped == frozenset()


@pytest.mark.parametrize("appears", [True, False])
def test_page_goes_on_only_if_its_window_does_not_appear(appears: bool) -> None:
    play = Play.connected(windows_may_hang=True)
    play.open_page()
    before = play.sent("S1").count("Runtime.runIfWaitingForDebugger")
    open_window(play)
    if appears:
        play.attach("T2", "S2", opener="T1")
    play.tick_at(play.clock + WINDOW_S)
    after = play.sent("S1").count("Runtime.runIfWaitingForDebugger")
    assert after - before == (0 if appears else 1)
    play.tick_at(play.clock + WINDOW_S)
    assert play.sent("S1").count("Runtime.runIfWaitingForDebugger") == after


def test_windows_of_a_browser_need_no_deadline() -> None:
    play = Play.connected()
    play.open_page()
    open_window(play)
    assert play.state.awaited_windows == ()


def test_refused_tab_is_known_until_the_next_one_is_asked_for() -> None:
    play = Play()
    play.give(inputs.Connected(own_window=True))
    play.reply(TabAsked(), error="Not supported")
    assert play.state.tab_refused
    play.give(inputs.Connected(own_window=True))
    assert not play.state.tab_refused

"""When the debugger is on: where scripts can pause, and where pages load at full speed."""

from __future__ import annotations

from typing import Any

import pytest
from support.machine_kit import HOME, Play
from support.requested import Requested

from tabwarden.supervisor.core.handlers.debugging import Armed
from tabwarden.supervisor.core.state import inputs

NEXT = "https://b.test/next"
ON = ["enable"]
ON_OFF = ["enable", "disable"]


@pytest.fixture
def play() -> Requested:
    """Mode auto, in a launched browser."""
    return Requested.open()


@pytest.fixture
def loaded(play: Requested) -> Requested:
    """The same with its document parsed and the debugger on."""
    play.lifecycle("init")
    play.lifecycle("DOMContentLoaded")
    play.armed()
    return play


def requested(
    play: Play, url: str = NEXT, frame_id: str = "T1", on: str = "S1", **about: Any
) -> None:
    """A page requests a navigation."""
    params = {"frameId": frame_id, "reason": "scriptInitiated", "url": url,
              "disposition": "currentTab"}  # fmt: skip
    play.event("Page.frameRequestedNavigation", {**params, **about}, on)


def started(
    play: Play,
    url: str = NEXT,
    frame_id: str = "T1",
    on: str = "S1",
    kind: str = "differentDocument",
) -> None:
    """A frame's navigation starts."""
    params = {"frameId": frame_id, "url": url, "loaderId": "L9", "navigationType": kind}
    play.event("Page.frameStartedNavigating", params, on)


def stopped(play: Play, frame_id: str = "T1", on: str = "S1") -> None:
    """A navigation ends."""
    play.event("Page.frameStoppedLoading", {"frameId": frame_id}, on)


def is_on(play: Play, on: str = "S1") -> bool:
    return play.state.sessions[on].debugging != "off"


# -- a launched browser ------------------------------------------------------------------------


def test_debugger_is_off_until_the_document_is_parsed(play: Requested) -> None:
    play.lifecycle("init")
    play.lifecycle("commit")
    assert play.debugger() == []
    play.lifecycle("DOMContentLoaded")
    assert play.debugger() == ON
    assert play.state.sessions["S1"].debugging == "asked"
    assert play.state.is_arming("t1")
    play.armed()
    assert play.state.sessions["S1"].debugging == "on"
    assert not play.state.is_arming("t1")


def test_debugger_pauses_only_in_the_bridge_script(loaded: Requested) -> None:
    (blackbox,) = [s for s in loaded.commands if isinstance(s.ask, Armed)]
    (pattern,) = blackbox.command.patterns  # type: ignore[attr-defined]
    assert loaded.bridge.name.replace(".", "\\.") in pattern
    assert blackbox.command.skip_anonymous is True  # type: ignore[attr-defined]


@pytest.mark.parametrize("how", ["leaving", "requested", "started"])
def test_debugger_turns_off_as_soon_as_the_page_navigates_away(how: str, loaded: Requested) -> None:
    if how == "leaving":
        loaded.give(inputs.Leaving("t1", NEXT))
    elif how == "requested":
        requested(loaded)
    else:
        started(loaded)
    assert loaded.debugger() == ON_OFF
    assert not is_on(loaded)
    started(loaded)
    requested(loaded)
    assert loaded.debugger() == ON_OFF, "once is enough"


def test_debugger_turns_on_again_with_the_next_document(loaded: Requested) -> None:
    started(loaded)
    loaded.navigated(loader="L9", url=NEXT)
    loaded.lifecycle("init", "L9")
    loaded.lifecycle("DOMContentLoaded", "L9")
    assert loaded.debugger() == [*ON_OFF, *ON]


def test_debugger_disabled_before_document_parsing_stays_disabled(play: Requested) -> None:
    play.lifecycle("DOMContentLoaded")
    play.give(inputs.Leaving("t1", NEXT))
    play.armed()
    assert play.state.sessions["S1"].debugging == "off"


def test_navigation_without_a_new_document_turns_the_debugger_on_again(loaded: Requested) -> None:
    started(loaded)  # a 204, a download, a rejection
    stopped(loaded)
    assert loaded.debugger() == [*ON_OFF, *ON]
    loaded.armed()
    loaded.give(inputs.Leaving("t1", f"{HOME}#there"))  # the action has no better information
    params = {"frameId": "T1", "url": f"{HOME}#there", "navigationType": "fragment"}
    loaded.event("Page.navigatedWithinDocument", params, "S1")
    assert loaded.debugger() == [*ON_OFF, *ON_OFF, *ON]


def test_beforeunload_dialog_turns_the_debugger_on_again(loaded: Requested) -> None:
    started(loaded)
    assert loaded.debugger() == ON_OFF
    loaded.dialog("beforeunload", "")
    assert loaded.debugger() == [*ON_OFF, *ON]
    loaded.dialog_closed(result=False)
    assert is_on(loaded)


def test_load_that_stops_before_parsing_keeps_the_debugger_off(play: Requested) -> None:
    play.lifecycle("init")
    stopped(play)
    assert play.debugger() == []


@pytest.mark.parametrize("kind", ["sameDocument", "historySameDocument"])
def test_fragment_navigation_keeps_the_debugger_on(kind: str, loaded: Requested) -> None:
    started(loaded, f"{HOME}#there", kind=kind)
    assert loaded.debugger() == ON


def test_another_tabs_navigation_keeps_the_debugger_on(loaded: Requested) -> None:
    requested(loaded, disposition="newTab")
    loaded.give(inputs.Leaving("t9", NEXT))
    assert loaded.debugger() == ON


def test_page_restored_from_the_back_forward_cache_turns_the_debugger_on(loaded: Requested) -> None:
    started(loaded)
    loaded.navigated(loader="L0", url=NEXT, kind="BackForwardCacheRestore")
    assert loaded.debugger() == [*ON_OFF, *ON]


def test_same_process_frames_do_not_turn_the_debugger_on_or_off(loaded: Requested) -> None:
    loaded.frame_attached("F")
    started(loaded, frame_id="F")
    requested(loaded, frame_id="F")
    loaded.lifecycle("DOMContentLoaded", "LF", frame_id="F")
    assert loaded.debugger() == ON


def test_out_of_process_frames_turn_their_debugger_on_and_off_separately(loaded: Requested) -> None:
    loaded.oopif()
    assert loaded.debugger("SF") == []
    loaded.lifecycle("DOMContentLoaded", frame_id="F", on="SF")
    assert loaded.debugger("SF") == ON
    started(loaded, frame_id="F", on="SF")
    assert loaded.debugger("SF") == ON_OFF
    assert loaded.debugger() == ON
    started(loaded)
    assert loaded.debugger("SF") == ON_OFF


def test_debugger_stays_on_for_origins_that_opened_dialogs(play: Requested) -> None:
    play.asks(url=f"{HOME}loading")
    assert play.debugger() == ON, "from the first dialog on"
    play.armed()
    play.answer("d-1")
    play.reply(play.dialog_ask())
    assert play.state.dialog_origins == {"https://a.test"}
    started(play, f"{HOME}other")
    play.give(inputs.Leaving("t1", f"{HOME}third"))
    assert play.debugger() == ON
    started(play, NEXT)
    assert play.debugger() == ON_OFF


@pytest.mark.parametrize("url", ["about:blank", "data:text/html,x", "", "http://[", "blob:null/1"])
def test_urls_without_a_host_do_not_count_as_dialog_origins(url: str, loaded: Requested) -> None:
    loaded.asks(url=url)
    assert loaded.state.dialog_origins == frozenset()
    loaded.answer("d-1")
    loaded.reply(loaded.dialog_ask())
    started(loaded, url)
    assert loaded.debugger() == ON_OFF


def test_open_dialog_keeps_the_debugger_on(loaded: Requested) -> None:
    loaded.asks(url="data:text/html,x")
    started(loaded)
    assert loaded.debugger() == ON


# -- other clients that can answer -------------------------------------------------------------


def test_debugger_is_always_on_in_an_attached_browser() -> None:
    play = Requested.open(owned=False)
    sent = play.sent("S1")
    assert sent.index("Debugger.enable") < sent.index("Runtime.runIfWaitingForDebugger")
    started(play)
    play.give(inputs.Leaving("t1", NEXT))
    play.lifecycle("DOMContentLoaded")
    assert play.debugger() == ON
    play.oopif()
    assert play.debugger("SF") == ON


def test_remotely_closed_dialog_turns_the_debugger_on_in_every_tab(play: Requested) -> None:
    play.open_page("T2", "S2")
    play.lifecycle("DOMContentLoaded", frame_id="T2", on="S2")
    play.dialog()
    play.dialog_closed(result=False)
    assert play.state.contested
    assert play.debugger("S1") == ON
    assert play.debugger("S2") == ON
    play.open_page("T3", "S3")
    assert play.debugger("S3") == ON
    started(play)
    assert play.debugger("S1") == ON


def test_answer_preempted_by_another_client_marks_the_browser_contested(play: Requested) -> None:
    play.dialog()
    play.answer("d-1", accept=True)
    play.dialog_closed(result=False)
    assert play.state.contested
    (closed,) = play.state.recent_dialogs
    assert (closed.closed_by, closed.accepted) == ("remote", False)


def test_our_own_answer_does_not_mark_the_browser_contested(play: Requested) -> None:
    play.dialog()
    play.answer("d-1", accept=False)
    play.dialog_closed(result=False)
    assert not play.state.contested


@pytest.mark.parametrize("how", ["requested", "started", "committed", "gone"])
def test_navigation_that_closes_a_dialog_does_not_mark_the_browser_contested(
    how: str, play: Requested
) -> None:
    play.dialog()
    if how == "requested":
        requested(play)
    elif how == "started":
        started(play)
    elif how == "committed":
        play.navigated(loader="L9", url=NEXT)
    else:
        play.destroy("T1")
    play.dialog_closed(result=False)
    assert not play.state.contested


# -- the other modes ---------------------------------------------------------------------------


def test_mode_debugger_keeps_the_debugger_always_on() -> None:
    play = Requested.open("debugger")
    sent = play.sent("S1")
    assert sent.index("Debugger.enable") < sent.index("Runtime.runIfWaitingForDebugger")
    play.lifecycle("DOMContentLoaded")
    started(play)
    requested(play)
    play.give(inputs.Leaving("t1", NEXT))
    stopped(play)
    play.oopif()
    assert (play.debugger(), play.debugger("SF")) == (ON, ON)


@pytest.mark.parametrize("mode", ["xhr", "native"])
@pytest.mark.parametrize("owned", [True, False])
def test_modes_xhr_and_native_never_enable_the_debugger(mode: str, owned: bool) -> None:
    play = Requested.open(mode, owned=owned)
    play.lifecycle("DOMContentLoaded")
    play.dialog()
    play.dialog_closed(result=False)
    started(play)
    stopped(play)
    play.oopif()
    play.lifecycle("DOMContentLoaded", frame_id="F", on="SF")
    assert (play.debugger(), play.debugger("SF")) == ([], [])

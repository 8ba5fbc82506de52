"""Load progress: each frame's document, and whether the frame is navigating."""

from __future__ import annotations

import pytest
from support.machine_kit import HOME, Play, frame, tree
from support.requested import Requested

from tabwarden.protocol import page
from tabwarden.supervisor.core.handlers.frames import FrameTreeAsked
from tabwarden.supervisor.core.handlers.titles import TitleAsked
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.answers import NOWHERE
from tabwarden.supervisor.core.state.notices import (
    FrameNavigated,
    LifecycleReached,
    NavigationSettled,
    NavigationStarted,
)
from tabwarden.supervisor.core.state.transition import Step

NEXT = "https://b.test/next"


def started(play: Play, kind: str = "differentDocument", *, url: str = NEXT) -> Step:
    """``Page.frameStartedNavigating``."""
    params = {"frameId": "T1", "url": url, "loaderId": "L2", "navigationType": kind}
    return play.event("Page.frameStartedNavigating", params, "S1")


def requested(play: Play, disposition: str = "currentTab", *, url: str = NEXT) -> Step:
    """``Page.frameRequestedNavigation``."""
    params = {
        "frameId": "T1", "reason": "anchorClick", "url": url, "disposition": disposition,
    }  # fmt: skip
    return play.event("Page.frameRequestedNavigation", params, "S1")


def stopped(play: Play, frame_id: str = "T1") -> Step:
    """``Page.frameStoppedLoading``."""
    return play.event("Page.frameStoppedLoading", {"frameId": frame_id}, "S1")


def asked_for_tree(done: Step) -> list[str | None]:
    """The sessions whose frames were requested; besides titles nothing else was requested."""
    asked = [sent for sent in done.commands if not isinstance(sent.ask, TitleAsked)]
    for sent in asked:
        assert isinstance(sent.command, page.GetFrameTree)
        assert sent.ask == FrameTreeAsked(sent.session_id or "nobody")
    return [sent.session_id for sent in asked]


# -- lifecycle ---------------------------------------------------------------------------------


def test_frames_lifecycle_collects_the_events_of_its_document(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L2")
    one_tab.lifecycle("DOMContentLoaded", "L2")
    one_tab.lifecycle("load", "L2")
    assert one_tab.frame().lifecycle == {"init", "DOMContentLoaded", "load"}
    assert one_tab.told(LifecycleReached) == [
        LifecycleReached(tab_id="t1", frame_id="T1", loader_id="L2", name=name)
        for name in ("DOMContentLoaded", "load")
    ]


def test_init_lifecycle_event_starts_a_new_document(one_tab: Play) -> None:
    one_tab.lifecycle("load", "L1")
    one_tab.lifecycle("init", "L2")
    assert (one_tab.frame().lifecycle, one_tab.frame().loader_id) == ({"init"}, "L2")


def test_lifecycle_event_of_an_old_document_is_ignored(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L2")
    done = one_tab.lifecycle("load", "L1")
    assert one_tab.frame().lifecycle == {"init"}
    assert done.notices == ()


def test_commit_keeps_the_load_progress_of_the_same_document_only(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L2")
    one_tab.lifecycle("DOMContentLoaded", "L2")
    one_tab.navigated(loader="L2")
    assert one_tab.frame().lifecycle == {"init", "DOMContentLoaded"}
    one_tab.navigated(loader="L3")
    assert one_tab.frame().lifecycle == frozenset()


def test_state_machine_ignores_a_lifecycle_event_of_an_unknown_frame(one_tab: Play) -> None:
    before = one_tab.state
    one_tab.lifecycle("load", frame_id="nobody")
    assert one_tab.state is before


@pytest.mark.parametrize("restored", [True, False])
def test_state_machine_requests_the_url_after_document_open(
    one_tab: Play, *, restored: bool
) -> None:
    if restored:
        one_tab.navigated(loader="L1", kind="BackForwardCacheRestore")
    else:
        assert one_tab.lifecycle("init", "L0").commands == ()
        assert one_tab.lifecycle("init", "L1").commands == ()
        assert asked_for_tree(one_tab.lifecycle("load", "L1")) == []
    done = one_tab.lifecycle("init", "L1")  # document.open()
    assert asked_for_tree(done) == ["S1"]
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1", url="https://a.test/opener")))
    assert one_tab.frame().url == "https://a.test/opener"
    assert one_tab.frame().lifecycle == {"init"}


@pytest.mark.parametrize("how", ["load", "stopped"])
def test_state_machine_requests_the_name_of_a_frame_that_never_navigated(
    one_tab: Play, how: str
) -> None:
    one_tab.frame_attached("F")
    one_tab.lifecycle("init", "L2", "F")
    is_stopped = how == "stopped"  # a 204
    done = stopped(one_tab, "F") if is_stopped else one_tab.lifecycle("load", "L2", "F")
    assert asked_for_tree(done) == ["S1"]
    told = frame("F", url="", parent="T1", name="ad", loader="L2")
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1"), told))
    assert one_tab.frame("F").name == "ad"


def test_state_machine_does_not_request_a_frame_of_another_session(
    one_tab: Play,
) -> None:
    one_tab.frame_attached("F")
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="", parent_frame="T1")
    assert stopped(one_tab, "F").commands == ()


# -- documents without a start event -----------------------------------------------------------


def test_frame_tree_adds_a_document_that_was_not_announced_by_an_event(one_tab: Play) -> None:
    """A fresh target that changes its renderer: a call waited forever for its document."""
    one_tab.lifecycle("init", "L1")
    documents = one_tab.state.tabs["t1"].documents
    assert asked_for_tree(one_tab.lifecycle("DOMContentLoaded", "L2")) == ["S1"]
    one_tab.lifecycle("load", "L2")
    assert (one_tab.frame().loader_id, one_tab.frame().is_parsed) == ("L1", False)
    other = tree(frame("T1", loader="L2", url="https://a.test/other"))
    one_tab.reply(FrameTreeAsked("S1"), other)
    now = one_tab.frame()
    assert (now.loader_id, now.url) == ("L2", "https://a.test/other")
    assert now.lifecycle == {"DOMContentLoaded", "load"}
    assert one_tab.state.tabs["t1"].documents == documents + 1
    assert one_tab.told(FrameNavigated)[-1].url == "https://a.test/other"


def test_state_machine_requests_an_unannounced_document_once(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L1")
    assert asked_for_tree(one_tab.lifecycle("DOMContentLoaded", "L2")) == ["S1"]
    assert one_tab.lifecycle("load", "L2").commands == ()


def test_lifecycle_event_from_a_frames_old_process_sends_no_command(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    done = one_tab.lifecycle("DOMContentLoaded", "L0", "F", "S1")
    assert done.commands == ()


def test_state_machine_uses_the_last_of_several_unannounced_documents(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L1")
    one_tab.lifecycle("DOMContentLoaded", "L2")
    one_tab.lifecycle("networkIdle", "L3")
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1", loader="L3")))
    assert one_tab.frame().lifecycle == {"networkIdle"}


def test_late_event_of_the_previous_document_does_not_replace_the_current_document(
    one_tab: Play,
) -> None:
    one_tab.lifecycle("init", "L1")
    one_tab.lifecycle("init", "L2")
    documents = one_tab.state.tabs["t1"].documents
    asked = one_tab.lifecycle("DOMContentLoaded", "L1")
    one_tab.reply(asked.commands[0].ask, tree(frame("T1", loader="L2")))
    assert (one_tab.frame().loader_id, one_tab.frame().is_parsed) == ("L2", False)
    assert one_tab.state.tabs["t1"].documents == documents


def test_document_known_from_the_frame_tree_enables_the_debugger() -> None:
    play = Requested.open()
    play.lifecycle("init")
    play.lifecycle("DOMContentLoaded", "L2")
    assert play.debugger() == []
    play.reply(FrameTreeAsked("S1"), tree(frame("T1", loader="L2")))
    assert play.debugger() == ["enable"]


# -- navigating --------------------------------------------------------------------------------


def test_frame_is_navigating_until_it_commits(one_tab: Play) -> None:
    requested(one_tab)
    assert one_tab.frame().navigating
    started(one_tab)
    assert one_tab.frame().navigating
    one_tab.navigated(loader="L2")
    assert not one_tab.frame().navigating


def test_frame_is_navigating_until_loading_stops(one_tab: Play) -> None:
    started(one_tab)
    stopped(one_tab)
    assert one_tab.frame().navigating is False


def test_frame_is_navigating_until_its_document_url_changes(one_tab: Play) -> None:
    started(one_tab)
    params = {"frameId": "T1", "url": f"{HOME}#b", "navigationType": "fragment"}
    one_tab.event("Page.navigatedWithinDocument", params, "S1")
    assert (one_tab.frame().navigating, one_tab.frame().bound_for) == (False, "")


def test_frame_stores_its_destination_url_from_navigation_start_to_end(one_tab: Play) -> None:
    requested(one_tab)
    assert one_tab.frame().bound_for == ""
    started(one_tab)
    assert one_tab.frame().bound_for == NEXT
    requested(one_tab, url="https://b.test/meanwhile")
    assert one_tab.frame().bound_for == NEXT
    stopped(one_tab)
    assert one_tab.frame().bound_for == ""


def test_navigation_started_carries_tab_frame_and_url(one_tab: Play) -> None:
    done = started(one_tab)
    assert done.notices == (NavigationStarted(tab_id="t1", frame_id="T1", url=NEXT),)


def test_machines_own_void_navigation_emits_no_notice(one_tab: Play) -> None:
    assert started(one_tab, url=NOWHERE).notices == ()
    assert not one_tab.frame().navigating


def test_navigation_to_an_origin_with_dialogs_keeps_the_debugger_on() -> None:
    play = Requested.open()
    play.asks(url=f"{HOME}loading")
    play.armed()
    play.answer("d-1")
    play.reply(play.dialog_ask())
    requested(play, url=f"{HOME}other")
    assert play.debugger() == ["enable"]


@pytest.mark.parametrize("kind", ["sameDocument", "historySameDocument"])
def test_fragment_navigation_does_not_mark_the_frame_navigating(one_tab: Play, kind: str) -> None:
    started(one_tab, kind)
    assert not one_tab.frame().navigating


@pytest.mark.parametrize("disposition", ["newTab", "newWindow", "download"])
def test_navigation_to_a_new_tab_or_download_does_not_mark_the_frame_navigating(
    one_tab: Play, disposition: str
) -> None:
    requested(one_tab, disposition)
    assert not one_tab.frame().navigating


# -- the end of a navigation -------------------------------------------------------------------


def test_navigation_settled_carries_tab_frame_and_url(one_tab: Play) -> None:
    one_tab.navigated(url="https://b.test/", loader="L2")
    one_tab.lifecycle("load", "L2")
    assert one_tab.told(NavigationSettled)[-1] == NavigationSettled(
        tab_id="t1", frame_id="T1", url="https://b.test/"
    )


def test_navigation_that_stops_settles_once_with_the_url_it_left(
    one_tab: Play,
) -> None:
    started(one_tab)
    assert stopped(one_tab).notices == (NavigationSettled(tab_id="t1", frame_id="T1", url=HOME),)
    assert stopped(one_tab).notices == (), "once is enough"


def test_document_that_stopped_before_load_counts_as_loaded(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L2")
    stopped(one_tab)
    assert one_tab.frame().lifecycle == {"init", "stopped"}
    assert (one_tab.frame().is_parsed, one_tab.frame().is_loaded) == (True, True)


def test_stopping_after_load_does_not_mark_the_document_as_stopped(one_tab: Play) -> None:
    one_tab.lifecycle("load")
    stopped(one_tab)
    assert one_tab.frame().lifecycle == {"load"}


def test_refresh_requests_frames_only_from_a_tab_with_a_session(one_tab: Play) -> None:
    one_tab.commands.clear()
    one_tab.give(inputs.LookAgain("t1"))
    (tree, events) = one_tab.commands
    assert (tree.command, tree.session_id) == (page.GetFrameTree(), "S1")
    assert tree.ask == FrameTreeAsked("S1")
    assert events.command == page.SetLifecycleEventsEnabled(enabled=True)
    assert events.session_id == "S1"
    one_tab.give(inputs.LookAgain("t9"))
    one_tab.give(inputs.Disconnected("cut", reconnecting=True, guarded=frozenset()))
    one_tab.give(inputs.LookAgain("t1"))
    assert len(one_tab.commands) == 2


def test_refresh_keeps_a_frame_navigating_until_its_new_document_begins(
    one_tab: Play,
) -> None:
    there = {"frameTree": {"frame": frame("T1")}}
    asked = {
        "frameId": "T1", "url": "https://b.test/", "loaderId": "L2",
        "navigationType": "differentDocument",
    }  # fmt: skip
    one_tab.event("Page.frameStartedNavigating", asked, "S1")
    one_tab.reply(FrameTreeAsked("S1"), there)
    top = one_tab.state.frames["T1"]
    assert (top.navigating, top.bound_for) == (True, "https://b.test/")
    about = {"frameId": "T1", "loaderId": "L2", "name": "init", "timestamp": 1}
    one_tab.event("Page.lifecycleEvent", about, "S1")
    assert one_tab.state.frames["T1"].bound_for == ""
    arrived = frame("T1", url="https://b.test/", loader="L2")
    one_tab.reply(FrameTreeAsked("S1"), {"frameTree": {"frame": arrived}})
    top = one_tab.state.frames["T1"]
    assert (top.navigating, top.bound_for, top.url) == (False, "", "https://b.test/")

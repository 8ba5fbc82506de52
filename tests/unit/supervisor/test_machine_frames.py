"""Frames and worlds: one entry a frame, wherever it goes and whichever process serves it."""

from __future__ import annotations

import pytest
from machine_kit import HOME, Play, frame, tree

from tabwarden.supervisor import WORLD_NAME, descendants
from tabwarden.supervisor.frames import FrameTreeAsked
from tabwarden.supervisor.notices import FrameNavigated, LifecycleReached, NavigationSettled


def test_frame_is_known_from_its_attachment_on(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    assert (one_tab.frame("F").parent_frame_id, one_tab.frame("F").session_id) == ("T1", "S1")
    assert one_tab.frame("F").loader_id == ""


def test_nested_frames_name_their_parents(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.frame_attached("G", "F")
    one_tab.frame_attached("H", "G")
    assert sorted(descendants(one_tab.state, ["T1"])) == ["F", "G", "H"]
    assert descendants(one_tab.state, ["G"]) == ["H"]
    assert descendants(one_tab.state, ["nothing"]) == []


def test_events_of_unknown_sessions_add_no_frame(one_tab: Play) -> None:
    before = one_tab.state
    one_tab.frame_attached("F", on="S9")
    one_tab.navigated("F", "S9")
    one_tab.context(1, "F", "S9")
    assert one_tab.state is before


def test_navigation_tells_what_stands_in_the_frame_now(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated(
        "F", parent="T1", url="https://a.test/in", name="inner", loader="L7", fragment="#x"
    )
    known = one_tab.frame("F")
    assert (known.url, known.name, known.loader_id) == ("https://a.test/in#x", "inner", "L7")
    assert (known.origin, known.parent_frame_id) == ("https://a.test", "T1")
    assert one_tab.told(FrameNavigated)[-1] == FrameNavigated(
        tab_id="t1", frame_id="F", url="https://a.test/in#x", same_document=False
    )


def test_error_page_keeps_the_url_that_was_asked_for(one_tab: Play) -> None:
    one_tab.navigated(url="chrome-error://chromewebdata/", unreachable="https://down.test/")
    assert one_tab.frame().url == "https://down.test/"


def test_navigation_drops_all_that_stood_below_and_their_worlds(one_tab: Play) -> None:
    for name, parent in (("F", "T1"), ("G", "F"), ("H", "G"), ("X", "T1")):
        one_tab.frame_attached(name, parent)
    one_tab.context(5, "G")
    one_tab.context(6, "H", world=WORLD_NAME)
    one_tab.navigated("F", parent="T1", loader="L2")
    assert set(one_tab.state.frames) == {"T1", "F", "X"}
    assert "G" not in one_tab.state.contexts
    assert "H" not in one_tab.state.worlds


def test_frame_that_is_removed_takes_its_children_along(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.frame_attached("G", "F")
    one_tab.frame_detached("F", reason="remove")
    assert set(one_tab.state.frames) == {"T1"}


def test_frame_that_swaps_process_keeps_its_entry(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", name="ad")
    one_tab.frame_detached("F", reason="swap")
    assert one_tab.frame("F").name == "ad"


def test_frame_that_swaps_process_has_no_document_until_one_is_told(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", loader="L3")
    one_tab.lifecycle("load", "L3", frame_id="F")
    assert one_tab.frame("F").is_loaded
    one_tab.frame_detached("F", reason="swap")
    assert (one_tab.frame("F").loader_id, one_tab.frame("F").lifecycle) == ("", frozenset())


def test_frame_below_itself_stands_nowhere(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.frame_attached("G", "F")
    one_tab.frame_attached("F", "G")
    assert one_tab.frame("F").parent_frame_id is None
    assert one_tab.frame("G").parent_frame_id == "F"


def test_removal_told_by_another_session_than_the_frames_own_is_ignored(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.frame_detached("F", "S1", reason="remove")
    assert one_tab.frame("F").session_id == "SF"


# -- out of process ----------------------------------------------------------------------------


@pytest.mark.parametrize("swap_first", [True, False])
def test_frame_that_leaves_the_process_has_one_entry_in_either_order(
    one_tab: Play, *, swap_first: bool
) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", name="ad")
    url = "https://f.other.test/"
    if swap_first:
        one_tab.frame_detached("F", "S1", reason="swap")
        one_tab.oopif("F", "SF")
        one_tab.navigated("F", "SF", parent="T1", name="ad", url=url)
    else:
        one_tab.oopif("F", "SF")
        one_tab.navigated("F", "SF", parent="T1", name="ad", url=url)
        one_tab.frame_detached("F", "S1", reason="swap")
    assert list(one_tab.state.frames) == ["T1", "F"]
    known = one_tab.frame("F")
    assert (known.session_id, known.parent_frame_id, known.name) == ("SF", "T1", "ad")
    assert known.url == "https://f.other.test/"


def test_document_stays_while_the_target_it_goes_to_has_none(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.frame_attached("G", "F")
    one_tab.navigated("F", parent="T1", url="https://a.test/in", name="ad")
    one_tab.frame_attached("G", "F")
    before = one_tab.frame("F")
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="", parent_frame="T1")
    assert one_tab.frame("F") == before
    one_tab.detach("SF", on="S1")  # a download, a 204, or it went elsewhere meanwhile
    assert one_tab.frame("F") == before
    assert "G" in one_tab.state.frames


def test_frame_whose_swap_comes_before_the_news_of_its_document_is_asked_for(
    one_tab: Play,
) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", url="https://a.test/in")
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="", parent_frame="T1")
    done = one_tab.frame_detached("F", "S1", reason="swap")
    assert [(s.command.METHOD, s.session_id, s.ask) for s in done.commands] == [
        ("Page.getFrameTree", "SF", FrameTreeAsked("SF"))
    ]
    one_tab.reply(FrameTreeAsked("SF"), tree(frame("F", url="https://b.test/", loader="L5")))
    known = one_tab.frame("F")
    assert (known.session_id, known.url, known.parent_frame_id) == ("SF", "https://b.test/", "T1")


@pytest.mark.parametrize("attached_first", [True, False])
def test_frame_that_comes_back_has_one_entry_in_either_order(
    one_tab: Play, *, attached_first: bool
) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    if attached_first:
        one_tab.frame_attached("F")
        known = one_tab.frame("F")
        assert (known.session_id, known.url) == ("S1", "https://f.other.test/")
        one_tab.detach("SF", on="S1")
    else:
        one_tab.detach("SF", on="S1")
        one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", url="https://a.test/back", loader="L9")
    assert list(one_tab.state.frames) == ["T1", "F"]
    known = one_tab.frame("F")
    assert (known.session_id, known.parent_frame_id, known.url) == (
        "S1",
        "T1",
        "https://a.test/back",
    )


def test_oopif_whose_parent_said_nothing_is_known_from_its_target(one_tab: Play) -> None:
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="https://b.test/", parent_frame="T1")
    known = one_tab.frame("F")
    assert (known.parent_frame_id, known.session_id, known.url) == ("T1", "SF", "https://b.test/")


def test_oopif_goes_with_its_session_and_so_does_what_is_below(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.frame_attached("G", "F", "SF")
    one_tab.oopif("G", "SG", on="SF", parent="F")
    one_tab.context(3, "G", "SG")
    assert one_tab.state.sessions["SG"].parent_session_id == "SF"
    one_tab.detach("SF", on="S1")
    assert set(one_tab.state.frames) == {"T1"}
    assert set(one_tab.state.sessions) == {"S1"}
    assert one_tab.state.contexts == {}


# -- Page.getFrameTree -------------------------------------------------------------------------


def test_frame_tree_fills_in_what_was_there_before_us(play: Play) -> None:
    play.attach()
    ask = FrameTreeAsked("S1")
    play.reply(
        ask, tree(frame("T1", loader="L3"), frame("F", parent="T1", name="menu", loader="L4"))
    )
    assert list(play.state.frames) == ["T1", "F"]
    assert (play.frame("F").name, play.frame("F").parent_frame_id) == ("menu", "T1")


def test_frame_tree_of_a_session_that_is_gone_is_ignored(one_tab: Play) -> None:
    before = one_tab.state
    one_tab.reply(FrameTreeAsked("S9"), tree(frame("X")))
    assert one_tab.state is before


def test_frame_tree_does_not_take_a_frame_from_the_session_that_serves_it(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1"), frame("F", parent="T1", loader="old")))
    assert (one_tab.frame("F").session_id, one_tab.frame("F").loader_id) == ("SF", "L1")


def test_frame_tree_that_cannot_be_read_changes_nothing(one_tab: Play) -> None:
    before = one_tab.state
    one_tab.reply(FrameTreeAsked("S1"), {"frameTree": 7})
    one_tab.reply(FrameTreeAsked("S1"), error="Not attached to an active page")
    assert one_tab.state is before


def test_restored_page_is_asked_for_its_frames_again(one_tab: Play) -> None:
    done = one_tab.navigated(loader="L8", kind="BackForwardCacheRestore")
    assert [(s.command.METHOD, s.session_id, s.ask) for s in done.commands] == [
        ("Page.getFrameTree", "S1", FrameTreeAsked("S1"))
    ]
    assert one_tab.frame().lifecycle == {"DOMContentLoaded", "load"}
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1", loader="L8"), frame("F", parent="T1")))
    assert "F" in one_tab.state.frames


def test_restored_page_keeps_the_frames_that_other_processes_brought_back(one_tab: Play) -> None:
    one_tab.frame_attached("OLD")
    one_tab.navigated("OLD", parent="T1")
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="https://b.test/", parent_frame="T1")
    one_tab.reply(FrameTreeAsked("SF"), tree(frame("F", loader="L6"), frame("G", parent="F")))
    one_tab.context(7, "G", "SF")
    one_tab.navigated(loader="L8", kind="BackForwardCacheRestore")
    assert set(one_tab.state.frames) == {"T1", "F", "G"}
    assert one_tab.state.contexts["G"].context_id == 7


@pytest.mark.parametrize("restored", [True, False])
def test_document_that_begins_again_is_asked_for_its_url(one_tab: Play, *, restored: bool) -> None:
    if restored:
        one_tab.navigated(loader="L1", kind="BackForwardCacheRestore")
    else:
        assert one_tab.lifecycle("init", "L0").commands == ()
        assert one_tab.lifecycle("init", "L1").commands == ()
        assert one_tab.lifecycle("load", "L1").commands == ()
    done = one_tab.lifecycle("init", "L1")  # document.open()
    assert [s.ask for s in done.commands] == [FrameTreeAsked("S1")]
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1", url="https://a.test/opener")))
    assert one_tab.frame().url == "https://a.test/opener"
    assert one_tab.frame().lifecycle == {"init"}


@pytest.mark.parametrize("how", ["load", "stopped"])
def test_frame_that_never_navigates_is_asked_for_its_name(one_tab: Play, how: str) -> None:
    one_tab.frame_attached("F")
    one_tab.lifecycle("init", "L2", "F")
    if how == "load":
        done = one_tab.lifecycle("load", "L2", "F")
    else:  # a 204
        done = one_tab.event("Page.frameStoppedLoading", {"frameId": "F"}, "S1")
    assert [s.ask for s in done.commands] == [FrameTreeAsked("S1")]
    told = frame("F", url="", parent="T1", name="ad", loader="L2")
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1"), told))
    assert one_tab.frame("F").name == "ad"


def test_ordinary_navigation_asks_for_nothing(one_tab: Play) -> None:
    assert one_tab.navigated(loader="L2").commands == ()


def test_activated_prerendered_page_brings_another_top_frame(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.context(1)
    one_tab.event("Runtime.executionContextsCleared", {}, "S1")
    done = one_tab.context(3, "P")
    assert [s.ask for s in done.commands] == [FrameTreeAsked("S1")]
    one_tab.context(4, "Q")
    one_tab.attach("O", "SO", kind="iframe", on="S1", url="https://b.test/", parent_frame="P")
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("P"), frame("Q", parent="P")))
    assert set(one_tab.state.frames) == {"P", "Q", "O"}
    assert set(one_tab.state.contexts) == {"P", "Q"}


def test_first_world_of_a_known_frame_asks_for_nothing(one_tab: Play) -> None:
    assert one_tab.context(1).commands == ()


# -- worlds ------------------------------------------------------------------------------------


def test_main_world_and_ours_are_kept_apart_and_others_left_out(one_tab: Play) -> None:
    one_tab.context(1)
    one_tab.context(2, world=WORLD_NAME)
    one_tab.context(3, world="somebody else's")
    assert one_tab.state.contexts["T1"].unique_id == "S1.1"
    assert one_tab.state.worlds["T1"].context_id == 2


def test_later_world_takes_the_place_of_the_earlier(one_tab: Play) -> None:
    one_tab.context(1)
    one_tab.context(9)
    one_tab.event("Runtime.executionContextDestroyed", {"executionContextId": 1}, "S1")
    assert one_tab.state.contexts["T1"].context_id == 9


def test_destroyed_world_is_forgotten_on_its_own_session_only(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.context(1)
    one_tab.context(1, "F", "SF")
    one_tab.event("Runtime.executionContextDestroyed", {"executionContextId": 1}, "SF")
    assert set(one_tab.state.contexts) == {"T1"}


def test_cleared_worlds_are_the_sessions_own(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.context(1)
    one_tab.context(2, world=WORLD_NAME)
    one_tab.context(1, "F", "SF")
    one_tab.event("Runtime.executionContextsCleared", {}, "S1")
    assert set(one_tab.state.contexts) == {"F"}
    assert one_tab.state.worlds == {}


def test_world_of_a_service_worker_or_of_no_frame_is_left_out(one_tab: Play) -> None:
    about = {"id": 1, "origin": HOME, "name": "", "uniqueId": "u"}
    one_tab.event("Runtime.executionContextCreated", {"context": about}, "S1")
    assert one_tab.state.contexts == {}


# -- progress ----------------------------------------------------------------------------------


def test_lifecycle_gathers_what_the_document_reached(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L2")
    one_tab.lifecycle("DOMContentLoaded", "L2")
    one_tab.lifecycle("load", "L2")
    assert one_tab.frame().lifecycle == {"init", "DOMContentLoaded", "load"}
    assert [n.name for n in one_tab.told(LifecycleReached)] == ["DOMContentLoaded", "load"]
    assert one_tab.told(LifecycleReached)[0].tab_id == "t1"


def test_init_begins_a_new_document(one_tab: Play) -> None:
    one_tab.lifecycle("load", "L1")
    one_tab.lifecycle("init", "L2")
    assert (one_tab.frame().lifecycle, one_tab.frame().loader_id) == ({"init"}, "L2")


def test_stale_documents_progress_is_ignored(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L2")
    done = one_tab.lifecycle("load", "L1")
    assert one_tab.frame().lifecycle == {"init"}
    assert done.notices == ()


def test_commit_keeps_the_progress_of_the_same_document_only(one_tab: Play) -> None:
    one_tab.lifecycle("init", "L2")
    one_tab.lifecycle("DOMContentLoaded", "L2")
    one_tab.navigated(loader="L2")
    assert one_tab.frame().lifecycle == {"init", "DOMContentLoaded"}
    one_tab.navigated(loader="L3")
    assert one_tab.frame().lifecycle == frozenset()


def test_lifecycle_of_an_unknown_frame_is_ignored(one_tab: Play) -> None:
    before = one_tab.state
    one_tab.lifecycle("load", frame_id="nobody")
    assert one_tab.state is before


def started(play: Play, kind: str = "differentDocument") -> None:
    """``Page.frameStartedNavigating``."""
    play.event(
        "Page.frameStartedNavigating",
        {"frameId": "T1", "url": HOME, "loaderId": "L2", "navigationType": kind},
        "S1",
    )


def requested(play: Play, disposition: str = "currentTab") -> None:
    """``Page.frameRequestedNavigation``."""
    play.event(
        "Page.frameRequestedNavigation",
        {"frameId": "T1", "reason": "anchorClick", "url": HOME, "disposition": disposition},
        "S1",
    )


def test_frame_is_navigating_until_it_commits(one_tab: Play) -> None:
    requested(one_tab)
    assert one_tab.frame().navigating
    started(one_tab)
    assert one_tab.frame().navigating
    one_tab.navigated(loader="L2")
    assert not one_tab.frame().navigating


def test_frame_is_navigating_until_loading_stops(one_tab: Play) -> None:
    started(one_tab)
    one_tab.event("Page.frameStoppedLoading", {"frameId": "T1"}, "S1")
    assert not one_tab.frame().navigating


@pytest.mark.parametrize("kind", ["sameDocument", "historySameDocument"])
def test_fragment_is_no_navigation_to_wait_for(one_tab: Play, kind: str) -> None:
    started(one_tab, kind)
    assert not one_tab.frame().navigating


@pytest.mark.parametrize("disposition", ["newTab", "newWindow", "download"])
def test_request_that_goes_elsewhere_does_not_move_this_frame(
    one_tab: Play, disposition: str
) -> None:
    requested(one_tab, disposition)
    assert not one_tab.frame().navigating


def test_push_state_changes_the_url_and_keeps_document_and_children(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    started(one_tab)
    one_tab.event(
        "Page.navigatedWithinDocument",
        {"frameId": "T1", "url": "https://a.test/#b", "navigationType": "fragment"},
        "S1",
    )
    assert (one_tab.frame().url, one_tab.frame().loader_id) == ("https://a.test/#b", "L1")
    assert not one_tab.frame().navigating
    assert "F" in one_tab.state.frames
    assert one_tab.told(FrameNavigated)[-1].same_document


def test_a_navigation_that_settled_is_told_with_its_tab_and_place(one_tab: Play) -> None:
    one_tab.navigated(url="https://b.test/", loader="L2")
    one_tab.lifecycle("load", "L2")
    assert one_tab.told(NavigationSettled)[-1] == NavigationSettled(
        tab_id="t1", frame_id="T1", url="https://b.test/"
    )


def test_a_document_that_began_without_a_word_is_known_by_the_tree(one_tab: Play) -> None:
    """A fresh target's, as it changes its renderer: a call waited for it to begin for ever."""
    one_tab.lifecycle("init", "L1")
    documents = one_tab.state.tabs["t1"].documents
    asked = one_tab.lifecycle("DOMContentLoaded", "L2")
    assert [type(c.ask) for c in asked.commands] == [FrameTreeAsked]
    one_tab.lifecycle("load", "L2")
    assert (one_tab.frame().loader_id, one_tab.frame().is_parsed) == ("L1", False)
    other = tree(frame("T1", loader="L2", url="https://a.test/other"))
    one_tab.reply(asked.commands[0].ask, other)
    now = one_tab.frame()
    assert (now.loader_id, now.url, now.is_loaded) == ("L2", "https://a.test/other", True)
    assert one_tab.state.tabs["t1"].documents == documents + 1
    assert one_tab.told(FrameNavigated)[-1].url == "https://a.test/other"


def test_the_document_before_that_gets_further_late_is_not_taken_for_the_next(
    one_tab: Play,
) -> None:
    one_tab.lifecycle("init", "L1")
    one_tab.lifecycle("init", "L2")
    documents = one_tab.state.tabs["t1"].documents
    asked = one_tab.lifecycle("DOMContentLoaded", "L1")
    one_tab.reply(asked.commands[0].ask, tree(frame("T1", loader="L2")))
    assert (one_tab.frame().loader_id, one_tab.frame().is_parsed) == ("L2", False)
    assert one_tab.state.tabs["t1"].documents == documents

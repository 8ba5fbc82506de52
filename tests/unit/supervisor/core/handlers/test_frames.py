"""Frames and worlds: one entry per frame, in whichever process it is."""

from __future__ import annotations

import pytest
from support.machine_kit import HOME, Play, frame, tree

from tabwarden.protocol import emulation
from tabwarden.supervisor.core.handlers import descendants
from tabwarden.supervisor.core.handlers.frames import AGENT_WORLD_NAME, FrameTreeAsked
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.emulation import Emulation
from tabwarden.supervisor.core.state.notices import FrameNavigated
from tabwarden.supervisor.core.state.tabs import WORLD_NAME


def test_state_machine_adds_a_frame_when_it_is_attached(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    assert (one_tab.frame("F").parent_frame_id, one_tab.frame("F").session_id) == ("T1", "S1")
    assert one_tab.frame("F").loader_id == ""


def test_descendants_returns_all_frames_below_the_given_frames(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.frame_attached("G", "F")
    one_tab.frame_attached("H", "G")
    one_tab.frame_attached("X")
    one_tab.frame_attached("Y", "X")
    assert sorted(descendants(one_tab.state, ["T1"])) == ["F", "G", "H", "X", "Y"]
    assert descendants(one_tab.state, ["G"]) == ["H"]
    assert sorted(descendants(one_tab.state, ["F", "G", "X"])) == ["H", "Y"]
    assert descendants(one_tab.state, ["nothing"]) == []


def test_events_of_unknown_sessions_add_no_frame(one_tab: Play) -> None:
    before = one_tab.state
    one_tab.frame_attached("F", on="S9")
    one_tab.navigated("F", "S9")
    one_tab.context(1, "F", "S9")
    assert one_tab.state is before


def test_navigation_updates_url_name_loader_and_origin_of_the_frame(one_tab: Play) -> None:
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


def test_frame_without_reported_name_and_origin_has_empty_strings(one_tab: Play) -> None:
    one_tab.event(
        "Page.frameNavigated",
        {"frame": frame("T1") | {"securityOrigin": ""}, "type": "Navigation"},
        "S1",
    )
    assert (one_tab.frame().name, one_tab.frame().origin) == ("", "")


def test_push_state_changes_the_url_and_keeps_document_and_children(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    params = {"frameId": "T1", "url": f"{HOME}#b", "navigationType": "fragment"}
    done = one_tab.event("Page.navigatedWithinDocument", params, "S1")
    assert (one_tab.frame().url, one_tab.frame().loader_id) == (f"{HOME}#b", "L1")
    assert "F" in one_tab.state.frames
    assert done.notices == (
        FrameNavigated(tab_id="t1", frame_id="T1", url=f"{HOME}#b", same_document=True),
    )


def test_tab_document_count_includes_only_its_top_frame(one_tab: Play) -> None:
    before = one_tab.tab.documents
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", loader="L2")
    assert one_tab.tab.documents == before
    one_tab.navigated(loader="L3")
    assert one_tab.tab.documents == before + 1


def test_tab_whose_scripts_were_off_reenables_them_in_every_new_document(one_tab: Play) -> None:
    one_tab.give(inputs.SetScripts("t1", on=False))
    one_tab.give(inputs.SetScripts("t1", on=True))
    done = one_tab.navigated(loader="L2")
    assert [(s.command, s.session_id) for s in done.commands] == [
        (emulation.SetScriptExecutionDisabled(value=False), "S1")
    ]


def test_every_new_document_gets_the_emulated_media_type(one_tab: Play) -> None:
    one_tab.give(inputs.Emulate(Emulation(media="print")))
    done = one_tab.navigated(loader="L2")
    assert [(s.command.METHOD, s.session_id) for s in done.commands] == [
        ("Emulation.setEmulatedMedia", "S1")
    ]


def test_page_navigation_closes_the_dialogs_of_its_frames(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.dialog(frame_id="F")
    one_tab.navigated(url="https://b.test/", loader="L2")
    assert one_tab.state.pending_dialogs == ()


def test_error_page_keeps_the_requested_url(one_tab: Play) -> None:
    one_tab.navigated(url="chrome-error://chromewebdata/", unreachable="https://down.test/")
    assert one_tab.frame().url == "https://down.test/"


def test_navigation_removes_all_child_frames_and_their_execution_contexts(one_tab: Play) -> None:
    for name, parent in (("F", "T1"), ("G", "F"), ("H", "G"), ("X", "T1")):
        one_tab.frame_attached(name, parent)
    one_tab.context(5, "G")
    one_tab.context(6, "H", world=WORLD_NAME)
    one_tab.navigated("F", parent="T1", loader="L2")
    assert set(one_tab.state.frames) == {"T1", "F", "X"}
    assert "G" not in one_tab.state.contexts
    assert "H" not in one_tab.state.worlds


def test_removing_a_frame_removes_its_child_frames(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.frame_attached("G", "F")
    one_tab.frame_detached("F", reason="remove")
    assert set(one_tab.state.frames) == {"T1"}


def test_frame_that_changes_processes_keeps_its_entry(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", name="ad")
    one_tab.frame_detached("F", reason="swap")
    assert one_tab.frame("F").name == "ad"


def test_frame_that_changes_processes_has_no_document_until_one_is_reported(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", loader="L3")
    one_tab.lifecycle("load", "L3", frame_id="F")
    assert one_tab.frame("F").is_loaded
    one_tab.frame_detached("F", reason="swap")
    assert (one_tab.frame("F").loader_id, one_tab.frame("F").lifecycle) == ("", frozenset())


def test_frame_attached_below_itself_loses_its_parent(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.frame_attached("G", "F")
    one_tab.frame_attached("F", "G")
    assert one_tab.frame("F").parent_frame_id is None
    assert one_tab.frame("G").parent_frame_id == "F"


def test_removal_reported_by_a_foreign_session_is_ignored(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.frame_detached("F", "S1", reason="remove")
    assert one_tab.frame("F").session_id == "SF"


# -- out of process ----------------------------------------------------------------------------


@pytest.mark.parametrize("swap_first", [True, False])
def test_frame_that_leaves_its_process_has_one_entry_in_either_event_order(
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


def test_frame_keeps_its_document_while_the_new_target_has_none(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.frame_attached("G", "F")
    one_tab.navigated("F", parent="T1", url="https://a.test/in", name="ad")
    one_tab.frame_attached("G", "F")
    before = one_tab.frame("F")
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="", parent_frame="T1")
    assert one_tab.frame("F") == before
    one_tab.detach("SF", on="S1")  # a download, a 204, or another navigation meanwhile
    assert one_tab.frame("F") == before
    assert "G" in one_tab.state.frames


def test_process_swap_without_a_document_makes_the_state_machine_request_the_frame_tree(
    one_tab: Play,
) -> None:
    one_tab.frame_attached("F")
    one_tab.navigated("F", parent="T1", url="https://a.test/in")
    one_tab.oopif("O", "SO")
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="", parent_frame="T1")
    done = one_tab.frame_detached("F", "S1", reason="swap")
    assert one_tab.frame("F").session_id == "SF"
    assert [(s.command.METHOD, s.session_id, s.ask) for s in done.commands] == [
        ("Page.getFrameTree", "SF", FrameTreeAsked("SF"))
    ]
    one_tab.reply(FrameTreeAsked("SF"), tree(frame("F", url="https://b.test/", loader="L5")))
    known = one_tab.frame("F")
    assert (known.session_id, known.url, known.parent_frame_id) == ("SF", "https://b.test/", "T1")


@pytest.mark.parametrize("attached_first", [True, False])
def test_frame_that_returns_to_its_process_has_one_entry_in_either_event_order(
    one_tab: Play, *, attached_first: bool
) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    if attached_first:
        one_tab.frame_attached("F")
        known = one_tab.frame("F")
        assert (known.session_id, known.parent_frame_id) == ("S1", "T1")
        assert known.url == "https://f.other.test/"
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


def test_oopif_that_its_parent_did_not_report_is_known_from_its_target(one_tab: Play) -> None:
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="https://b.test/", parent_frame="T1")
    known = one_tab.frame("F")
    assert (known.parent_frame_id, known.session_id, known.url) == ("T1", "SF", "https://b.test/")


def test_end_of_an_oopif_session_removes_the_frame_and_its_child_frames(one_tab: Play) -> None:
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


def test_end_of_a_session_removes_its_contexts_even_if_the_frame_moved_back(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.context(3, "F", "SF")
    one_tab.frame_attached("F")
    one_tab.detach("SF", on="S1")
    assert "F" in one_tab.state.frames
    assert one_tab.state.contexts == {}


# -- Page.getFrameTree -------------------------------------------------------------------------


def test_frame_tree_adds_frames_that_existed_before_we_attached(play: Play) -> None:
    play.attach()
    ask = FrameTreeAsked("S1")
    play.reply(
        ask, tree(frame("T1", loader="L3"), frame("F", parent="T1", name="menu", loader="L4"))
    )
    assert list(play.state.frames) == ["T1", "F"]
    assert (play.frame("F").name, play.frame("F").parent_frame_id) == ("menu", "T1")


def test_frame_tree_of_an_ended_session_is_ignored(one_tab: Play) -> None:
    before = one_tab.state
    one_tab.reply(FrameTreeAsked("S9"), tree(frame("X")))
    assert one_tab.state is before


def test_frame_tree_does_not_move_a_frame_away_from_its_current_session(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1"), frame("F", parent="T1", loader="old")))
    assert (one_tab.frame("F").session_id, one_tab.frame("F").loader_id) == ("SF", "L1")


def test_frame_without_a_document_moves_to_the_session_whose_tree_has_one(
    one_tab: Play,
) -> None:
    one_tab.frame_attached("F")
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="", parent_frame="T1")
    assert one_tab.frame("F").session_id == "SF"
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1"), frame("F", parent="T1", loader="L4")))
    assert (one_tab.frame("F").session_id, one_tab.frame("F").loader_id) == ("S1", "L4")


def test_frame_tree_reports_no_navigation_for_a_frames_first_document(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    done = one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1"), frame("F", parent="T1")))
    assert done.notices == ()


def test_frame_tree_that_cannot_be_read_changes_nothing(one_tab: Play) -> None:
    before = one_tab.state
    one_tab.reply(FrameTreeAsked("S1"), {"frameTree": 7})
    one_tab.reply(FrameTreeAsked("S1"), error="Not attached to an active page")
    assert one_tab.state is before


def test_state_machine_requests_a_restored_pages_frame_tree_again(one_tab: Play) -> None:
    done = one_tab.navigated(loader="L8", kind="BackForwardCacheRestore")
    assert [(s.command.METHOD, s.session_id, s.ask) for s in done.commands] == [
        ("Page.getFrameTree", "S1", FrameTreeAsked("S1")),
        ("WebMCP.disable", "S1", None),
        ("WebMCP.enable", "S1", None),
    ]
    assert one_tab.frame().lifecycle == {"DOMContentLoaded", "load"}
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("T1", loader="L8"), frame("F", parent="T1")))
    assert "F" in one_tab.state.frames


def test_restored_page_keeps_its_restored_out_of_process_frames(one_tab: Play) -> None:
    one_tab.frame_attached("OLD")
    one_tab.navigated("OLD", parent="T1")
    one_tab.attach("F", "SF", kind="iframe", on="S1", url="https://b.test/", parent_frame="T1")
    one_tab.reply(FrameTreeAsked("SF"), tree(frame("F", loader="L6"), frame("G", parent="F")))
    one_tab.context(7, "G", "SF")
    one_tab.navigated(loader="L8", kind="BackForwardCacheRestore")
    assert set(one_tab.state.frames) == {"T1", "F", "G"}
    assert one_tab.state.contexts["G"].context_id == 7


def test_ordinary_navigation_sends_no_command(one_tab: Play) -> None:
    assert one_tab.navigated(loader="L2").commands == ()


def test_activating_a_prerendered_page_replaces_the_top_frame(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.context(1)
    one_tab.event("Runtime.executionContextsCleared", {}, "S1")
    done = one_tab.context(3, "P")
    assert [(s.command.METHOD, s.session_id, s.ask) for s in done.commands] == [
        ("Page.getFrameTree", "S1", FrameTreeAsked("S1"))
    ]
    one_tab.context(4, "Q")
    one_tab.attach("O", "SO", kind="iframe", on="S1", url="https://b.test/", parent_frame="P")
    one_tab.reply(FrameTreeAsked("S1"), tree(frame("P"), frame("Q", parent="P")))
    assert set(one_tab.state.frames) == {"P", "Q", "O"}
    assert set(one_tab.state.contexts) == {"P", "Q"}


def test_first_execution_context_of_a_known_frame_sends_no_command(one_tab: Play) -> None:
    assert one_tab.context(1).commands == ()


# -- worlds ------------------------------------------------------------------------------------


def test_state_machine_tracks_main_internal_and_agent_worlds_separately_and_ignores_others(
    one_tab: Play,
) -> None:
    one_tab.context(1)
    one_tab.context(2, world=WORLD_NAME)
    one_tab.context(3, world=AGENT_WORLD_NAME)
    one_tab.context(4, world="somebody else's")
    assert one_tab.state.contexts["T1"].unique_id == "S1.1"
    assert one_tab.state.worlds["T1"].context_id == 2
    assert one_tab.state.agent_worlds["T1"].context_id == 3


def test_execution_context_without_a_unique_id_gets_an_empty_id(one_tab: Play) -> None:
    about = {"id": 1, "origin": HOME, "name": "", "auxData": {"frameId": "T1", "isDefault": True}}
    one_tab.event("Runtime.executionContextCreated", {"context": about}, "S1")
    assert one_tab.state.contexts["T1"].unique_id == ""


def test_state_machine_ignores_an_execution_context_without_a_session(one_tab: Play) -> None:
    about = {"id": 1, "origin": HOME, "name": "", "auxData": {"frameId": "T1", "isDefault": True}}
    before = one_tab.state
    one_tab.event("Runtime.executionContextCreated", {"context": about})
    one_tab.event("Runtime.executionContextsCleared", {})
    assert one_tab.state is before


def test_later_execution_context_replaces_the_earlier_one(one_tab: Play) -> None:
    one_tab.context(1)
    one_tab.context(9)
    one_tab.event("Runtime.executionContextDestroyed", {"executionContextId": 1}, "S1")
    assert one_tab.state.contexts["T1"].context_id == 9


def test_destroyed_execution_context_is_removed_only_on_its_own_session(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.context(1)
    one_tab.context(1, "F", "SF")
    one_tab.event("Runtime.executionContextDestroyed", {"executionContextId": 1}, "SF")
    assert set(one_tab.state.contexts) == {"T1"}


def test_clearing_execution_contexts_removes_only_those_of_its_session(one_tab: Play) -> None:
    one_tab.frame_attached("F")
    one_tab.oopif("F", "SF")
    one_tab.context(1)
    one_tab.context(2, world=WORLD_NAME)
    one_tab.context(1, "F", "SF")
    one_tab.event("Runtime.executionContextsCleared", {}, "S1")
    assert set(one_tab.state.contexts) == {"F"}
    assert one_tab.state.worlds == {}


def test_state_machine_ignores_an_execution_context_without_a_frame(one_tab: Play) -> None:
    about = {"id": 1, "origin": HOME, "name": "", "uniqueId": "u"}
    one_tab.event("Runtime.executionContextCreated", {"context": about}, "S1")
    assert one_tab.state.contexts == {}


def test_unknown_session_belongs_to_no_tab(one_tab: Play) -> None:
    assert one_tab.state.tab_id_of_session("S1") == "t1"
    assert one_tab.state.tab_id_of_session("S9") == ""
    assert one_tab.state.tab_id_of_session(None) == ""


def test_state_machine_tracks_playwrights_execution_contexts_until_they_are_destroyed(
    one_tab: Play,
) -> None:
    def created(number: int, name: str) -> None:
        aux = {"frameId": "T1", "isDefault": False, "type": "isolated"}
        context = {
            "id": number,
            "origin": "",
            "name": name,
            "uniqueId": f"u{number}",
            "auxData": aux,
        }
        one_tab.event(
            "Runtime.executionContextCreated", {"context": {**context, "auxData": aux}}, "S1"
        )

    created(71, "__playwright_utility_world_page@1")
    created(72, "__playwright_utility_world_page@2")
    created(73, "another")
    assert sorted(one_tab.state.guest_worlds) == ["u71", "u72"]
    gone = {"executionContextId": 71, "executionContextUniqueId": "u71"}
    one_tab.event("Runtime.executionContextDestroyed", gone, "S1")
    assert sorted(one_tab.state.guest_worlds) == ["u72"]
    one_tab.event("Runtime.executionContextsCleared", {}, "S1")
    assert not one_tab.state.guest_worlds

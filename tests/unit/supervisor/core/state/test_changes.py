"""The window of state changes: numbered without gaps, bounded, and written in the same step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.machine_kit import HOME, Play

from tabwarden.egress.origins import Place
from tabwarden.files.download_folder import StoredFile
from tabwarden.supervisor.core import snapshot_of
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.changes import CHANGES_KEPT, Change, Changes
from tabwarden.supervisor.core.state.policy import NotesScript

SECRET_URL = "https://ada:pw@a.test/"


def change(number: int) -> Change:
    return Change(sequence=number, kind="navigation", at=float(number))


def kinds(play: Play, since: int = 0) -> list[tuple[str, str | None]]:
    return [(one.kind, one.tab_id) for one in play.state.changes.after(since)]


def last(play: Play) -> Change:
    return play.state.changes.entries[-1]


@given(count=st.integers(0, 3 * CHANGES_KEPT), since=st.integers(0, 4 * CHANGES_KEPT))
def test_window_keeps_the_last_changes_and_numbers_them_without_gaps(
    count: int, since: int
) -> None:
    changes = Changes()
    for number in range(1, count + 1):
        changes = changes.adding(change(number))
    assert changes.sequence == count == changes.dropped + len(changes.entries)
    assert len(changes.entries) == min(count, CHANGES_KEPT)
    numbers = [one.sequence for one in changes.entries]
    assert numbers == [changes.dropped + n + 1 for n in range(len(numbers))]
    assert [one.sequence for one in changes.after(since)] == [n for n in numbers if n > since]


def test_changes_name_tabs_that_open_close_and_become_active(play: Play) -> None:
    play.open_page("T1", "S1")
    play.open_page("T2", "S2", opener="T1")
    play.give(inputs.ActivateTab("t2"))
    play.give(inputs.ActivateTab("t2"))
    play.destroy("T2")
    assert kinds(play) == [
        ("tab_opened", "t1"),
        ("tab_switched", "t1"),
        ("tab_opened", "t2"),
        ("tab_switched", "t2"),
        ("tab_closed", "t2"),
        ("tab_switched", "t1"),
    ]
    assert snapshot_of("task", play.state).changes is play.state.changes


def test_replaced_tab_keeps_its_name_in_the_changes(one_tab: Play) -> None:
    since = one_tab.state.changes.sequence
    one_tab.give(inputs.ReplaceTab("t1"))
    one_tab.attach("T9", "S9", url="about:blank")
    one_tab.reply(one_tab.replacement_ask(), {"targetId": "T9"})
    assert kinds(one_tab, since) == [("tab_opened", "t2"), ("tab_closed", "t2")]


def test_each_committed_top_document_is_one_navigation(one_tab: Play) -> None:
    since = one_tab.state.changes.sequence
    one_tab.navigated(url=SECRET_URL, loader="L2")
    one_tab.frame_attached("F")
    one_tab.navigated("F", url="https://b.test/", parent="T1")
    fragment = {"frameId": "T1", "url": f"{HOME}#x", "navigationType": "fragment"}
    one_tab.event("Page.navigatedWithinDocument", fragment, "S1")
    one_tab.navigated(kind="BackForwardCacheRestore", loader="L1")
    assert kinds(one_tab, since) == [("navigation", "t1")] * 2
    first, second = one_tab.state.changes.after(since)
    assert (first.url, second.url) == (HOME, HOME), "without the login"


def test_long_url_is_shortened_in_the_changes(one_tab: Play) -> None:
    one_tab.navigated(url=f"{HOME}{'x' * 5_000}", loader="L2")
    assert len(last(one_tab).url) == 2_000


def test_document_that_the_network_policy_refuses_is_a_refused_navigation() -> None:
    play = Play.connected()
    play.open_page()
    since = play.state.changes.sequence
    play.give(inputs.ConnectionFailed(Place("b.test", 443), "blocked_origin", ""))
    play.navigated(url="chrome-error://x/", unreachable="https://b.test/p", loader="L2")
    assert kinds(play, since) == [("navigation_refused", "t1"), ("navigation", "t1")]
    refused = play.state.changes.after(since)[0]
    assert (refused.reason, refused.url) == ("policy", "https://b.test/p")
    play.navigated(url="chrome-error://x/", unreachable="https://c.test/", loader="L3")
    assert last(play).kind == "navigation", "another server that is only down"
    assert len(play.state.changes.after(since)) == 3


def test_navigation_to_another_program_is_refused_as_unsupported() -> None:
    play = Play.connected(programs=NotesScript("tell", ""))
    play.open_page()
    report = {"kind": "external", "origin": HOME, "text": "mailto:a@b.test"}
    call = {"name": "tell", "payload": json.dumps(report), "executionContextId": 1}
    since = play.state.changes.sequence
    for _ in range(100):
        play.event("Runtime.bindingCalled", call, "S1")
    (refused,) = play.state.changes.after(since)
    assert (refused.kind, refused.tab_id, refused.reason) == (
        "navigation_refused",
        "t1",
        "unsupported",
    )
    assert refused.url == "mailto:a@b.test"


def test_refusal_of_the_agents_own_navigation_is_recorded_without_the_login(one_tab: Play) -> None:
    one_tab.give(inputs.NavigationRefused("t1", SECRET_URL, "policy"))
    assert (last(one_tab).kind, last(one_tab).url) == ("navigation_refused", HOME)


@pytest.mark.parametrize("accept", [True, False])
def test_answered_dialog_is_a_change_with_its_answer(one_tab: Play, accept: bool) -> None:
    one_tab.dialog("confirm", "Sure?")
    one_tab.answer("d-1", accept=accept)
    since = one_tab.state.changes.sequence
    one_tab.dialog_closed(result=accept)
    ((kind, tab_id),) = kinds(one_tab, since)
    dialog = last(one_tab).dialog
    assert (kind, tab_id) == ("dialog_answered", "t1")
    assert dialog == one_tab.state.recent_dialogs[-1]
    assert dialog is not None
    assert (dialog.message, dialog.accepted, dialog.closed_by) == ("Sure?", accept, "agent")


def test_dialog_that_disappears_with_its_page_is_not_answered(one_tab: Play) -> None:
    one_tab.dialog()
    since = one_tab.state.changes.sequence
    one_tab.navigated(loader="L2")
    assert kinds(one_tab, since) == [("navigation", "t1")]


def download(play: Play, guid: str = "g") -> None:
    begins = {"frameId": "T1", "guid": guid, "url": f"{HOME}f", "suggestedFilename": "f.bin"}
    play.event("Browser.downloadWillBegin", begins)


def progress(play: Play, state: str, **more: Any) -> None:
    told = {"guid": "g", "totalBytes": 9, "receivedBytes": 5, "state": state, **more}
    play.event("Browser.downloadProgress", told)


@pytest.mark.parametrize("end", ["completed", "canceled", "failed"])
def test_download_is_a_change_when_it_starts_and_when_it_ends(end: str, tmp_path: Path) -> None:
    play = Play.connected(download_dir=str(tmp_path))
    play.open_page()
    since = play.state.changes.sequence
    download(play)
    for _ in range(3):
        progress(play, "inProgress")
    if end == "canceled":
        progress(play, "canceled")
    else:
        progress(play, "completed")
        stored = StoredFile(
            filename="f.bin", path=str(tmp_path / "f.bin"), size=9, mime_type="x/y", sha256="0"
        )
        file = stored if end == "completed" else None
        play.give(inputs.DownloadStored("g", file, "the disk is full"))
    first, second = play.state.changes.after(since)
    assert (first.status, second.status) == ("started", end)
    assert first.download is not None
    assert second.download is not None
    assert first.download.id == second.download.id == "dl-1"
    assert (first.url, second.url) == (f"{HOME}f", f"{HOME}f")
    assert (first.download.path is None, second.download) == (True, play.state.downloads[-1])
    assert second.download.reason or end == "completed"


def test_download_that_the_browser_blocks_is_a_change_and_a_note(one_tab: Play) -> None:
    text = "Download is disallowed. The frame is sandboxed."
    entry = {"source": "other", "level": "warning", "text": text, "timestamp": 1.0}
    one_tab.event("Log.entryAdded", {"entry": entry}, "S1")
    assert (last(one_tab).kind, last(one_tab).status) == ("download", "blocked")
    assert last(one_tab).download is None
    assert (one_tab.state.notes[-1].kind, one_tab.state.notes[-1].text) == ("download", text)


def test_window_of_changes_survives_a_lost_connection(one_tab: Play) -> None:
    before = one_tab.state.changes
    one_tab.give(inputs.Disconnected("the socket closed", reconnecting=True))
    one_tab.give(inputs.Connected())
    one_tab.attach("T1", "S9")
    one_tab.give(inputs.Reattached(frozenset({"T1"})))
    assert one_tab.state.changes == before
    one_tab.navigated(on="S9", loader="L2")
    assert last(one_tab).sequence == before.sequence + 1

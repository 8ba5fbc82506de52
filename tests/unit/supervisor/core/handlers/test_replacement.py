"""A new browser replaces a lost one: the old state is removed, and the agent is informed."""

from __future__ import annotations

import msgspec
import pytest
from support.machine_kit import HOME, Play

from tabwarden.files.download_folder import StoredFile
from tabwarden.page.call.conditions import OF_STATE, hold_in
from tabwarden.replacement import Replacement
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import (
    DialogClosed,
    DownloadProgress,
    EndpointRegained,
    TabClosed,
)

NEW = Replacement("the node n1 was lost", "n2", 7, "n1")
KNOWN = OF_STATE["the agent knows the browser"]


@pytest.fixture
def lost(one_tab: Play) -> Play:
    """Two tabs, one with a dialog, when the connection broke."""
    one_tab.open_page("T2", "S2")
    one_tab.dialog("alert", on="S2")
    assert one_tab.state.pending_dialogs
    one_tab.give(inputs.Disconnected("the node n1 was lost", reconnecting=True))
    return one_tab


def replaced(play: Play) -> None:
    play.give(inputs.Connected(owned=True, replacement=NEW))
    play.give(inputs.Reattached(frozenset()))


def test_replacement_drops_tabs_and_dialogs_of_the_old_browser(lost: Play) -> None:
    replaced(lost)
    state = lost.state
    assert (dict(state.tabs), state.pending_dialogs, dict(state.sessions)) == ({}, (), {})
    assert [closed.tab_id for closed in lost.told(TabClosed)] == ["t1", "t2"]
    assert len(lost.told(DialogClosed)) == 1
    assert lost.told(EndpointRegained)


def test_state_reports_the_browser_replacement_until_the_agent_knows_it(lost: Play) -> None:
    replaced(lost)
    assert lost.state.health.status == "live"
    assert lost.state.replacement == NEW
    lost.give(inputs.ReplacementTold())
    assert lost.state.replacement is None


def test_reconnect_to_the_same_browser_keeps_its_tabs(lost: Play) -> None:
    lost.give(inputs.Connected(owned=True))
    lost.give(inputs.Reattached(frozenset({"T1", "T2"})))
    assert list(lost.state.tabs) == ["t1", "t2"]
    assert lost.state.replacement is None


def test_reconnect_keeps_a_replacement_that_the_agent_does_not_know_yet(lost: Play) -> None:
    """The connection to the new browser can break too."""
    replaced(lost)
    lost.give(inputs.Disconnected("cut", reconnecting=True))
    lost.give(inputs.Connected(owned=True))
    assert lost.state.replacement == NEW


def test_second_browser_replacement_overrides_the_first(lost: Play) -> None:
    replaced(lost)
    lost.give(inputs.Disconnected("cut", reconnecting=True))
    second = msgspec.structs.replace(NEW, node="n3", previous_node="n2", generation=8)
    lost.give(inputs.Connected(owned=True, replacement=second))
    assert lost.state.replacement == second


def test_no_action_begins_on_a_browser_that_the_agent_does_not_know(lost: Play) -> None:
    replaced(lost)
    lost.open_page("T3", "S3")
    [tab_id] = lost.state.tabs
    assert not KNOWN(lost.state, tab_id)
    assert not hold_in(lost.state, tab_id)
    lost.give(inputs.ReplacementTold())
    assert KNOWN(lost.state, tab_id)
    assert hold_in(lost.state, tab_id)


def test_tabs_of_the_new_browser_get_new_numbers(lost: Play) -> None:
    """An old tab ID never refers to another page."""
    replaced(lost)
    lost.open_page("T3", "S3")
    assert list(lost.state.tabs) == ["t3"]


def test_replacement_fails_the_downloads_of_the_old_browser(one_tab: Play) -> None:
    begun(one_tab)
    one_tab.give(inputs.Disconnected("cut", reconnecting=True))
    replaced(one_tab)
    [download] = one_tab.state.downloads
    assert (download.status, download.reason) == ("failed", NEW.reason)


def test_reconnect_fails_a_download_that_was_in_progress(one_tab: Play) -> None:
    """The browser reports nothing more about it."""
    begun(one_tab)
    one_tab.give(inputs.Disconnected("cut", reconnecting=True))
    assert one_tab.state.downloads[0].status == "in_progress"
    one_tab.give(inputs.Connected(owned=False))
    one_tab.give(inputs.Reattached(frozenset({"T1"})))
    assert one_tab.state.downloads[0].status == "failed"
    assert "connection" in one_tab.told(DownloadProgress)[-1].download.reason


def test_file_stored_after_the_reconnect_completes_its_download(one_tab: Play) -> None:
    """It was being stored when the connection broke."""
    begun(one_tab)
    one_tab.give(inputs.Disconnected("cut", reconnecting=True))
    one_tab.give(inputs.Connected(owned=False))
    one_tab.give(inputs.Reattached(frozenset({"T1"})))
    file = StoredFile(
        path="/down/f.pdf", filename="f.pdf", size=10, mime_type="application/pdf", sha256="ab"
    )
    one_tab.give(inputs.DownloadStored("g1", file))
    assert one_tab.state.downloads[0].status == "completed"


def begun(play: Play) -> None:
    about = {"frameId": "T1", "guid": "g1", "url": HOME, "suggestedFilename": "f.pdf"}
    play.event("Browser.downloadWillBegin", about)
    assert play.state.downloads[0].status == "in_progress"

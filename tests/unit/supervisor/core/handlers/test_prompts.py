"""The state machine's password prompts, file choosers, downloads and notes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import asdict, replace
from support.machine_kit import HOME, Play

from tabwarden.files.download_folder import StoredFile
from tabwarden.protocol import browser, fetch
from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.prompts import (
    AuthChallenge,
    AuthRequired,
    AuthSettled,
    FileChooser,
    FileChooserClosed,
)
from tabwarden.supervisor.core.state import inputs, notices
from tabwarden.supervisor.core.state.downloads import RECENT_DOWNLOADS, Download
from tabwarden.supervisor.core.state.notes import RECENT_NOTES
from tabwarden.supervisor.core.state.policy import NotesScript
from tabwarden.supervisor.core.state.prompts import Credentials

ADA = Credentials(username="ada", password="lovelace")
EVE = Credentials(username="eve", password="wrong")
REALM = "https://vault.test"


def asked(
    play: Play,
    request: str = "r1",
    *,
    on: str = "S1",
    frame: str = "T1",
    source: str = "Server",
    kind: str = "Document",
) -> None:
    """A server requires a password."""
    wanted = {"source": source, "origin": REALM, "scheme": "basic", "realm": "The vault"}
    sends = {
        "url": f"{REALM}/in", "method": "GET", "headers": {}, "initialPriority": "High",
        "referrerPolicy": "origin",
    }  # fmt: skip
    about = {
        "requestId": request, "request": sends, "frameId": frame, "resourceType": kind,
        "authChallenge": wanted,
    }  # fmt: skip
    play.event("Fetch.authRequired", about, on)


def replies(play: Play) -> list[tuple[str, str, str | None]]:
    """The answers: request, response, and user name."""
    found = []
    for sent in play.commands:
        if isinstance(sent.command, fetch.ContinueWithAuth):
            given = sent.command.auth_challenge_response
            name = given.username if isinstance(given.username, str) else None
            found.append((sent.command.request_id, given.response, name))
    return found


def with_tab(**policy: Any) -> Play:
    play = Play.connected(**policy)
    play.open_page()
    return play


# -- passwords -------------------------------------------------------------------------------


def test_auth_challenge_is_reported_and_answered_once(one_tab: Play) -> None:
    asked(one_tab, source="Proxy")
    (challenge,) = one_tab.state.prompts_of(AuthChallenge)
    assert (challenge.id, challenge.tab_id, challenge.frame_id) == ("a-1", "t1", "T1")
    assert (challenge.origin, challenge.realm, challenge.scheme) == (REALM, "The vault", "basic")
    assert (challenge.url, challenge.is_proxy, challenge.refused) == (f"{REALM}/in", True, "")
    assert one_tab.told(AuthRequired)[0].challenge == challenge
    assert replies(one_tab) == []
    for _ in range(2):
        one_tab.give(inputs.AnswerPrompt("a-1", ADA))
    assert replies(one_tab) == [("r1", "ProvideCredentials", "ada")]
    assert one_tab.state.prompts_of(AuthChallenge)[0].answered


def test_rejected_credentials_open_a_new_auth_challenge_that_reports_the_rejection(
    one_tab: Play,
) -> None:
    asked(one_tab)
    one_tab.give(inputs.AnswerPrompt("a-1", EVE))
    asked(one_tab)
    (challenge,) = one_tab.state.prompts_of(AuthChallenge)
    assert (challenge.id, challenge.refused, challenge.answered) == ("a-2", "agent", False)
    assert [one.auth_id for one in one_tab.told(AuthSettled)] == ["a-1"]


def test_state_machine_tries_configured_credentials_once_before_it_asks_the_agent() -> None:
    play = with_tab(credentials={REALM: ADA})
    asked(play)
    assert replies(play) == [("r1", "ProvideCredentials", "ada")]
    assert not play.state.prompts_of(AuthChallenge)
    asked(play)
    (challenge,) = play.state.prompts_of(AuthChallenge)
    assert challenge.refused == "configuration"


def test_state_machine_does_not_send_credentials_of_another_origin() -> None:
    play = with_tab(credentials={"https://other.test": ADA})
    asked(play)
    assert replies(play) == []
    assert len(play.state.prompts_of(AuthChallenge)) == 1


@pytest.mark.parametrize("policy", ["auto_dismiss", "auto_accept"])
def test_auto_policy_cancels_an_auth_challenge(policy: str) -> None:
    play = with_tab(dialog_policy=policy)
    asked(play)
    assert replies(play) == [("r1", "CancelAuth", None)]
    assert not play.state.prompts_of(AuthChallenge)


@pytest.mark.parametrize("policy", ["auto_dismiss", "auto_accept"])
def test_policy_that_cancels_an_auth_challenge_adds_a_note(policy: str) -> None:
    play = with_tab(dialog_policy=policy)
    asked(play)
    (note,) = play.state.notes
    assert (note.kind, note.tab_id, note.origin) == ("password", "t1", REALM)
    assert note.text == (
        f'the password prompt from {REALM} ("The vault") was canceled: dialog_policy is {policy}'
    )
    assert play.told(notices.Noted)[0].note == note
    asked(play, "r2")  # once more, in another document
    assert len(play.state.notes) == 2


def test_many_canceled_auth_challenges_on_a_page_give_one_note() -> None:
    play = with_tab(dialog_policy="auto_dismiss")
    for number in range(100):
        asked(play, f"r{number}", kind="Image")
    assert len(play.state.notes) == 1
    assert len(replies(play)) == 100


def test_note_about_a_canceled_challenge_says_that_credentials_were_rejected() -> None:
    play = with_tab(dialog_policy="auto_dismiss", credentials={REALM: ADA})
    asked(play)
    assert not play.state.notes
    asked(play)
    assert "the server refused the configuration's credentials" in play.state.notes[0].text
    assert "lovelace" not in play.state.notes[0].text


def test_auth_challenge_that_the_agent_cancels_closes_at_once(one_tab: Play) -> None:
    asked(one_tab)
    one_tab.give(inputs.AnswerPrompt("a-1", None))
    one_tab.give(inputs.AnswerPrompt("a-9", None))
    assert replies(one_tab) == [("r1", "CancelAuth", None)]
    assert not one_tab.state.prompts_of(AuthChallenge)
    assert len(one_tab.told(AuthSettled)) == 1


def test_watchdog_cancels_an_auth_challenge_at_its_timeout(one_tab: Play) -> None:
    asked(one_tab)
    (challenge,) = one_tab.state.prompts_of(AuthChallenge)
    assert m.next_deadline(one_tab.state) == challenge.deadline
    one_tab.tick_at(challenge.deadline - 0.1)
    assert replies(one_tab) == []
    assert not one_tab.state.notes
    one_tab.tick_at(challenge.deadline)
    assert replies(one_tab) == [("r1", "CancelAuth", None)]
    assert "was canceled: nobody answered it for 300 seconds" in one_tab.state.notes[0].text
    assert not one_tab.state.prompts_of(AuthChallenge)


def test_auth_challenge_closes_when_loading_stops(one_tab: Play) -> None:
    asked(one_tab)
    one_tab.event("Page.frameStoppedLoading", {"frameId": "T1"}, "S1")
    assert one_tab.state.prompts_of(AuthChallenge) == ()
    assert [one.auth_id for one in one_tab.told(AuthSettled)] == ["a-1"]


def test_state_machine_cancels_an_auth_challenge_on_an_unknown_session(one_tab: Play) -> None:
    asked(one_tab, on="S9")
    assert replies(one_tab) == [("r1", "CancelAuth", None)]
    assert not one_tab.state.prompts_of(AuthChallenge)


@pytest.mark.parametrize(
    "over",
    [
        lambda play: play.navigated(loader="L2"),
        lambda play: play.detach("S1"),
        lambda play: play.destroy("T1"),
    ],
    ids=["another document", "its session ends", "its tab closes"],
)
def test_prompts_close_with_their_own_document_and_with_no_other(over: Any, one_tab: Play) -> None:
    one_tab.open_page("T2", "S2")
    for on, frame_id in (("S1", "T1"), ("S2", "T2")):
        asked(one_tab, f"r{on}", on=on, frame=frame_id)
        chooser(one_tab, on=on, frame=frame_id)
    over(one_tab)
    assert [one.tab_id for one in one_tab.state.prompts_of(AuthChallenge)] == ["t2"]
    assert [one.tab_id for one in one_tab.state.prompts_of(FileChooser)] == ["t2"]
    assert [one.tab_id for one in one_tab.told(AuthSettled)] == ["t1"]
    assert [one.tab_id for one in one_tab.told(FileChooserClosed)] == ["t1"]


def test_state_machine_limits_its_record_of_tried_credentials() -> None:
    play = with_tab(credentials={REALM: ADA})
    for n in range(200):
        asked(play, f"r{n}")
    assert len(play.state.auth_tried) <= 51
    assert "r199" in play.state.auth_tried


# -- file choosers ---------------------------------------------------------------------------


def chooser(play: Play, *, on: str = "S1", frame: str = "T1", mode: str = "selectSingle") -> None:
    play.event("Page.fileChooserOpened", {"frameId": frame, "mode": mode, "backendNodeId": 7}, on)


@pytest.mark.parametrize(("mode", "multiple"), [("selectSingle", False), ("selectMultiple", True)])
def test_file_chooser_stays_open_until_it_is_answered(
    mode: str, multiple: bool, one_tab: Play
) -> None:
    chooser(one_tab, mode=mode)
    (waits,) = one_tab.state.prompts_of(FileChooser)
    assert (waits.id, waits.tab_id, waits.multiple, waits.backend_node_id) == (
        "f-1", "t1", multiple, 7,
    )  # fmt: skip
    one_tab.give(inputs.AnswerPrompt("f-9"))
    assert one_tab.state.prompts_of(FileChooser)
    one_tab.give(inputs.AnswerPrompt("f-1"))
    assert not one_tab.state.prompts_of(FileChooser)
    assert [one.chooser_id for one in one_tab.told(FileChooserClosed)] == ["f-1"]


def test_frame_has_one_open_file_chooser_at_a_time(one_tab: Play) -> None:
    one_tab.oopif()
    chooser(one_tab)
    chooser(one_tab, on="SF", frame="F")
    chooser(one_tab)
    assert [one.id for one in one_tab.state.prompts_of(FileChooser)] == ["f-2", "f-3"]


def test_file_chooser_on_an_unknown_session_is_ignored(one_tab: Play) -> None:
    chooser(one_tab, on="S9")
    assert not one_tab.state.prompts_of(FileChooser)


# -- downloads -------------------------------------------------------------------------------


def began(play: Play, guid: str = "g1", *, frame: str = "T1") -> None:
    about = {"frameId": frame, "guid": guid, "url": f"{HOME}f", "suggestedFilename": "f.pdf"}
    play.event("Browser.downloadWillBegin", about)


def progress(play: Play, state: str, guid: str = "g1", received: int = 5, **more: Any) -> None:
    about = {"guid": guid, "totalBytes": 10, "receivedBytes": received, "state": state, **more}
    play.event("Browser.downloadProgress", about)


def test_completed_download_is_stored_under_its_final_name() -> None:
    play = with_tab(download_dir="/down")
    began(play)
    began(play)
    progress(play, "inProgress", received=3)
    (download,) = play.state.downloads
    assert (download.id, download.tab_id, download.filename) == ("dl-1", "t1", "f.pdf")
    assert (download.status, download.received_bytes, download.size) == ("in_progress", 3, 10)
    assert (download.mime_type, download.sha256, download.path) == (None, None, None)
    progress(play, "completed", received=10)
    (arrived,) = play.told(notices.DownloadArrived)
    assert arrived.folder == "/down"
    assert play.state.downloads[0].status == "in_progress"
    file = StoredFile(
        path="/down/f (1).pdf", filename="f (1).pdf", size=10, mime_type="application/pdf",
        sha256="ab",
    )  # fmt: skip
    play.give(inputs.DownloadStored("g1", file))
    (stored,) = play.state.downloads
    assert (stored.status, stored.suggested_filename) == ("completed", "f.pdf")
    assert {name: getattr(stored, name) for name in asdict(file)} == asdict(file)
    progress(play, "canceled")
    play.give(inputs.DownloadStored("g1", None, "again"))
    assert play.state.downloads[0].status == "completed"


def test_renamed_download_is_reported_as_finished_once() -> None:
    play = Play.connected()
    done = Download(guid="g", url="", suggested_filename="a", filename="a", status="completed")
    play.give(inputs.DownloadTold(done))
    play.give(inputs.DownloadTold(replace(done, filename="b")))
    assert [one.filename for one in play.state.downloads] == ["b"]
    assert [one.download.filename for one in play.told(notices.DownloadProgress)] == ["a"]


def test_download_that_cannot_be_stored_fails_with_the_reason() -> None:
    play = with_tab(download_dir="/down")
    began(play)
    progress(play, "completed")
    play.give(inputs.DownloadStored("g1", None, "No space left on device"))
    (download,) = play.state.downloads
    assert (download.status, download.path) == ("failed", None)
    assert download.reason == "No space left on device"


def test_download_without_a_download_folder_has_the_path_from_the_browser(one_tab: Play) -> None:
    began(one_tab)
    progress(one_tab, "completed", filePath="/home/f.pdf")
    (download,) = one_tab.state.downloads
    assert (download.status, download.path) == ("completed", "/home/f.pdf")
    assert (download.size, download.mime_type, download.sha256) == (5, None, None)


@pytest.mark.parametrize(
    ("url", "kept"), [("https://a.test/" + "x" * 9_000, 2_000), ("data:," + "x" * 9_000, 100)]
)
def test_download_stores_only_the_start_of_a_long_url(url: str, kept: int, one_tab: Play) -> None:
    event = {"frameId": "T1", "guid": "g1", "url": url, "suggestedFilename": "f"}
    one_tab.event("Browser.downloadWillBegin", event)
    ours = Download(guid="g2", url=url, suggested_filename="f", filename="f")
    one_tab.give(inputs.DownloadTold(ours))
    one_tab.give(inputs.DownloadTold(ours))
    assert [(one.id, one.url) for one in one_tab.state.downloads] == [
        ("dl-1", url[:kept]), ("dl-2", url[:kept]),
    ]  # fmt: skip


def test_canceled_download_is_recorded_and_an_unknown_one_ignored(one_tab: Play) -> None:
    began(one_tab)
    progress(one_tab, "canceled")
    progress(one_tab, "completed", guid="another")
    assert [one.status for one in one_tab.state.downloads] == ["canceled"]


def test_state_machine_keeps_only_the_last_downloads(one_tab: Play) -> None:
    for n in range(RECENT_DOWNLOADS + 5):
        began(one_tab, f"g{n}")
    assert len(one_tab.state.downloads) == RECENT_DOWNLOADS
    assert one_tab.state.downloads[-1].id == f"dl-{RECENT_DOWNLOADS + 5}"


@pytest.mark.parametrize(("folder", "behavior"), [(None, "default"), ("/down", "allowAndName")])
def test_download_folder_sets_the_browsers_download_behavior(
    folder: str | None, behavior: str
) -> None:
    play = Play.connected(download_dir=folder)
    (told,) = [
        s.command for s in play.commands if isinstance(s.command, browser.SetDownloadBehavior)
    ]
    assert told.behavior == behavior
    assert told.events_enabled is True


# -- notes -----------------------------------------------------------------------------------


BINDING = "_told"


@pytest.fixture
def one_tab() -> Play:
    """A tab whose pages cause notes."""
    play = Play.connected(notes=NotesScript(BINDING, "/* notes.js */"))
    play.open_page()
    return play


def noted(play: Play, on: str = "S1", **told: str) -> None:
    about = {"name": BINDING, "executionContextId": 1}
    play.event("Runtime.bindingCalled", {**about, "payload": json.dumps(told)}, on)


def test_page_note_of_each_kind_is_recorded_once(one_tab: Play) -> None:
    for _ in range(3):
        noted(one_tab, kind="print", origin=HOME, text="")
    noted(one_tab, kind="permission", origin=HOME, text="geolocation")
    noted(one_tab, kind="credentials", origin=HOME, text="navigator.credentials.get: publicKey")
    noted(one_tab, kind="something else", origin=HOME, text="")
    noted(one_tab, on="S9", kind="print", origin=HOME, text="")
    one_tab.event("Runtime.bindingCalled", {
        "name": BINDING, "payload": "not JSON", "executionContextId": 1,
    }, "S1")  # fmt: skip
    one_tab.event("Runtime.bindingCalled", {
        "name": "the page's own", "payload": '{"kind":"print","origin":"","text":""}',
        "executionContextId": 1,
    }, "S1")  # fmt: skip
    assert [(one.kind, one.tab_id, one.text) for one in one_tab.state.notes] == [
        ("print", "t1", "window.print() was called"),
        ("permission", "t1", "geolocation"),
        ("credentials", "t1", "navigator.credentials.get: publicKey"),
    ]
    assert [one.number for one in one_tab.state.notes] == [1, 2, 3]
    assert len(one_tab.told(notices.Noted)) == 3


@pytest.mark.parametrize(
    ("url", "is_noted"),
    [("mailto:ada@a.test", True), ("HTTPS://a.test", False), ("about:blank", False), ("x", False)],
)
def test_link_to_an_external_program_adds_a_note(url: str, is_noted: bool, one_tab: Play) -> None:
    about = {
        "frameId": "T1", "reason": "anchorClick", "url": url, "disposition": "currentTab",
    }  # fmt: skip
    one_tab.event("Page.frameRequestedNavigation", about, "S1")
    assert [(one.kind, one.origin, one.text) for one in one_tab.state.notes] == (
        [("external", "https://a.test", url)] if is_noted else []
    )


def opens(play: Play, url: str, *, on: str = "S1") -> None:
    about = {"url": url, "windowName": "", "windowFeatures": [], "userGesture": True}
    play.event("Page.windowOpen", about, on)


@pytest.mark.parametrize(
    ("url", "allowed", "is_closed"),
    [
        ("mailto:ada@a.test", (), True), ("mailto:ada@a.test", ("mailto",), False),
        ("https://a.test", (), False), ("", (), False),
    ],
)  # fmt: skip
def test_state_machine_closes_a_window_for_an_external_program_before_the_window_runs(
    url: str, allowed: tuple[str, ...], is_closed: bool
) -> None:
    play = Play.connected(
        programs=NotesScript(BINDING, "/* programs.js */"), external_schemes=frozenset(allowed)
    )
    play.open_page()
    opens(play, url)
    play.attach("P", "SP", opener="T1")
    assert len(play.state.tabs) == 1 + (not is_closed)
    assert play.sent(None).count("Target.closeTarget") == is_closed
    assert ("Runtime.runIfWaitingForDebugger" in play.sent("SP")) is not is_closed
    assert [one.kind for one in play.state.notes] == ["external"] * url.startswith("mailto")
    play.attach("Q", "SQ", opener="T1")  # it applied to one window
    assert "Runtime.runIfWaitingForDebugger" in play.sent("SQ")


def test_blocked_external_window_does_not_close_a_later_window() -> None:
    play = Play.connected(programs=NotesScript(BINDING, "/* programs.js */"))
    play.open_page()
    opens(play, "mailto:ada@a.test")
    opens(play, "https://a.test")
    play.attach("P", "SP", opener="T1")
    assert len(play.state.tabs) == 2


def test_state_machine_limits_the_number_and_length_of_notes(one_tab: Play) -> None:
    for n in range(RECENT_NOTES + 5):
        noted(one_tab, kind="permission", origin="o" * 9_000, text=f"{n}" + "x" * 9_000)
    assert len(one_tab.state.notes) == RECENT_NOTES
    assert one_tab.state.notes[-1].number == RECENT_NOTES + 5
    assert {(len(one.text), len(one.origin)) for one in one_tab.state.notes} == {(300, 300)}

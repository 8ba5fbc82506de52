"""The request bridge: which requests are dialogs, and how they are answered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.machine_kit import HOME
from support.requested import Requested

from tabwarden.protocol import fetch
from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import DialogClosed, DialogOpened

NEXT = "https://a.test/next"


@pytest.fixture
def play() -> Requested:
    return Requested.open("xhr")


def the_closed(play: Requested) -> Any:
    (closed,) = play.state.recent_dialogs
    return closed


def test_state_machine_intercepts_bridge_requests_and_documents(play: Requested) -> None:
    (enable,) = [s.command for s in play.commands if isinstance(s.command, fetch.Enable)]
    assert enable.handle_auth_requests is True
    documents, ours = enable.patterns
    assert (documents.url_pattern, documents.resource_type) == ("*", "Document")
    assert (ours.url_pattern, ours.resource_type) == (f"{play.bridge.url}*", "XHR")


def test_without_a_bridge_the_state_machine_intercepts_only_documents() -> None:
    play = Requested()
    play.give(inputs.Connected())
    play.open_page()
    (enable,) = [s.command for s in play.commands if isinstance(s.command, fetch.Enable)]
    assert [pattern.resource_type for pattern in enable.patterns] == ["Document"]


def test_bridge_request_opens_a_dialog(play: Requested) -> None:
    play.asks("prompt", "Name?", "Ada")
    (dialog,) = play.state.pending_dialogs
    assert (dialog.type, dialog.message, dialog.default_prompt) == ("prompt", "Name?", "Ada")
    assert (dialog.channel, dialog.held_by, dialog.url) == ("xhr", "R1", HOME)
    assert (dialog.frame_id, dialog.session_id, dialog.tab_id) == ("T1", "S1", "t1")
    assert play.told(DialogOpened) == [DialogOpened(tab_id="t1", dialog=dialog)]
    assert play.let_go() == []


@pytest.mark.parametrize(
    "body",
    [
        None,
        "",
        "no json",
        "[]",
        "null",
        '{"key":7}',
        '{"key":"0","type":"alert","message":"","initial":""}',
        '{"key":"0","type":"alert","message":"","initial":"","url":""}',
        "\ud83d",
    ],
)
def test_forged_bridge_request_opens_no_dialog_and_gets_no_response(
    body: str | None, play: Requested
) -> None:
    play.held(body)
    assert play.state.pending_dialogs == ()
    assert play.let_go() == ["Fetch.failRequest"]
    assert play.told_page() == [], "what the page sent itself gets no answer that we would trust"


def test_request_to_another_url_continues_on_its_session(play: Requested) -> None:
    play.held(None, url="https://a.test/", kind="Document", request_id="R7")
    assert play.let_go("R7") == ["Fetch.continueRequest"]
    assert play.commands[-1].session_id == "S1"
    assert play.state.pending_dialogs == ()


@pytest.mark.parametrize("session", ["nobody", None])
def test_bridge_request_on_an_unknown_session_continues(
    session: str | None, play: Requested
) -> None:
    body = {"key": play.bridge.key, "url": HOME, "type": "alert", "message": "", "initial": ""}
    play.held(json.dumps(body), on=session)
    assert play.let_go() == ["Fetch.continueRequest"]
    assert play.state.pending_dialogs == ()


@pytest.mark.parametrize(
    ("accept", "text"), [(True, 'Zoë "q" \u2028'), (True, ""), (True, None), (False, None)]
)
def test_answered_dialog_fulfills_the_bridge_request(
    accept: bool, text: str | None, play: Requested
) -> None:
    play.asks("prompt")
    play.answer("d-1", accept=accept, text=text)
    (told,) = play.told_page()
    assert told == {
        "key": play.bridge.key,
        "native": False,
        "accept": accept,
        "text": text or "",
    }
    assert play.commands[-1].session_id == "S1"
    assert play.state.pending_dialogs, "until the browser has taken it"
    play.reply(play.dialog_ask())
    closed = the_closed(play)
    assert (closed.closed_by, closed.accepted, closed.prompt_text) == ("agent", accept, text)
    assert closed.channel == "xhr"
    assert play.let_go() == ["Fetch.fulfillRequest"]


def test_bridge_response_allows_any_origin_and_is_not_cached(play: Requested) -> None:
    play.asks()
    play.answer("d-1")
    command = play.commands[-1].command
    assert isinstance(command, fetch.FulfillRequest)
    headers = {entry.name: entry.value for entry in command.response_headers or []}
    assert command.response_code == 200
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Cache-Control"] == "no-store"


def test_machine_sends_no_second_answer_to_a_bridge_dialog(play: Requested) -> None:
    play.asks()
    play.answer("d-1", accept=True)
    play.answer("d-1", accept=False)
    assert len(play.told_page()) == 1


def test_failed_answer_closes_the_bridge_dialog_as_answered_remotely(play: Requested) -> None:
    play.asks()
    play.answer("d-1")
    play.reply(play.dialog_ask(), error="Invalid InterceptionId.")
    closed = the_closed(play)
    assert (closed.closed_by, closed.accepted) == ("remote", None)


def test_navigation_closes_the_dialog_and_answers_its_request(
    play: Requested,
) -> None:
    play.asks()
    play.navigated(loader="L9", url=NEXT)
    closed = the_closed(play)
    assert (closed.closed_by, closed.accepted) == ("remote", None)
    assert [told["accept"] for told in play.told_page()] == [False]
    assert [told["native"] for told in play.told_page()] == [False], "never a native dialog then"


def test_bridge_request_can_arrive_before_the_event_for_its_document(play: Requested) -> None:
    play.asks(url=NEXT)
    play.navigated(loader="L9", url=NEXT)
    (dialog,) = play.state.pending_dialogs
    assert dialog.url == NEXT
    assert play.let_go() == []
    play.navigated(loader="L10", url=HOME)
    assert play.state.pending_dialogs == ()


def test_reload_of_the_same_url_closes_the_dialog(play: Requested) -> None:
    play.asks()  # no navigation was running: the dialog's document is the current one
    params = {"frameId": "T1", "url": HOME, "loaderId": "L9", "navigationType": "reload"}
    play.event("Page.frameStartedNavigating", params, "S1")
    play.navigated(loader="L9", url=HOME)
    assert play.state.pending_dialogs == ()


def test_dialog_matches_its_document_by_url_with_fragment(play: Requested) -> None:
    play.asks(url=f"{NEXT}#there")
    play.navigated(loader="L9", url=NEXT, fragment="#there")
    assert len(play.state.pending_dialogs) == 1


@pytest.mark.parametrize("reason", ["remove", "swap"])
def test_removing_a_frame_closes_its_dialog(reason: str, play: Requested) -> None:
    play.frame_attached("F")
    play.navigated("F", parent="T1", url="https://a.test/inner", loader="LF")
    play.asks(frame_id="F", url="https://a.test/inner")
    play.frame_detached("F", reason=reason)
    if reason == "swap":  # reported by its next document
        play.oopif("F")
        play.navigated("F", on="SF", url="https://f.other.test/", loader="LG")
    assert play.state.pending_dialogs == ()
    assert [told["accept"] for told in play.told_page()] == [False]


def test_removing_a_frame_closes_the_dialogs_of_its_child_frames(play: Requested) -> None:
    play.frame_attached("F")
    play.frame_attached("G", parent="F")
    play.asks(frame_id="G")
    play.frame_detached("F")
    assert play.state.pending_dialogs == ()
    assert len(play.let_go()) == 1


def test_another_frames_navigation_does_not_close_the_dialog(play: Requested) -> None:
    play.frame_attached("F")
    play.frame_attached("G")
    play.asks(frame_id="F")
    play.navigated("G", parent="T1", url=NEXT, loader="LG")
    play.frame_detached("G")
    assert len(play.state.pending_dialogs) == 1


def test_dialog_of_an_out_of_process_frame_is_answered_on_its_session(play: Requested) -> None:
    play.oopif()
    play.asks(frame_id="F", on="SF", url="https://f.other.test/")
    play.answer("d-1")
    assert play.commands[-1].session_id == "SF"
    (dialog,) = play.state.pending_dialogs
    assert (dialog.target_id, dialog.tab_id) == ("F", "t1")


@pytest.mark.parametrize("target", ["T1", "F"])
def test_page_crash_closes_the_pages_dialogs(target: str, play: Requested) -> None:
    play.oopif()
    play.asks(request_id="R1")
    play.asks(request_id="R2", frame_id="F", on="SF", url="https://f.other.test/")
    play.crash(target)
    assert [d.target_id for d in play.state.pending_dialogs] == [{"T1": "F", "F": "T1"}[target]]
    gone = {"T1": "R1", "F": "R2"}[target]
    assert len(play.let_go(gone)) == 1


@pytest.mark.parametrize("how", ["detach", "destroy", "disconnect"])
def test_detaching_a_target_closes_its_dialogs(how: str, play: Requested) -> None:
    play.asks()
    if how == "detach":
        play.detach("S1")
    elif how == "destroy":
        play.destroy("T1")
    else:
        play.give(inputs.Disconnected("the socket closed"))
    assert play.state.pending_dialogs == ()
    assert len(play.told(DialogClosed)) == 1
    assert len(play.let_go()) == 1


def test_navigation_does_not_override_a_dialog_answer_already_sent(play: Requested) -> None:
    play.asks()
    play.answer("d-1", accept=True)
    play.navigated(loader="L9", url=NEXT)
    assert next(told["accept"] for told in play.told_page()) is True
    assert play.state.pending_dialogs == ()


def test_dialogs_in_several_frames_can_be_open_at_the_same_time(play: Requested) -> None:
    for number in range(3):
        play.oopif(f"F{number}", f"SF{number}")
        url = f"https://f{number}.other.test/"
        play.asks(request_id=f"R{number}", frame_id=f"F{number}", on=f"SF{number}", url=url)
    play.answer("d-2", accept=True)
    assert [bool(play.told_page(f"R{number}")) for number in range(3)] == [False, True, False]
    play.reply(play.dialog_ask())
    assert [d.id for d in play.state.pending_dialogs] == ["d-1", "d-3"]


def test_same_request_id_on_two_sessions_opens_two_dialogs(play: Requested) -> None:
    play.oopif()
    play.asks(message="outer")
    play.asks(message="inner", frame_id="F", on="SF", url="https://f.other.test/")
    play.answer("d-2")
    assert play.commands[-1].session_id == "SF"
    play.reply(play.dialog_ask())
    assert [d.message for d in play.state.pending_dialogs] == ["outer"]


def test_native_dialog_does_not_close_the_pages_bridge_dialog(play: Requested) -> None:
    play.asks()
    play.dialog("beforeunload", "")
    assert [d.channel for d in play.state.pending_dialogs] == ["xhr", "native"]
    play.dialog_closed(result=False)
    assert [d.channel for d in play.state.pending_dialogs] == ["xhr"]


@pytest.mark.parametrize(
    ("policy", "told"),
    [("auto_accept", (True, "was")), ("auto_dismiss", (False, ""))],
)
def test_dialog_policy_answers_bridge_requests(policy: str, told: tuple[bool, str]) -> None:
    play = Requested.open("xhr", policy=policy)
    play.asks("prompt", initial="was")
    (answer,) = play.told_page()
    assert (answer["accept"], answer["text"]) == told
    play.reply(play.dialog_ask())
    assert the_closed(play).closed_by == "auto_policy"


def test_watchdog_dismisses_an_unanswered_bridge_dialog() -> None:
    play = Requested.open("xhr", timeout_s=5)
    play.asks()
    assert m.next_deadline(play.state) == play.clock + 5
    play.tick_at(play.clock + 4)
    assert play.told_page() == []
    play.tick_at(play.clock + 1)
    assert [told["accept"] for told in play.told_page()] == [False]
    play.reply(play.dialog_ask())
    assert the_closed(play).closed_by == "watchdog"

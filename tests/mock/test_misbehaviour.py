"""Misbehavior that real browsers cannot be made to show: no call waits beyond its budget."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mock.mock_browser import MockBrowser, Received, Refused
from support.eventually import eventually
from support.pace import allow

from tabwarden import events
from tabwarden.config import BrowserConfig
from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    DialogPending,
    EndpointUnreachable,
    NoDialog,
    NotSupported,
    TabwardenError,
)
from tabwarden.sync import Browser


@pytest.fixture
def mock() -> Iterator[MockBrowser]:
    with MockBrowser() as mock:
        yield mock


def test_calls_succeed_on_the_mock_browser(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        assert browser.goto("https://example.com/").status == "ok"
        assert browser.evaluate("1 + 1").value == 2
        (tab,) = browser.state.tabs
        assert (tab.url, tab.status) == ("https://example.com/", "ready")


def test_connect_does_not_wait_for_unresponsive_tabs() -> None:
    frozen = {f"S{n} {method}" for n in range(1, 31, 3)
              for method in ("Page.enable", "Runtime.runIfWaitingForDebugger")}  # fmt: skip
    with MockBrowser(tabs=30, silent=frozen) as mock, Browser.connect(mock.url) as browser:
        eventually(lambda: sum(tab.status == "ready" for tab in browser.state.tabs) == 20)
        assert len(browser.state.tabs) == 30
        assert browser.evaluate("1", tab_id="t2").value == 2
        with pytest.raises(BudgetExceeded):
            browser.evaluate("1", tab_id="t1", timeout_ms=200)


@pytest.mark.parametrize("method", ["Runtime.evaluate", "Page.navigate"])
def test_call_times_out_at_its_budget_if_its_command_gets_no_reply(
    method: str, mock: MockBrowser
) -> None:
    with Browser.connect(mock.url) as browser:
        mock.silent.add(method)
        with pytest.raises(BudgetExceeded) as caught:
            _ = (
                browser.evaluate("1", timeout_ms=150)
                if method == "Runtime.evaluate"
                else browser.goto("https://example.com/", timeout_ms=150)
            )
        assert caught.value.data["timeout_ms"] == 150
        assert caught.value.hint


def test_connect_fails_if_the_browser_never_responds(mock: MockBrowser) -> None:
    mock.silent.add("Browser.getVersion")
    with pytest.raises((EndpointUnreachable, BudgetExceeded)):
        Browser.connect(mock.url, timeout_ms=300)


def test_dead_socket_fails_every_pending_call_at_once(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser, ThreadPoolExecutor(8) as pool:
        mock.silent.add("Runtime.evaluate")
        calls = [pool.submit(browser.evaluate, "1", timeout_ms=60_000) for _ in range(8)]
        mock.wait_for("Runtime.evaluate", times=8)
        mock.drop()
        for call in calls:
            error = call.exception(timeout=30)
            assert isinstance(error, BrowserGone)
            assert error.data["reason"]
            assert error.data["reconnecting"]
        mock.silent.discard("Runtime.evaluate")
        browser.tabs(timeout_ms=allow(5_000))  # waits until the connection is reopened
        assert browser.state.health.status == "live"


def test_supervisor_retries_a_reconnect_that_breaks(mock: MockBrowser) -> None:
    attempts: list[Received] = []

    def breaks_once(command: Received) -> dict[str, Any]:
        attempts.append(command)
        if len(attempts) == 1:
            mock.drop()
            raise Refused("gone again")
        return {"targetInfos": [page.info() for page in mock.pages.values()]}

    kinds = (events.EndpointLost, events.EndpointRegained)
    with Browser.connect(mock.url) as browser, browser.events(*kinds) as told:
        mock.answers["Target.getTargets"] = breaks_once
        mock.drop()
        seen: list[events.Notice] = []
        while not (seen and isinstance(seen[-1], events.EndpointRegained)):
            event = told.get(10)
            assert event is not None, seen
            seen.append(event)
        losses = [event for event in seen if isinstance(event, events.EndpointLost)]
        assert [loss.reconnecting for loss in losses] == [True, True]
        assert len(attempts) == 2
        assert browser.evaluate("1").value == 2


def test_browser_survives_malformed_and_unexpected_messages(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        for message in (
            "no json", "[]", "7", "{}", '{"id": 987654, "result": {}}', '{"id": "x"}', "",
            '{"method": "Page.frameNavigated", "params": {"frame": 7}, "sessionId": "S1"}',
            '{"method": "Page.javascriptDialogOpening", "params": {}, "sessionId": "nobody"}',
            '{"method": "Target.attachedToTarget"}', '{"method": 5}',
        ):  # fmt: skip
            mock.send(message)
        mock.send(b"\xff\xfe binary")
        assert browser.evaluate("1").value == 2
        assert browser.state.pending_dialogs == ()
        assert browser.state.health.status == "live"


def test_late_or_duplicate_reply_does_not_answer_another_call(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        mock.silent.add("Runtime.evaluate")
        with pytest.raises(BudgetExceeded):
            browser.evaluate("1", timeout_ms=100)
        late = mock.wait_for("Runtime.evaluate")
        mock.silent.clear()
        for _ in range(2):
            value = {"type": "string", "value": "late"}
            mock.send(json.dumps({"id": late.id, "result": {"result": value}}))
        assert browser.evaluate("1").value == 2


def test_rejected_command_raises_an_error_that_quotes_the_browser(mock: MockBrowser) -> None:
    def refuse(command: Received) -> Any:
        raise Refused("Something is wrong here")

    mock.answers["Runtime.evaluate"] = refuse
    with Browser.connect(mock.url) as browser:
        with pytest.raises(NotSupported, match="Something is wrong"):
            browser.evaluate("1")
        mock.answers.clear()
        assert browser.evaluate("1").value == 2


def test_reply_in_an_unknown_format_raises_an_error_that_describes_the_problem(
    mock: MockBrowser,
) -> None:
    mock.answers["Runtime.evaluate"] = lambda _: {"result": {"type": 5}}
    with Browser.connect(mock.url) as browser:
        with pytest.raises(NotSupported, match="an unexpected format"):
            browser.evaluate("1")
        mock.answers.clear()
        assert browser.evaluate("1").value == 2


def test_agent_sees_a_dialog_and_answers_it(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        mock.open_dialog(1, "prompt", "Name?")
        eventually(lambda: browser.state.pending_dialogs)
        with pytest.raises(DialogPending):
            browser.evaluate("1")
        browser.dialog("accept", prompt_text="Ada")
        assert mock.wait_for("Page.handleJavaScriptDialog").params == {
            "accept": True,
            "promptText": "Ada",
        }
        (closed,) = browser.state.recent_dialogs
        assert (closed.closed_by, closed.prompt_text) == ("agent", "Ada")


def test_dialog_closed_by_another_client_is_reported_as_closed_remotely(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        mock.open_dialog(1)
        eventually(lambda: browser.state.pending_dialogs)
        mock.close_dialog(1)
        eventually(lambda: not browser.state.pending_dialogs)
        assert browser.state.recent_dialogs[0].closed_by == "remote"
        with pytest.raises(NoDialog):
            browser.dialog("accept")


def test_dialog_reports_that_another_client_closed_it_first(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        mock.open_dialog(1)
        eventually(lambda: browser.state.pending_dialogs)
        mock.pages[1].dialog = None  # closed, and its event never arrives
        with pytest.raises(NoDialog, match="Something else closed"):
            browser.dialog("accept")
        assert browser.evaluate("1").value == 2


def test_dialog_action_times_out_if_the_browser_never_confirms_the_answer(
    mock: MockBrowser,
) -> None:
    with Browser.connect(mock.url) as browser:
        mock.silent.add("Page.handleJavaScriptDialog")
        mock.open_dialog(1)
        eventually(lambda: browser.state.pending_dialogs)
        with pytest.raises(BudgetExceeded):
            browser.dialog("accept", timeout_ms=150)


@pytest.mark.parametrize(("policy", "accept"), [("auto_dismiss", False), ("auto_accept", True)])
def test_dialog_policy_answers_a_dialog(policy: Any, accept: bool, mock: MockBrowser) -> None:
    config = BrowserConfig(dialog_policy=policy)
    with Browser.connect(mock.url, config=config) as browser:
        browser.evaluate("1")  # the agent acts here; otherwise the page's own user answers
        mock.open_dialog(1)
        assert mock.wait_for("Page.handleJavaScriptDialog").params["accept"] is accept
        eventually(lambda: browser.state.recent_dialogs)
        assert browser.state.recent_dialogs[0].closed_by == "auto_policy"


def test_watchdog_dismisses_an_unanswered_dialog(mock: MockBrowser) -> None:
    with Browser.connect(mock.url, config=BrowserConfig(dialog_timeout_s=0.05)) as browser:
        browser.evaluate("1")
        mock.open_dialog(1)
        assert mock.wait_for("Page.handleJavaScriptDialog").params == {"accept": False}
        eventually(lambda: browser.state.recent_dialogs)
        assert browser.state.recent_dialogs[0].closed_by == "watchdog"


def test_frame_tree_adds_and_removes_an_oopif(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        mock.event("Page.frameAttached", {"frameId": "F", "parentFrameId": "T1"}, "S1")
        about = {"targetId": "F", "type": "iframe", "title": "", "url": "https://b.test/",
                 "attached": True, "canAccessOpener": False}  # fmt: skip
        mock.event(
            "Target.attachedToTarget",
            {"sessionId": "S9", "targetInfo": about, "waitingForDebugger": True},
            "S1",
        )
        eventually(lambda: [f for f in browser.state.frame_tree.children if f.is_oopif])
        (frame,) = browser.state.frame_tree.children
        assert (frame.is_oopif, frame.session_id, frame.url) == (True, "S9", "https://b.test/")
        mock.silent.add("DOM.enable")
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(browser.cdp, "DOM.enable", frame_id="F", timeout_ms=60_000)
            mock.wait_for("DOM.enable")
            mock.event("Target.detachedFromTarget", {"sessionId": "S9", "targetId": "F"}, "S1")
            assert isinstance(call.exception(timeout=30), TabwardenError)
        mock.event("Page.frameDetached", {"frameId": "F", "reason": "remove"}, "S1")
        eventually(lambda: not browser.state.frame_tree.children)
        assert browser.evaluate("1").value == 2


def test_closed_tab_interrupts_its_pending_call(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser, ThreadPoolExecutor(1) as pool:
        mock.silent.add("Runtime.evaluate")
        call = pool.submit(browser.evaluate, "1", timeout_ms=60_000)
        mock.wait_for("Runtime.evaluate")
        mock.event("Target.targetDestroyed", {"targetId": "T1"})
        error = call.exception(timeout=30)
        assert isinstance(error, BrowserGone)
        assert error.data["tab_id"] == "t1"


def test_state_stays_current_during_a_flood_of_events(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        about = {
            "type": "log", "args": [{"type": "string", "value": "x" * 100}],
            "executionContextId": 1, "timestamp": 1,
        }  # fmt: skip
        for _ in range(3_000):
            mock.event("Runtime.consoleAPICalled", about, "S1")
        mock.open_dialog(1)
        eventually(lambda: browser.state.pending_dialogs)
        browser.dialog("dismiss")


def test_goto_detects_a_new_document_whose_events_were_lost(mock: MockBrowser) -> None:
    """Seen on slow machines, where a page is swapped in while its target is created."""
    with Browser.connect(mock.url) as browser:
        browser.goto("https://example.com/")
        mock.untold.add("Page.navigate")
        arrived = browser.goto("https://elsewhere.example/", timeout_ms=10_000)
        assert (arrived.status, arrived.url) == ("ok", "https://elsewhere.example/")
        assert arrived.navigation == "new_document"


def test_supervisor_repeats_page_setup_if_the_renderer_crashes_during_it(mock: MockBrowser) -> None:
    """Its commands fail once it has another renderer (found by the chaos run)."""

    def died_once(_: Received) -> dict[str, object]:
        del mock.answers["Runtime.runIfWaitingForDebugger"]
        raise Refused("Target crashed")

    mock.answers["Runtime.runIfWaitingForDebugger"] = died_once
    with Browser.connect(mock.url) as browser:
        assert browser.evaluate("1 + 1").value == 2
        on_page = [c.method for c in mock.received if c.session_id == "S1"]
        assert on_page.count("Runtime.enable") == on_page.count("Debugger.enable") == 2


def test_supervisor_does_not_repeat_page_setup_that_the_page_rejects(
    mock: MockBrowser,
) -> None:
    def refused(_: Received) -> dict[str, object]:
        raise Refused("not here")

    mock.answers["Runtime.runIfWaitingForDebugger"] = refused
    with Browser.connect(mock.url) as browser:
        with pytest.raises(TabwardenError):
            browser.evaluate("1 + 1", timeout_ms=300)
        on_page = [c.method for c in mock.received if c.session_id == "S1"]
        assert on_page.count("Runtime.enable") == 1


@pytest.mark.parametrize("way", ["climbs", "is a path", "was put there"])
@pytest.mark.threat
def test_hostile_browser_cannot_make_tabwarden_move_a_file(
    way: str, mock: MockBrowser, tmp_path: Path
) -> None:
    ours, down = tmp_path / "ours.txt", tmp_path / "down"
    ours.write_text("ours")
    guid = {"climbs": "../ours.txt", "is a path": str(ours), "was put there": "g-1"}[way]
    config = BrowserConfig(download_dir=None if way == "was put there" else down)
    named = {"frameId": "T1", "url": "https://a.test/", "suggestedFilename": "theirs.txt"}
    arrived = {"totalBytes": 4, "receivedBytes": 4, "state": "completed", "filePath": str(ours)}
    with Browser.connect(mock.url, config=config) as browser:
        mock.event("Browser.downloadWillBegin", {**named, "guid": guid})
        mock.event("Browser.downloadProgress", {**arrived, "guid": guid})
        browser.wait(download=True, filename="theirs.txt")
    assert [one.name for one in tmp_path.rglob("*.txt")] == ["ours.txt"]

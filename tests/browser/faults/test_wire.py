"""Each kind of connection fault: the call reports it in time, and later calls work."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from support.eventually import eventually
from support.faulty import (
    Answer,
    Cut,
    Delay,
    Drop,
    Duplicate,
    Fault,
    FaultyRelay,
    Garble,
    Overtake,
    Refuse,
    refuse_domain,
)
from support.pace import in_time
from support.reading import ref_of
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    EndpointUnreachable,
    NoDialog,
    NotSupported,
    TabwardenError,
)
from tabwarden.sync import Browser

CALL_MS = 600.0
FOREVER = 1_000_000
SCRIPTS = "Runtime.*"
ASK = "<button onclick=\"document.title = confirm('Sure?')\">Ask</button>"


def bounded(browser: Browser) -> Any:
    """The value or the error of a script, within its budget."""
    with in_time(CALL_MS / 1000):
        try:
            return browser.evaluate("20 + 1", timeout_ms=CALL_MS).value
        except TabwardenError as error:
            return error


def goes_on(browser: Browser) -> bool:
    return bool(browser.evaluate("1 + 1", timeout_ms=20_000).value == 2)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Drop(method=SCRIPTS), "the awaited event did not happen"),
        (Drop(method=SCRIPTS, kind="command"), "the awaited event did not happen"),
        (Delay(method=SCRIPTS, seconds=2 * CALL_MS / 1000), "did not finish within its 600 ms"),
        (Garble(method=SCRIPTS, how="no json"), "did not finish within its 600 ms"),
        (Garble(method=SCRIPTS, how="another shape"), "did not finish within its 600 ms"),
    ],
    ids=["reply dropped", "command dropped", "delayed", "no json", "another shape"],
)
def test_call_without_a_cdp_reply_times_out_at_its_budget(
    fault: Fault, words: str, relay: FaultyRelay, through: Browser
) -> None:
    # Without this, Tabwarden reports a slow page as recovering.
    through.configure(through._config.model_copy(update={"hang_patience": 8}))
    relay.arm(fault)
    error = bounded(through)
    assert isinstance(error, BudgetExceeded)
    assert words in error.message + error.hint
    assert error.data["steps"]
    assert goes_on(through)
    assert relay.fired


@pytest.mark.whole
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Garble(method=SCRIPTS), "The reply is malformed"),
        (Refuse(method=SCRIPTS), "Something went wrong"),
        (Answer(method=SCRIPTS), "has an unexpected format"),
        (refuse_domain("Runtime"), "'Runtime.evaluate' wasn't found"),
    ],
    ids=["garbled", "error", "other reply", "domain rejected"],
)
def test_error_reply_or_malformed_reply_fails_the_call_at_once(
    fault: Fault, words: str, relay: FaultyRelay, through: Browser
) -> None:
    relay.arm(fault)
    error = bounded(through)
    assert isinstance(error, NotSupported)
    assert words in error.message
    relay.disarm()
    assert goes_on(through)


@pytest.mark.whole
@pytest.mark.parametrize(
    "fault",
    [
        Delay(method=SCRIPTS, seconds=0.1),
        Duplicate(method="*", times=20),
        Duplicate(method="*", kind="event", times=20),
        Garble(method=SCRIPTS, how="no utf-8"),
        Overtake(method=SCRIPTS),
    ],
    ids=["delayed", "replies twice", "events twice", "no utf-8", "overtaken"],
)
def test_call_succeeds_despite_delayed_duplicate_or_reordered_messages(
    fault: Fault, relay: FaultyRelay, through: Browser
) -> None:
    relay.arm(fault)
    assert bounded(through) == 21
    assert goes_on(through)
    assert relay.fired


@pytest.mark.parametrize("kind", ["command", "reply"])
@pytest.mark.parametrize("at_byte", [0, 1, 3, 40, -1])
def test_call_fails_at_once_when_the_connection_breaks_and_the_browser_reconnects(
    at_byte: int, kind: Any, relay: FaultyRelay, through: Browser
) -> None:
    relay.arm(Cut(method="Runtime.evaluate", kind=kind, at_byte=at_byte))
    error = bounded(through)
    assert isinstance(error, BrowserGone)
    assert error.data["reconnecting"]
    assert "did not repeat it" in error.hint
    assert goes_on(through)
    assert relay.connections > 1


def test_reordered_replies_on_two_sessions_reach_the_right_callers(
    relay: FaultyRelay, through: Browser, site: Site
) -> None:
    through.tabs("open", url=site.here + "/")
    first, second = (tab.tab_id for tab in through.state.tabs)
    relay.arm(Overtake(method=SCRIPTS, times=8))
    for number in range(8):
        tab_id = (first, second)[number % 2]
        assert through.evaluate(f"{number}", tab_id=tab_id).value == number
    assert len(relay.fired) == 8


@pytest.mark.parametrize("method", ["Page.javascriptDialogOpening", "Debugger.paused", "*"])
@pytest.mark.parametrize("bridge", ["native", "auto"])
def test_duplicate_dialog_events_create_one_dialog(
    bridge: Any, method: str, relay: FaultyRelay, site: Site
) -> None:
    config = BrowserConfig(dialog_bridge=bridge)
    with Browser.connect(relay.url, context="own", config=config) as browser:
        browser.goto(site.page("/", ASK))
        ref = ref_of(browser.snapshot(), '"Ask"')
        relay.arm(Duplicate(method=method, kind="event", times=1_000))
        assert browser.click(ref).interrupted
        # With native dialogs, a new dialog implies that the previous one has closed.
        told = 2 if bridge == "native" and method != "Debugger.paused" else 1
        eventually(lambda: [d.id for d in browser.state.pending_dialogs] == [f"d-{told}"])
        browser.dialog("accept")
        assert browser.evaluate("document.title").value == "true"
        assert browser.state.pending_dialogs == ()
        closed = browser.state.recent_dialogs
        assert closed[-1].closed_by == "agent"
        assert len(closed) == told


def test_duplicate_target_events_create_one_tab(relay: FaultyRelay, through: Browser) -> None:
    relay.arm(Duplicate(method="Target.*", kind="event", times=1_000))
    through.tabs("open")
    assert goes_on(through)
    assert [tab.tab_id for tab in through.state.tabs] == ["t1", "t2"]
    through.tabs("close", tab_id="t2")
    assert [tab.tab_id for tab in through.state.tabs] == ["t1"]


def test_supervisor_reattaches_to_a_tab_whose_session_was_closed(
    relay: FaultyRelay, through: Browser, site: Site
) -> None:
    (tab,) = through.state.tabs
    assert tab.session_id is not None
    relay.detach(tab.session_id)
    eventually(lambda: tab.session_id not in through.state.sessions)
    eventually(lambda: through.state.tabs)
    assert goes_on(through)
    (again,) = through.state.tabs
    assert again.target_id == tab.target_id
    assert again.session_id != tab.session_id
    assert through.evaluate("document.title").value == "Test"


def test_supervisor_finds_a_frame_dialog_whose_event_was_lost_with_the_connection(
    relay: FaultyRelay, through: Browser, site: Site
) -> None:
    """In frames of this site and another site, which cannot read the same cookies."""
    site.page("/inner", "<p>inner")
    inner = "".join(f"<iframe src='{at}/inner'></iframe>" for at in (site.here, site.there))
    through.goto(site.page("/", inner))
    for frame in through.state.frame_tree.children:
        relay.arm(Cut(method="Debugger.evaluateOnCallFrame", kind="reply", at_byte=0))
        asks = "setTimeout(() => { document.title = confirm('Anybody?') }); 0"
        through.evaluate(asks, frame_id=frame.frame_id)
        eventually(lambda: through.state.pending_dialogs)
        (dialog,) = through.state.pending_dialogs
        assert (dialog.message, dialog.frame_id) == ("Anybody?", frame.frame_id)
        # A headless shell closes a dialog when any client disconnects. While the guard sends our
        # answer, the new connection may report the same dialog as another one.
        with contextlib.suppress(NoDialog):
            through.dialog("accept")
        eventually(lambda: not through.state.pending_dialogs)
        told = through.evaluate("document.title + document.cookie", frame_id=frame.frame_id)
        assert told.value in ("true", "false")
    assert len(relay.fired) == 2


@pytest.mark.whole
@pytest.mark.parametrize("domain", ["Debugger", "Fetch", "Emulation", "Network"])
def test_dialogs_work_in_a_browser_that_lacks_a_cdp_domain(
    domain: str, relay: FaultyRelay, site: Site
) -> None:
    relay.arm(refuse_domain(domain))
    with Browser.connect(relay.url, context="own") as browser:
        browser.goto(site.page("/", ASK))
        assert browser.click(ref_of(browser.snapshot(), '"Ask"')).interrupted
        browser.dialog("accept")
        assert browser.evaluate("document.title").value == "true"
        assert len(browser.state.recent_dialogs) == 1


def test_call_on_a_stalled_connection_ends_at_its_budget(
    relay: FaultyRelay, through: Browser
) -> None:
    relay.stall()
    assert isinstance(bounded(through), BudgetExceeded)
    relay.flow()
    assert goes_on(through)


def test_dialog_opened_on_a_stalled_connection_is_reported_after_the_stall(
    relay: FaultyRelay, through: Browser, site: Site
) -> None:
    """The call's recovery ended the debugger pause before the dialog was reported."""
    through.goto(site.page("/", ASK))
    through.evaluate("setTimeout(() => document.querySelector('button').click(), 100); 0")
    relay.stall()
    assert through.snapshot(timeout_ms=1_500).stale
    relay.flow()
    eventually(lambda: through.state.pending_dialogs)
    through.dialog("accept")
    assert through.evaluate("document.title").value == "true"


@pytest.mark.parametrize(
    ("breaks", "timeout_ms"),
    [
        (Cut(method="Target.setAutoAttach", kind="command", at_byte=3, times=FOREVER), 20_000),
        # A slow machine may need the whole budget for the first answer, without a reason to report.
        pytest.param(Drop(kind="command", times=FOREVER), CALL_MS, marks=pytest.mark.calm),
    ],
    ids=["cut", "no response"],
)
def test_connect_reports_a_connection_that_breaks_during_attach(
    breaks: Fault, timeout_ms: float, relay: FaultyRelay
) -> None:
    relay.arm(breaks)
    with in_time(CALL_MS / 1000), pytest.raises(EndpointUnreachable) as caught:
        Browser.connect(relay.url, timeout_ms=timeout_ms)
    assert caught.value.hint
    relay.disarm()
    with Browser.connect(relay.url, context="own") as browser:
        assert goes_on(browser)

"""Recovery steps that a real browser never triggers, or not in this order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from mock.mock_browser import NEVER, MockBrowser, Received, Refused
from support.pace import allow

from tabwarden import BrowserConfig
from tabwarden.browser.opening import registry
from tabwarden.errors import BrowserGone, BudgetExceeded, TabwardenError
from tabwarden.supervisor.core.state.inputs import ReplaceTab
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser


@pytest.fixture
def mock() -> Iterator[MockBrowser]:
    with MockBrowser() as mock:
        yield mock


def hang(mock: MockBrowser, browser: Browser) -> BudgetExceeded:
    """Make the first page's renderer unresponsive; return the error of the call that met it."""
    browser.goto("https://example.com/")
    mock.silent |= {"S1 Runtime.evaluate", "S1 Page.createIsolatedWorld"}
    with pytest.raises(BudgetExceeded) as caught:
        browser.evaluate("1", timeout_ms=allow(300))
    return caught.value


def free_when_left(mock: MockBrowser) -> None:
    """A hung page responds again once it is left; there is no history to go back in."""

    def left(command: Received) -> dict[str, object]:
        if "S1 Runtime.evaluate" in mock.silent:
            mock.silent.clear()
        return mock._usual(command)

    mock.answers["Page.navigate"] = left
    mock.answers["Page.getNavigationHistory"] = lambda _: {"currentIndex": 0, "entries": []}


def stay_quiet(mock: MockBrowser, browser: Browser) -> BudgetExceeded:
    """The first page hangs whenever its scripts are on, so they end up disabled."""

    def switched(command: Received) -> dict[str, object]:
        off = command.params["value"] or not mock.pages[1].url.startswith("https://example")
        hangs = {"S1 Runtime.evaluate", "S1 Page.createIsolatedWorld"}
        mock.silent = mock.silent - hangs if off else mock.silent | hangs
        return {}

    def refused(_: Received) -> dict[str, object]:
        raise Refused("no worlds here")

    mock.answers["Emulation.setScriptExecutionDisabled"] = switched
    mock.answers["Page.createIsolatedWorld"] = refused
    return hang(mock, browser)


@pytest.mark.calm
def test_stopping_a_hung_script_keeps_the_page(mock: MockBrowser) -> None:
    def stopped(_: Received) -> dict[str, object]:
        mock.silent.discard("S1 Runtime.evaluate")
        return {}

    mock.answers["Runtime.terminateExecution"] = stopped
    with Browser.connect(mock.url) as browser:
        error = hang(mock, browser)
        assert error.data["steps"] == ["probe: no answer", "Runtime.terminateExecution"]
        assert error.data["state"] == "freed"
        assert "lost" not in error.data
        assert browser.evaluate("1 + 1").value == 2


def test_scripts_stay_disabled_on_a_hanging_page_until_it_navigates(
    mock: MockBrowser,
) -> None:
    with Browser.connect(mock.url) as browser:
        error = stay_quiet(mock, browser)
        # On a slow machine, the call ends before the step that works.
        told = {"quieted": "Emulation.setScriptExecutionDisabled", "recovering": "not finished"}
        assert told[error.data["state"]] in str(error.data["steps"])
        assert "scripts are off" in browser.snapshot().text
        assert "Emulation.setScriptExecutionDisabled" in [c.method for c in mock.received]
        assert browser.state.tabs[0].scripts_off
        assert browser.evaluate("1 + 1").value == 2
        browser.goto("https://elsewhere.example/")
        assert not browser.state.tabs[0].scripts_off
        urls = [c.params["url"] for c in mock.received if c.method == "Page.navigate"]
        assert urls[-2:] == ["about:blank", "https://elsewhere.example/"]


def test_goto_stops_a_script_that_starts_while_goto_leaves_a_hung_page(
    mock: MockBrowser,
) -> None:
    """Seen on a slow machine: disabled scripts run between two documents."""

    def stopped(_: Received) -> dict[str, object]:
        left = [c for c in mock.received if c.params.get("url") == "about:blank"]
        if left and "S1 Page.navigate" in mock.silent:
            mock.silent.discard("S1 Page.navigate")
            answering.append(asyncio.ensure_future(mock._answer(left[-1])))
        return {}

    answering: list[asyncio.Future[None]] = []
    mock.answers["Runtime.terminateExecution"] = stopped
    with Browser.connect(mock.url) as browser:
        stay_quiet(mock, browser)
        mock.silent.add("S1 Page.navigate")
        arrived = browser.goto("https://elsewhere.example/", timeout_ms=10_000)
        assert (arrived.status, arrived.url) == ("ok", "https://elsewhere.example/")
        assert answering


def test_goto_continues_in_the_new_tab_if_its_tab_is_replaced(
    mock: MockBrowser,
) -> None:
    """Seen on a slow machine, where each wait is longer."""
    slow = BrowserConfig(hang_patience=10)
    with Browser.connect(mock.url, config=slow) as browser, ThreadPoolExecutor() as callers:
        stay_quiet(mock, browser)
        mock.silent.add("S1 Page.navigate")
        url = "https://elsewhere.example/"
        call = callers.submit(browser.goto, url, timeout_ms=10_000)
        mock.wait_for("Page.navigate", times=2)
        supervisor = registry.get(browser.task_id)
        assert supervisor is not None
        engine_loop().loop.call_soon_threadsafe(supervisor.feed, ReplaceTab("t1", "about:blank"))
        assert call.result().url == url
        assert browser.state.tabs[0].target_id == "T2"


@pytest.mark.long
def test_goto_waits_for_a_blank_page_only_for_part_of_its_budget(mock: MockBrowser) -> None:
    """Also on a machine that is reported as slow."""

    def stopped(_: Received) -> dict[str, object]:
        mock.silent.discard("S1 Page.navigate")
        return {}

    mock.answers["Page.stopLoading"] = stopped
    with Browser.connect(mock.url, config=BrowserConfig(hang_patience=10)) as browser:
        stay_quiet(mock, browser)
        mock.silent.add("S1 Page.navigate")
        arrived = browser.goto("https://elsewhere.example/", timeout_ms=10_000)
        assert arrived.url == "https://elsewhere.example/"


@pytest.mark.long
def test_slow_browser_does_not_delay_the_replacement_of_a_hung_tab(
    mock: MockBrowser,
) -> None:
    def slow_to_refuse(_: Received) -> dict[str, object]:
        time.sleep(0.2)
        raise Refused("Not attached to an active page")

    mock.answers["Page.getNavigationHistory"] = slow_to_refuse
    with Browser.connect(mock.url) as browser:
        browser.goto("https://example.com/")
        told = {
            "frameId": "T1", "url": "https://elsewhere.example/", "loaderId": "L9",
            "navigationType": "differentDocument",
        }  # fmt: skip
        mock.event("Page.frameStartedNavigating", told, "S1")
        assert mock.wait_for("Target.createTarget").params["url"] == "https://elsewhere.example/"


@pytest.mark.calm
def test_slow_snapshot_returns_a_stale_outline_and_keeps_the_page(mock: MockBrowser) -> None:
    reading: list[str] = []

    def evaluated(command: Received) -> dict[str, object]:
        if command.params["expression"].startswith("__tabwarden.snapshot"):
            reading.append(command.params["expression"])
        return NEVER if reading else mock._usual(command)

    def stopped(_: Received) -> dict[str, object]:
        reading.clear()
        return {}

    mock.isolates = True
    mock.answers["Runtime.evaluate"] = evaluated
    mock.answers["Runtime.terminateExecution"] = stopped
    with Browser.connect(mock.url) as browser:
        browser.goto("https://example.com/")
        told = browser.snapshot(timeout_ms=allow(2_000)).text
        assert "STALE" in told
        assert "Allow more time" in told
        mock.wait_for("Runtime.terminateExecution", times=2)  # our own script does not keep running
        (tab,) = browser.state.tabs
        assert (tab.generation, tab.url) == (1, "https://example.com/"), "the page is lost"
        assert browser.evaluate("1 + 1").value == 2


def test_call_returns_before_page_recovery_ends_during_a_flood_of_events(
    mock: MockBrowser,
) -> None:
    with Browser.connect(mock.url) as browser:
        browser.goto("https://example.com/")
        free_when_left(mock)
        mock.silent.add("S1 Runtime.terminateExecution")  # its reply arrives after the events
        mock.flood = 100
        error = hang(mock, browser)
        assert error.data["state"] == "recovering"
        assert "Page.navigate" not in error.data["steps"], "it waited for all that was done"
        assert browser.evaluate("1 + 1").value == 2


def test_call_does_not_wait_for_recovery_in_a_busy_browser(mock: MockBrowser) -> None:
    def slow(_: Received) -> dict[str, object]:
        if "S1 Runtime.evaluate" in mock.silent:
            time.sleep(0.15)
        return {}

    def stopped(_: Received) -> dict[str, object]:
        mock.silent.clear()
        return {}

    mock.answers["Browser.getVersion"] = slow
    mock.answers["Runtime.terminateExecution"] = stopped
    with Browser.connect(mock.url) as browser:
        error = hang(mock, browser)
        assert error.data["state"] == "recovering"
        assert "Runtime.terminateExecution" not in error.data["steps"]
        assert browser.evaluate("1 + 1").value == 2


def test_tab_moves_to_a_new_renderer_if_its_own_cannot_be_stopped(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        browser.goto("https://example.com/")
        free_when_left(mock)
        mock.silent |= {"S1 Runtime.evaluate", "S1 Page.createIsolatedWorld"}
        with pytest.raises(BudgetExceeded) as caught:
            browser.evaluate("1", timeout_ms=allow(300))
        told = caught.value.data
        assert told["state"] == "recovering" or "refs" in told["lost"]  # a slow machine is not done
        assert told["state"] in ("renewed", "recovering")
        assert browser.evaluate("1 + 1").value == 2
        (tab,) = browser.state.tabs
        assert (tab.tab_id, tab.target_id, tab.generation) == ("t1", "T1", 2)
        assert tab.url == "https://example.com/"
        assert browser.evaluate("1 + 1").value == 2


@pytest.mark.long
def test_supervisor_replaces_a_tab_that_cannot_leave_its_renderer(mock: MockBrowser) -> None:
    with Browser.connect(mock.url) as browser:
        browser.goto("https://example.com/")
        mock.silent |= {"S1 Runtime.evaluate", "S1 Page.navigate", "S1 Page.getNavigationHistory"}
        with pytest.raises(BudgetExceeded):
            browser.evaluate("1", timeout_ms=allow(300))
        assert browser.evaluate("1 + 1").value == 2
        (tab,) = browser.state.tabs
        assert (tab.tab_id, tab.target_id) == ("t1", "T2")
        assert mock.wait_for("Target.closeTarget").params == {"targetId": "T1"}


def test_unrecoverable_tab_raises_browser_gone_and_recovery_opens_a_new_tab(
    mock: MockBrowser,
) -> None:
    wanted = []

    def created(command: Received) -> dict[str, object]:
        wanted.append(command.params["url"])
        if len(wanted) == 1:
            raise Refused("no more targets")
        return mock._usual(command)

    mock.answers["Target.createTarget"] = created
    with Browser.connect(mock.url) as browser:
        browser.goto("https://example.com/")
        mock.silent |= {"S1 Runtime.evaluate", "S1 Page.navigate", "S1 Page.getNavigationHistory"}
        with pytest.raises(BudgetExceeded):
            browser.evaluate("1", timeout_ms=allow(300))
        with pytest.raises(BrowserGone) as caught:
            browser.evaluate("1", tab_id="t1", timeout_ms=allow(5_000))
        assert "could not be recovered" in caught.value.message
        assert wanted == ["https://example.com/", "about:blank"]
        assert browser.evaluate("1 + 1").value == 2
        assert browser.state.active_tab_id == "t2"
        with pytest.raises(BrowserGone, match="Tab t1 hung") as again:
            browser.evaluate("1", tab_id="t1")
        assert again.value.hint.startswith("Continue in tab t2.")


@pytest.mark.calm
def test_supervisor_recovers_a_page_that_hangs_again_during_evaluate(
    mock: MockBrowser,
) -> None:
    probes: list[Received] = []

    def stopped(_: Received) -> dict[str, object]:
        mock.silent.clear()
        return {}

    def answered_twice(command: Received) -> dict[str, object]:
        if command.params["expression"] in ("0", "(async () => 0)()"):
            probes.append(command)
            if len(probes) == 2:  # before the action, and ahead of its script
                mock.silent.add("S1 Runtime.evaluate")
        return mock._usual(command)

    mock.answers["Runtime.terminateExecution"] = stopped
    with Browser.connect(mock.url) as browser, ThreadPoolExecutor() as callers:
        hang(mock, browser)
        assert browser.evaluate("1 + 1").value == 2
        mock.answers["Runtime.evaluate"] = answered_twice
        call = callers.submit(browser.evaluate, "1 + 1", timeout_ms=60_000)
        mock.wait_for("Emulation.setScriptExecutionDisabled")
        assert not call.done()
        browser.close()
        assert isinstance(call.exception(10), TabwardenError)

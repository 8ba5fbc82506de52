"""A browser that other clients use: the client that opened a tab handles its dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, sync_playwright
from support.asking import pending_dialogs
from support.eventually import eventually
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.sync import Browser


@pytest.fixture
def theirs(port: int) -> Iterator[Page]:
    """A Playwright tab in the same browser."""
    with sync_playwright() as playwright:
        other = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        yield other.contexts[0].new_page()


@pytest.mark.parametrize(
    "policy", ["must_respond", pytest.param("auto_accept", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("has_read", [pytest.param(False, marks=pytest.mark.long), True])
def test_dialog_in_playwrights_tab_reaches_its_listener_once(
    policy: Any, has_read: bool, port: int, theirs: Page, site: Site
) -> None:
    heard: list[Dialog] = []
    theirs.on("dialog", lambda one: heard.append(one))
    config = BrowserConfig(dialog_policy=policy, dialog_timeout_s=0.05)
    with Browser.connect(f"http://127.0.0.1:{port}", config=config) as browser:
        browser.tabs("open")
        theirs.goto(site.page("/", "<h1>Theirs</h1>"))
        tab = eventually(lambda: next((t for t in browser.state.tabs if site.here in t.url), None))
        if has_read:
            assert "Theirs" in browser.snapshot(tab_id=tab.tab_id).text
        theirs.evaluate("setTimeout(() => { window.got = confirm('Sure?') }, 0)")
        (dialog,) = pending_dialogs(browser, 1)
        assert (dialog.channel, dialog.tab_id) == ("native", tab.tab_id)
        assert f"Dialog {dialog.id}" in browser.snapshot(tab_id=tab.tab_id).text
        assert "Dialog" in browser.snapshot().text
        theirs.wait_for_timeout(200)  # long enough for a watchdog and a second report
        assert [(one.type, one.message) for one in heard] == [("confirm", "Sure?")]
        assert browser.state.pending_dialogs == (dialog,)
        heard[0].accept()
        assert theirs.evaluate("got") is True
        pending_dialogs(browser, 0)
        assert browser.state.recent_dialogs[-1].closed_by == "remote"


@pytest.mark.long
def test_agent_can_answer_a_dialog_in_playwrights_tab(port: int, theirs: Page, site: Site) -> None:
    theirs.on("dialog", lambda _: None)
    with Browser.connect(f"http://127.0.0.1:{port}") as browser:
        theirs.goto(site.page("/", "<h1>Theirs</h1>"))
        theirs.evaluate("setTimeout(() => { window.got = prompt('Name?') }, 0)")
        (dialog,) = pending_dialogs(browser, 1)
        browser.dialog("accept", "Ada", dialog_id=dialog.id)
        assert theirs.evaluate("got") == "Ada"


@pytest.mark.long
def test_agent_can_read_its_own_tab_behind_a_dialog(port: int, theirs: Page, site: Site) -> None:
    page = "<h1>Ours</h1><button onclick=\"window.got = confirm('Sure?')\">Go</button>"
    with Browser.connect(f"http://127.0.0.1:{port}") as browser:
        browser.tabs("open", url=site.page("/", page))
        assert browser.click(browser.snapshot().ref("Go")).interrupted
        (dialog,) = pending_dialogs(browser, 1)
        assert dialog.channel == "debugger"
        assert not browser.snapshot().stale
        browser.dialog("accept")
        assert browser.evaluate("got").value is True


def test_playwright_handles_the_file_chooser_of_its_own_tab(
    port: int, theirs: Page, site: Site
) -> None:
    with Browser.connect(f"http://127.0.0.1:{port}") as browser:
        theirs.goto(site.page("/", "<input type=file>"))
        with theirs.expect_file_chooser():
            theirs.click("input")
        assert browser.state.file_choosers == ()

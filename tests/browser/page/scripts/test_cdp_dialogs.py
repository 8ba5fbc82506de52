"""Raw ``Page.handleJavaScriptDialog`` answers the open dialog of any kind."""

from __future__ import annotations

from typing import Any

import pytest
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import Disabled, FrameNotFound, InvalidArgument, NoDialog
from tabwarden.sync import Browser

ANSWER = "Page.handleJavaScriptDialog"


@pytest.mark.whole
@pytest.mark.parametrize("asks", ["page", "frame of another site"])
@pytest.mark.parametrize(
    ("script", "params", "given"),
    [
        ("confirm('Sure?')", {"accept": True, "promptText": "ignored"}, "true"),
        ("confirm('Sure?')", {"accept": False}, "false"),
        ("prompt('Name?', 'Ada')", {"accept": True, "promptText": "Bea"}, "Bea"),
        ("prompt('Name?', 'Ada')", {"accept": True}, ""),
        ("prompt('Name?', 'Ada')", {"accept": False, "promptText": "Bea"}, "null"),
    ],
)
def test_cdp_answers_the_pages_open_dialog(
    browser: Browser, site: Site, asks: str, script: str, params: dict[str, Any], given: str
) -> None:
    button = f"<button onclick=\"parent.postMessage('<' + {script} + '>', '*')\">Ask</button>"
    hears = "<script>onmessage = said => document.title = said.data</script>"
    site.page("/ask", button)
    inside = button if asks == "page" else f"<iframe src='{site.there}/ask'></iframe>"
    browser.goto(site.page("/", inside + hears))
    assert browser.click("text=Ask").interrupted
    answered = browser.cdp(ANSWER, params)
    assert (answered.action, answered.value) == ("cdp", {})
    assert browser.state.recent_dialogs[-1].closed_by == "agent"
    assert browser.wait(script=f"document.title === '<{given}>'").status == "ok"


def test_cdp_answers_the_dialog_in_the_given_tab(browser: Browser, site: Site) -> None:
    page = site.page("/", "<button onclick='document.title = confirm(1)'>Ask</button>")
    browser.goto(page)
    first = browser.state.active_tab_id
    assert browser.click("text=Ask").interrupted
    browser.tabs("open", url=page)
    second = next(tab for tab in browser.state.tabs if tab.tab_id != first)
    with pytest.raises(NoDialog):
        browser.cdp(ANSWER, {"accept": True}, target_id=second.target_id)
    assert browser.click("text=Ask").interrupted
    browser.cdp(ANSWER, {"accept": True})
    assert [one.tab_id for one in browser.state.pending_dialogs] == [first], "the active tab first"
    browser.cdp(ANSWER, {"accept": False}, tab_id=first)
    assert browser.evaluate("document.title", tab_id=first).value == "false"


def test_cdp_rejects_an_invalid_or_disabled_dialog_answer(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "Here"))
    with pytest.raises(NoDialog):
        browser.cdp(ANSWER, {"accept": True})
    for params in ({}, {"accept": "yes"}, {"accept": True, "promptText": 1}):
        with pytest.raises(InvalidArgument) as refused:
            browser.cdp(ANSWER, params)
        assert refused.value.data["field"] == "params"
    with pytest.raises(FrameNotFound):
        browser.cdp(ANSWER, {"accept": True}, target_id="none")
    browser.configure(BrowserConfig(cdp_enabled=False))
    try:
        with pytest.raises(Disabled):
            browser.cdp(ANSWER, {"accept": True})
    finally:
        browser.configure(BrowserConfig())

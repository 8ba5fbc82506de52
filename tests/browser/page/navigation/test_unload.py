"""Pages with beforeunload dialogs: the agent decides for every way to leave them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.eventually import eventually
from support.pace import in_time
from support.reading import ref_of
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.page import ActionResult
from tabwarden.sync import Browser

HANDLER = "<script>addEventListener('beforeunload', (event) => event.preventDefault())</script>"
DRAFT = f"""{HANDLER}<h1>Draft</h1><input aria-label=Note>
<a href=/next>Link</a> <button onclick="location = '/next'">Assign</button>
<button onclick="setTimeout(() => location.reload())">Again</button>"""


@pytest.fixture(scope="module", params=["auto", "debugger", "xhr", "native"])
def bridged(request: pytest.FixtureRequest) -> Iterator[Browser]:
    with Browser.launch(config=BrowserConfig(dialog_bridge=request.param)) as browser:
        yield browser


@pytest.fixture
def browser(bridged: Browser) -> Browser:
    before = bridged.state
    bridged.tabs("open")
    for tab in before.tabs:
        if bridged.tabs("close", tab_id=tab.tab_id).interrupted:
            bridged.dialog("accept")
    return bridged


def edit(browser: Browser, site: Site, path: str = "/draft") -> None:
    """Open the draft and edit it like a user; otherwise the browser opens no dialog."""
    site.page("/next", "<h1>Next</h1>", title="Next")
    site.page("/first", "<h1>First</h1>", title="First")
    browser.goto(site.here + "/first")
    browser.goto(site.here + path)
    browser.type("changed", ref_of(browser.snapshot(), "Note"))


def heading(browser: Browser) -> str:
    return str(browser.evaluate("document.querySelector('h1')?.innerText").value)


LEAVES: dict[str, tuple[Callable[[Browser, Site], ActionResult], str]] = {
    "goto": (lambda browser, site: browser.goto(site.here + "/next"), "Next"),
    "reload": (lambda browser, site: browser.reload(), "Draft"),
    "back": (lambda browser, site: browser.back(), "First"),
    "link": (lambda browser, site: browser.click(ref_of(browser.snapshot(), "Link")), "Next"),
    "location": (lambda browser, site: browser.click(ref_of(browser.snapshot(), "Assign")), "Next"),
    "script": (lambda browser, site: browser.evaluate("location = '/next'; 0"), "Next"),
    "scripted-reload": (
        lambda browser, site: browser.click(ref_of(browser.snapshot(), "Again")),
        "Draft",
    ),
}


@pytest.mark.parametrize("name", LEAVES)
def test_agent_can_stay_on_or_leave_a_page_with_a_beforeunload_dialog(
    name: str, browser: Browser, site: Site
) -> None:
    leave, arrives = LEAVES[name]
    site.page("/draft", DRAFT, title="Draft")
    edit(browser, site)
    for action in ("dismiss", "accept"):
        with in_time(1.0):
            result = leave(browser, site)
        if name in ("script", "scripted-reload"):  # the script ends before the dialog opens
            eventually(lambda: browser.state.pending_dialogs)
        else:
            assert result.interrupted
            assert result.by is not None
            assert result.by["dialog"]["type"] == "beforeunload"
            assert "browser.dialog(" in result.next
        (dialog,) = browser.state.pending_dialogs
        assert (dialog.type, dialog.channel, dialog.message) == ("beforeunload", "native", "")
        closed = browser.dialog(action).value
        assert (closed["type"], closed["accepted"]) == ("beforeunload", action == "accept")
        if action == "dismiss":
            assert heading(browser) == "Draft"
            assert browser.evaluate("document.querySelector('input').value").value == "changed"
    eventually(lambda: heading(browser) == arrives)
    if arrives == "Draft":
        assert browser.evaluate("document.querySelector('input').value").value == ""
    assert browser.state.recent_dialogs[-1].closed_by == "agent"
    assert browser.state.pending_dialogs == ()


@pytest.mark.parametrize("name", ["link", "location", "script", "scripted-reload"])
def test_dismissing_a_beforeunload_dialog_does_not_report_a_loading_page(
    name: str, browser: Browser, site: Site
) -> None:
    site.page("/draft", DRAFT, title="Draft")
    edit(browser, site)
    LEAVES[name][0](browser, site)
    eventually(lambda: browser.state.pending_dialogs)
    with in_time(1.0):
        done = browser.dialog("dismiss", timeout_ms=20_000)
    assert "loading" not in done.note


def test_agent_can_keep_or_close_a_tab_with_a_beforeunload_dialog(
    browser: Browser, site: Site
) -> None:
    site.page("/draft", DRAFT)
    draft = browser.state.active_tab_id
    edit(browser, site)
    browser.tabs("open")
    result = browser.tabs("close", tab_id=draft)
    assert result.interrupted
    assert result.by is not None
    assert result.by["dialog"]["type"] == "beforeunload"
    browser.dialog("dismiss")
    assert draft in {tab.tab_id for tab in browser.state.tabs}
    assert (
        browser.evaluate("document.querySelector('input').value", tab_id=draft).value == "changed"
    )
    assert browser.tabs("close", tab_id=draft).interrupted
    browser.dialog("accept")
    eventually(lambda: draft not in {tab.tab_id for tab in browser.state.tabs})


def test_page_without_unsaved_changes_opens_no_beforeunload_dialog(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/draft", DRAFT))
    assert browser.goto(site.page("/next", "<h1>Next</h1>")).status == "ok"
    assert heading(browser) == "Next"


@pytest.mark.parametrize("other", [False, True], ids=["same-process", "own-process"])
def test_beforeunload_handler_in_a_frame_opens_a_dialog_for_the_whole_page(
    other: bool, browser: Browser, site: Site
) -> None:
    site.page("/inner", f"{HANDLER}<input aria-label=Note>")
    source = (site.there if other else site.here) + "/inner"
    site.page("/draft", f"<h1>Draft</h1><iframe src='{source}'></iframe>")
    edit(browser, site)
    assert browser.goto(site.here + "/next").interrupted
    (dialog,) = browser.state.pending_dialogs
    assert (dialog.type, dialog.channel) == ("beforeunload", "native")
    browser.dialog("dismiss")
    assert heading(browser) == "Draft"
    assert browser.goto(site.here + "/next").interrupted
    browser.dialog("accept")
    eventually(lambda: heading(browser) == "Next")


def test_confirm_inside_a_beforeunload_handler_returns_false(browser: Browser, site: Site) -> None:
    asks = "window.got = confirm('In it?'); event.preventDefault()"
    handler = f"<script>addEventListener('beforeunload', (event) => {{ {asks} }})</script>"
    site.page("/draft", f"{handler}<h1>Draft</h1><input aria-label=Note>")
    edit(browser, site)
    assert browser.goto(site.here + "/next").interrupted
    (dialog,) = browser.state.pending_dialogs
    assert dialog.type == "beforeunload"
    browser.dialog("dismiss")
    assert browser.evaluate("got").value is False


def test_page_kept_by_a_dismissed_beforeunload_dialog_can_open_new_dialogs(
    browser: Browser, site: Site
) -> None:
    site.page("/draft", DRAFT)
    edit(browser, site)
    assert browser.goto(site.here + "/next").interrupted
    browser.dialog("dismiss")
    browser.evaluate("setTimeout(() => { window.got = prompt('Still?') }); 0")
    eventually(lambda: browser.state.pending_dialogs)
    browser.dialog("accept", prompt_text="yes")
    assert browser.evaluate("got").value == "yes"


@pytest.mark.parametrize("policy", ["auto_accept", "auto_dismiss"])
def test_dialog_policy_accepts_a_beforeunload_dialog_when_the_agent_leaves(
    policy: Any, site: Site
) -> None:
    site.page("/draft", DRAFT)
    with Browser.launch(config=BrowserConfig(dialog_policy=policy)) as browser:
        edit(browser, site)
        result = browser.goto(site.here + "/next")
        eventually(lambda: not browser.state.pending_dialogs)
        eventually(lambda: heading(browser) == "Next")
        (closed,) = browser.state.recent_dialogs
        assert (closed.type, closed.closed_by) == ("beforeunload", "auto_policy")
        assert result.status in ("ok", "interrupted")
        assert browser.goto(site.here + "/first").status in ("ok", "interrupted")

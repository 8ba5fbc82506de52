"""Dialogs of any origin: reported at once, answered, and blocking nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from support.asking import pending_dialogs
from support.pace import allow, in_time
from support.site import Site

import tabwarden
from tabwarden.errors import AmbiguousDialog, DialogPending, InvalidArgument, NoDialog
from tabwarden.sync import Browser

BUTTON = (
    '<button style="position:fixed;left:0;top:0;width:100px;height:50px" onclick="{}">Go</button>'
)


@pytest.mark.parametrize(
    ("script", "answer", "text", "value"),
    [
        ("alert('hello')", "accept", None, None),
        ("alert('hello')", "dismiss", None, None),
        ("confirm('sure?')", "accept", None, True),
        ("confirm('sure?')", "dismiss", None, False),
        ("prompt('name?', 'Bob')", "accept", "Ann", "Ann"),
        ("prompt('name?', 'Bob')", "accept", None, "Bob"),
        ("prompt('name?', 'Bob')", "accept", "", ""),
        ("prompt('name?', 'Bob')", "dismiss", None, None),
    ],
)
def test_click_that_opens_a_dialog_returns_and_the_page_receives_the_answer(
    browser: Browser, site: Site, script: str, answer: Any, text: str | None, value: Any
) -> None:
    browser.goto(site.page("/", BUTTON.format(f"window.got = [{script}]")))
    result = browser.click(x=20, y=20, timeout_ms=10_000)
    assert result.interrupted
    assert result.by is not None
    assert result.by["kind"] == "dialog"
    shown = result.by["dialog"]
    assert shown["type"] == script.partition("(")[0]
    assert "browser.dialog(" in result.next

    closed = browser.dialog(answer, text).value
    assert closed["closed_by"] == "agent"
    assert closed["accepted"] is (answer == "accept")
    assert browser.evaluate("window.got[0] ?? null").value == value
    assert browser.state.pending_dialogs == ()
    assert browser.state.recent_dialogs[-1].id == shown["id"]


@pytest.mark.parametrize("bridge", ["auto", "xhr", "native"])
def test_calls_behind_an_open_dialog_fail_at_once_and_identify_it(bridge: Any, site: Site) -> None:
    config = tabwarden.BrowserConfig(dialog_bridge=bridge)
    with Browser.launch(config=config) as browser:
        calls_behind_a_dialog(browser, site, bridge)


def calls_behind_a_dialog(browser: Browser, site: Site, bridge: str) -> None:
    browser.goto(site.page("/", BUTTON.format("confirm('wait')")))
    dialog_id = browser.click(x=20, y=20).by["dialog"]["id"]  # type: ignore[index]
    calls: list[Any] = [
        lambda: browser.click(x=20, y=20),
        lambda: browser.type("x"),
        lambda: browser.press("Enter"),
        lambda: browser.goto("about:blank"),
    ]
    if bridge == "auto":  # the page can be read behind it
        assert browser.evaluate("1").value == 1
        assert not browser.snapshot().stale
    else:
        calls.append(lambda: browser.evaluate("1"))
        assert browser.snapshot().stale
    for call in calls:
        with in_time(0.0), pytest.raises(DialogPending) as caught:
            call()
        assert caught.value.data["dialog"]["id"] == dialog_id
        assert "browser.dialog(" in caught.value.hint
    assert browser.tabs().value[0]["active"]
    assert browser.console().value == []
    assert "1 dialog waiting" in browser.state_message()
    browser.dialog("dismiss")


def test_state_shows_a_dialog_opened_by_a_timer_without_a_call(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", BUTTON.format("setTimeout(() => alert('ding'), 30)")))
    browser.click(x=20, y=20)
    (dialog,) = pending_dialogs(browser, 1)
    assert (dialog.type, dialog.message) == ("alert", "ding")
    browser.dialog("accept", dialog_id=dialog.id)
    assert browser.evaluate("1 + 1").value == 2


def test_dialog_during_page_load_interrupts_goto(browser: Browser, site: Site) -> None:
    url = site.page("/", "<p>before</p><script>window.got = prompt('who?')</script><p>after</p>")
    result = browser.goto(url)
    assert result.interrupted
    browser.dialog("accept", "me")
    assert browser.evaluate("[window.got, document.body.innerText]").value == [
        "me",
        "before\n\nafter",
    ]


@pytest.mark.parametrize("other", [False, True], ids=["same-site", "cross-site"])
def test_dialog_in_a_frame_identifies_its_frame_and_can_be_answered(
    browser: Browser, site: Site, other: bool
) -> None:
    site.page("/inner", "<script>setTimeout(() => { window.got = confirm('inner?') }, 20)</script>")
    source = (site.there if other else site.here) + "/inner"
    browser.goto(site.page("/", f'<iframe src="{source}"></iframe>'))
    (dialog,) = pending_dialogs(browser, 1)
    (frame,) = browser.state.frame_tree.children
    assert dialog.frame_id == frame.frame_id
    assert frame.is_oopif is other
    browser.dialog("accept")
    assert browser.evaluate("window.got", frame_id=frame.frame_id).value is True


def test_dialog_in_a_popup_can_be_answered_without_blocking_the_opener(
    browser: Browser, site: Site
) -> None:
    site.page("/popup", "<script>window.got = confirm('popup?')</script>", title="Popup")
    browser.goto(site.page("/", BUTTON.format("window.open('/popup')")))
    browser.click(x=20, y=20)
    (dialog,) = pending_dialogs(browser, 1)
    opener = browser.state.active_tab_id
    popup = next(tab for tab in browser.state.tabs if tab.tab_id == dialog.tab_id)
    assert popup.opener_tab_id == opener
    browser.dialog("accept")
    assert browser.evaluate("window.got", tab_id=popup.tab_id).value is True
    browser.click(x=20, y=20, tab_id=opener)
    (again,) = pending_dialogs(browser, 1)
    assert again.tab_id not in (opener, popup.tab_id)
    browser.dialog("dismiss")


def test_agent_answers_a_specific_dialog_by_id(browser: Browser, site: Site) -> None:
    url = site.page(
        "/", "<script>setTimeout(() => { window.got = confirm(location.hash) })</script>"
    )
    first = browser.tabs("open").tab_id
    second = browser.tabs("open").tab_id
    for tab_id, mark in ((first, "#one"), (second, "#two")):
        browser.goto(url + mark, tab_id=tab_id)
    one, two = pending_dialogs(browser, 2)
    with pytest.raises(AmbiguousDialog) as caught:
        browser.dialog("accept")
    assert {d["id"] for d in caught.value.data["dialogs"]} == {one.id, two.id}
    with pytest.raises(NoDialog, match=f"in tab {one.tab_id}"):
        browser.dialog("accept", dialog_id=two.id, tab_id=one.tab_id)
    browser.dialog("dismiss", tab_id=two.tab_id)
    browser.dialog("accept", dialog_id=one.id)
    assert browser.evaluate("window.got", tab_id=one.tab_id).value is True
    assert browser.evaluate("window.got", tab_id=two.tab_id).value is False


def test_dialog_action_rejects_unknown_ids_and_text_for_a_confirm(
    browser: Browser, site: Site
) -> None:
    with pytest.raises(NoDialog):
        browser.dialog("accept")
    browser.goto(site.page("/", BUTTON.format("confirm('x')")))
    browser.click(x=20, y=20)
    (waits,) = browser.state.pending_dialogs
    with pytest.raises(NoDialog) as missed:
        browser.dialog("accept", dialog_id="d-999999")
    assert waits.id in missed.value.hint
    assert "is not blocked" not in missed.value.hint
    assert [dialog["id"] for dialog in missed.value.data["dialogs"]] == [waits.id]
    with pytest.raises(InvalidArgument) as caught:
        browser.dialog("accept", "text")
    assert caught.value.data["field"] == "prompt_text"
    browser.dialog("accept")


def test_dialog_interrupts_the_evaluate_call_that_opened_it(browser: Browser) -> None:
    result = browser.evaluate("confirm('from a script')", timeout_ms=allow(5_000))
    assert result.interrupted
    browser.dialog("accept")
    assert browser.evaluate("1 + 1").value == 2


def test_closing_a_tab_closes_its_dialog(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", BUTTON.format("alert('going')")))
    browser.click(x=20, y=20)
    (dialog,) = browser.state.pending_dialogs
    browser.tabs("open")
    browser.tabs("close", tab_id=dialog.tab_id)
    assert browser.state.pending_dialogs == ()
    assert browser.state.recent_dialogs[-1].closed_by == "remote"
    assert browser.state.recent_dialogs[-1].accepted is not True


def test_agent_can_accept_or_dismiss_a_beforeunload_dialog(browser: Browser, site: Site) -> None:
    script = "window.addEventListener('beforeunload', (e) => e.preventDefault())"
    first = site.page("/draft", BUTTON.format(script), title="Draft")
    second = site.page("/next", "next", title="Next")
    browser.goto(first)
    browser.click(x=20, y=20)
    stay = browser.goto(second)
    assert stay.interrupted
    assert stay.by is not None
    assert stay.by["dialog"]["type"] == "beforeunload"
    assert "leave and lose unsaved changes" in stay.next
    browser.dialog("dismiss")
    assert browser.evaluate("document.title").value == "Draft"
    assert browser.goto(second).interrupted
    browser.dialog("accept")
    assert browser.evaluate("document.title").value == "Next"


def test_dialog_action_waits_for_a_navigation_or_dialog_that_its_answer_causes(
    browser: Browser, site: Site
) -> None:
    site.page("/next", "next", title="Next")
    browser.goto(site.page("/", BUTTON.format("if (confirm('Go?')) location = '/next'")))
    browser.click(x=20, y=20)
    assert browser.dialog("accept").url == site.here + "/next"
    browser.goto(site.page("/twice", BUTTON.format("alert('one'); alert('two')")))
    browser.click(x=20, y=20)
    again = browser.dialog("accept")
    assert again.note == "Another dialog opened."
    assert [dialog["message"] for dialog in again.new_since_last.dialogs] == ["two"]
    browser.dialog("accept")


@pytest.mark.parametrize(("policy", "value"), [("auto_dismiss", False), ("auto_accept", True)])
def test_dialog_policy_answers_a_dialog_and_the_state_reports_it(
    site: Site, policy: Any, value: bool
) -> None:
    config = tabwarden.BrowserConfig(dialog_policy=policy)
    with Browser.launch(config=config) as browser:
        browser.goto(site.page("/", "<p>plain</p>"))
        first = browser.evaluate("window.got = confirm('auto?')")
        assert first.status == "interrupted"
        assert browser.evaluate("window.got").value is value
        (closed,) = browser.state.recent_dialogs
        assert closed.closed_by == "auto_policy"


def test_watchdog_dismisses_an_unanswered_dialog(site: Site) -> None:
    config = tabwarden.BrowserConfig(dialog_timeout_s=0.2)
    with Browser.launch(config=config) as browser:
        browser.goto(site.page("/", "<p>plain</p>"))
        assert browser.evaluate("window.got = confirm('anybody?')").interrupted
        pending_dialogs(browser, 0)
        assert browser.state.recent_dialogs[-1].closed_by == "watchdog"
        assert browser.evaluate("window.got").value is False


def test_next_result_reports_unseen_dialogs_and_errors_once(browser: Browser, site: Site) -> None:
    url = site.page(
        "/", "<script>setTimeout(() => { console.error('bad thing'); alert(1) })</script>"
    )
    browser.goto(url)
    pending_dialogs(browser, 1)
    news = browser.tabs().new_since_last
    told = [*news.console_errors]
    if not news.dialogs:  # it interrupted the navigation itself, which reported it
        news = browser.tabs().new_since_last
    assert [error["text"] for error in told] in (["bad thing"], [])
    assert browser.tabs().new_since_last.dialogs == ()
    browser.dialog("accept")
    assert browser.tabs().new_since_last.dialogs == ()


@pytest.mark.parametrize(
    "script", ["while (true) alert('again')", "setInterval(() => alert('again'), 1)"]
)
def test_agent_can_close_a_tab_that_opens_endless_dialogs(
    script: str, browser: Browser, site: Site
) -> None:
    storm = browser.state.active_tab_id
    browser.goto(site.page("/", f"<script>{script}</script>"))
    for _ in range(6):
        pending_dialogs(browser, 1)
        browser.dialog("accept")
    pending_dialogs(browser, 1)
    with pytest.raises(DialogPending) as caught:
        browser.press("Tab")
    assert f"browser.tabs(mode='close', tab_id='{storm}')" in caught.value.hint
    browser.tabs("open", url=site.page("/2", "two"))
    browser.tabs("close", tab_id=storm)
    assert [tab.url for tab in browser.state.tabs] == [site.here + "/2"]
    assert browser.evaluate("document.body.innerText").value == "two"
    assert browser.state.pending_dialogs == ()

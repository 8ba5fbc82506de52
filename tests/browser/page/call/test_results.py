"""Results: what an agent would ask next is in the answer: where it is, what has the focus, and,
on request, what the page shows now.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest
from support.pace import allow
from support.reading import ref_of
from support.site import Site

from tabwarden.actions.result_text import result_words
from tabwarden.browser.opening import registry
from tabwarden.errors import InvalidArgument
from tabwarden.page.input.pointing import press_guard
from tabwarden.page.task.titles import LateTitles
from tabwarden.sync import Browser
from tabwarden.wire import Connection

PAGE = """<input aria-label=Name><button onclick="setTimeout(() => out.textContent = 'Saved', 30)">
Save</button><p id=out>Not yet</p><a href="/next">Next</a> <a href="#part">Part</a>
<button onclick="alert('Sure?')">Ask</button>"""


@pytest.fixture
def page(browser: Browser, site: Site) -> Browser:
    site.page("/next", "<h1>There</h1>", title="Next")
    browser.goto(site.page("/", PAGE, title="Start"))
    return browser


def test_results_contain_the_focused_element_and_its_ref(page: Browser) -> None:
    snapshot = page.snapshot()
    name, save = ref_of(snapshot, '"Name"'), ref_of(snapshot, '"Save"')
    assert page.click(name).focus == {"ref": name, "role": "textbox", "name": "Name"}
    pressed = page.press("Tab")
    assert pressed.focus == {"ref": save, "role": "button", "name": "Save"}
    assert f'focus: button "Save" [ref={save}]' in result_words(pressed).splitlines()
    assert page.type("Ann", name).focus == {"ref": name, "role": "textbox", "name": "Name"}
    assert page.click(x=600, y=500).focus is None
    assert "focus" not in result_words(page.click(x=600, y=500))


@pytest.mark.parametrize("where", ["here", "there"])
def test_click_reports_the_focused_element_inside_a_frame(
    where: str, browser: Browser, site: Site
) -> None:
    site.page("/inner", "<input aria-label=Inner>")
    browser.goto(site.page("/", f'<iframe src="{getattr(site, where)}/inner"></iframe>'))
    inner = ref_of(browser.snapshot(), '"Inner"')
    focus = browser.click(inner).focus
    assert focus is not None
    assert focus["ref"] == inner


def test_press_reports_the_combobox_as_focused_after_its_list_closes(
    browser: Browser, site: Site
) -> None:
    page = """<input role=combobox aria-label=City aria-activedescendant=o><div role=listbox id=l>
    <div role=option id=o>Oslo</div></div><script>
    addEventListener('keydown', (e) => { l.hidden = e.key === 'Enter' })</script>"""
    browser.goto(site.page("/", page))
    browser.click(browser.snapshot().ref("City"))
    opened, closed = browser.press("ArrowDown"), browser.press("Enter")
    assert opened.focus is not None
    assert closed.focus is not None
    assert (opened.focus["name"], closed.focus["name"]) == ("Oslo", "City")


def test_results_distinguish_new_document_and_same_document_navigation(
    page: Browser, site: Site
) -> None:
    snapshot = page.snapshot()
    assert page.click(ref_of(snapshot, '"Save"')).navigation == ""
    part = page.click(ref_of(snapshot, '"Part"'))
    assert (part.navigation, part.url) == ("same_document", site.here + "/#part")
    left = page.click(ref_of(snapshot, '"Next"'))
    assert (left.navigation, left.title) == ("new_document", "Next")
    assert left.focus is None
    assert '(a new document): "Next"' in result_words(left)
    assert page.back().navigation == "new_document"


def test_click_returns_a_changed_title_without_an_extra_browser_request(
    page: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Otherwise a page that reports a press's effect after 20 ms costs a request for its title.
    monkeypatch.setattr(press_guard, "GUARD_ANSWER_MS", 20_000.0)
    page.wait(load_state="networkidle")  # then the browser is asked for the page title once more
    supervisor = registry.get(page.task_id)
    assert supervisor is not None
    send, sent = Connection.send, []
    ask, late_titles = LateTitles._ask, threading.Event()

    def recorded(self: Connection, method: str, *rest: Any) -> int:
        if self is supervisor.connection:
            sent.append(method)
        return send(self, method, *rest)

    def asked(self: LateTitles) -> None:
        ask(self)
        late_titles.set()

    monkeypatch.setattr(Connection, "send", recorded)
    monkeypatch.setattr(LateTitles, "_ask", asked)
    page.evaluate("document.querySelector('button').onclick = () => { document.title = 'Done' }")
    assert late_titles.wait(60)  # a title set by a script is requested a moment later
    save = ref_of(page.snapshot(), '"Save"')
    page.click(x=600, y=500)
    sent.clear()
    assert page.click(save).title == "Done"
    assert [method for method in sent if method.startswith("Target.")] == []
    assert page.state.tabs[0].title == "Done"


def test_results_include_the_requested_snapshot_or_diff(page: Browser) -> None:
    snapshot = page.snapshot()
    save = ref_of(snapshot, '"Save"')
    assert page.hover(save).snapshot is None
    changed = page.click(save, snapshot="diff").snapshot
    assert "+ - paragraph" in changed.text or '"Saved"' in changed.text
    assert '"Next"' not in changed.text
    whole = page.press("Tab", snapshot="full")
    assert '"Next"' in whole.snapshot.text
    assert "Saved" in whole.snapshot.text
    assert whole.snapshot.text in result_words(whole)


def test_every_action_that_changes_a_page_can_return_a_snapshot(page: Browser, site: Site) -> None:
    name = ref_of(page.snapshot(), '"Name"')
    for done in (
        page.goto(site.here + "/", snapshot="full"),
        page.reload(snapshot="full"),
        page.scroll(snapshot="full"),
        page.hover(x=5, y=5, snapshot="full"),
        page.wait(text="Save", snapshot="full"),
        page.drag(from_x=300, from_y=300, to_x=310, to_y=310, snapshot="full"),
    ):
        assert done.status == "ok"
        assert '"Save"' in done.snapshot.text
    name = ref_of(page.snapshot(), '"Name"')
    assert 'value="Ann"' in page.type("Ann", name, snapshot="full").snapshot.text
    filled = page.fill_form([{"ref": name, "value": "Bob"}], snapshot="diff")
    assert 'value="Bob"' in filled.snapshot.text
    assert "There" in page.goto(site.here + "/next", snapshot="full").snapshot.text
    assert '"Save"' in page.back(snapshot="full").snapshot.text
    assert "There" in page.forward(snapshot="full").snapshot.text


def test_click_that_opens_a_dialog_shows_the_dialog_in_its_snapshot(page: Browser) -> None:
    ask = ref_of(page.snapshot(), '"Ask"')
    result = page.click(ask, snapshot="full")
    assert result.interrupted
    assert "Sure?" in result.snapshot.text
    assert '"Save"' in page.dialog("accept", snapshot="full").snapshot.text


def test_click_returns_a_snapshot_of_a_page_that_never_stops_changing(
    page: Browser, site: Site
) -> None:
    page.evaluate("setInterval(() => { out.textContent = Math.random() }, 10); null")
    save = ref_of(page.snapshot(), '"Save"')
    assert '"Save"' in page.click(save, snapshot="full").snapshot.text


def test_dialog_succeeds_with_a_note_when_its_snapshot_fails(page: Browser) -> None:
    asks = "setTimeout(() => { confirm('Sure?'); for (;;) {} }); await new Promise(() => {})"
    assert page.evaluate(asks).interrupted
    done = page.dialog("accept", snapshot="diff", timeout_ms=allow(500))
    assert done.status == "ok"
    assert done.snapshot is None
    assert done.note is not None
    assert "snapshot after the action failed" in done.note
    assert "stopped" in done.note or "recover" in done.note


def test_unknown_snapshot_option_error_identifies_the_field(page: Browser) -> None:
    with pytest.raises(InvalidArgument) as caught:
        page.click(x=1, y=1, snapshot="some")  # type: ignore[arg-type]
    assert caught.value.data["field"] == "snapshot"

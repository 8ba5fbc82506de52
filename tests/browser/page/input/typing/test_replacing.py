"""Typing replaces a field's text on every surface, and the result says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser.surfaces.cli.shell import shell
from browser.surfaces.http.client import Api, serving
from support.site import Site

from tabwarden.sync import Browser
from tabwarden.tools.sync import Tools

FIELDS = [
    "<input aria-label=F value=Old>",
    "<textarea aria-label=F>Old</textarea>",
    "<p contenteditable role=textbox aria-label=F>Old</p>",
]


@pytest.fixture
def open_field(browser: Browser, site: Site) -> str:
    browser.goto(site.page("/", FIELDS[0]))
    return browser.snapshot().ref("F")


@pytest.mark.parametrize("slowly", [False, True])
@pytest.mark.parametrize("html", FIELDS)
def test_type_replaces_the_text_of_a_field_unless_clear_is_false(
    html: str, browser: Browser, site: Site, *, slowly: bool
) -> None:
    browser.goto(site.page("/", html))
    ref = browser.snapshot().ref("F")
    assert browser.type("Ann", ref, slowly=slowly).value == {"value": "Ann", "was": "Old"}
    assert browser.type("a", ref, slowly=slowly, clear=False).value == {"value": "Anna"}
    assert browser.type("", ref, slowly=slowly).value == {"value": "", "was": "Anna"}
    assert browser.type("Bea", ref, slowly=slowly).value == {"value": "Bea"}


def test_type_without_a_ref_inserts_at_the_caret(browser: Browser, open_field: str) -> None:
    browser.focus(open_field)
    browser.press("Home")
    browser.type("Very ")
    assert browser.evaluate("el => el.value", open_field).value == "Very Old"


def test_type_does_not_return_a_replaced_password(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<input type=password aria-label=F value=hidden>"))
    done = browser.type("other", browser.snapshot().ref("F"))
    assert "was" not in done.value
    assert browser.evaluate("document.querySelector('input').value").value == "other"


@pytest.fixture
def page(site: Site) -> str:
    return site.page("/", FIELDS[0])


def test_type_tool_replaces_the_text_of_a_field(page: str) -> None:
    with Tools() as tools:
        tools.call("browser_navigate", {"url": page})
        typed = tools.call("browser_type", {"ref": "css=input", "text": "Ann"}).text
        assert 'value: {"was": "Old"}' in typed


def test_type_command_replaces_the_text_of_a_field(page: str, tmp_path: Path) -> None:
    with shell(tmp_path) as terminal:
        terminal.run("open", page)
        assert '"was": "Old"' in terminal.run("type", "css=input", "Ann").out
        assert 'value="Anna"' in terminal.run("type", "css=input", "a", "--no-clear").out


def test_http_api_replaces_the_text_of_a_field(page: str) -> None:
    with serving() as server, Api(server.url) as api:
        api.post("/start")
        api.post("/navigate", url=page)
        api.act("type", ref=api.ref('"F"'), text="Ann")
        assert api.value("() => document.querySelector('input').value") == "Ann"


LATE = """<div id=f contenteditable role=textbox aria-label=F></div><script>
f.onbeforeinput = (event) => {
  event.preventDefault();
  setTimeout(() => { f.textContent += event.data }, 30);
};</script>"""


def test_type_reports_nothing_for_an_editor_that_renders_the_text_later(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", LATE))
    done = browser.type("Ann and Bea", browser.snapshot().ref("F"))
    assert (done.value, done.note) == ({"value": "Ann and Bea"}, "")


KEPT = """<div id=f contenteditable role=textbox aria-label=F>Kept</div><script>
f.onbeforeinput = (event) => event.preventDefault();</script>"""


def test_type_reports_when_a_field_keeps_its_old_text(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", KEPT))
    done = browser.type("", browser.snapshot().ref("F"))
    assert done.value["value"] == "Kept"
    assert "still has text" in done.note


CATCHER = """<table><tr><td>1<td>2</table>
<textarea aria-label=F style='position:absolute;width:1px;height:1px;border:0;padding:0'>
</textarea>"""


def test_type_suggests_the_slowly_option_for_tab_characters_in_a_grid(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", CATCHER))
    done = browser.type("a\tb\nc\td", browser.snapshot().ref("F"))
    assert "use slowly=true, which presses Tab and Enter" in done.note

"""CEF's sample application (Chromium 131): its tabs, dialogs and cookies."""

from __future__ import annotations

import pytest
from support.embedders import Attach
from support.needs import needs
from support.pace import in_time
from support.site import Site

pytestmark = [pytest.mark.long, needs("cef")]

PAGE = """
<h1>Application</h1><p id=result>nothing</p>
<button onclick="result.textContent = 'answer: ' + confirm('Delete it?')">Ask</button>
<button onclick="window.open('/second')">Open</button>
<div role=listbox tabindex=0 aria-activedescendant=o2><div role=option>1</div>
<div role=option id=o2>2</div></div>
"""


def test_agent_reads_an_application_with_chromium_131_and_answers_its_dialog(cef: Attach) -> None:
    browser = cef(PAGE)
    outline = browser.snapshot().text
    assert 'heading "Application"' in outline
    browser.click(browser.snapshot().ref("Ask"))
    assert 'confirm "Delete it?"' in browser.snapshot().text
    browser.dialog("accept")
    assert "answer: true" in browser.snapshot().text


def test_active_option_is_shown_where_chromium_does_not_reflect_it(cef: Attach) -> None:
    browser = cef(PAGE + "<script>document.querySelector('[role=listbox]').focus()</script>")
    line = next(one for one in browser.snapshot().text.splitlines() if 'option "2"' in one)
    assert "active" in line


def test_tab_opened_for_the_agent_is_attached(cef: Attach, site: Site) -> None:
    browser = cef(PAGE)
    with in_time(5):
        browser.tabs("open", url=site.page("/second", "<h1>Second</h1>"))
    assert 'heading "Second"' in browser.snapshot().text
    assert len(browser.tabs("close").value) == 1


def test_window_of_a_page_becomes_a_tab(cef: Attach, site: Site) -> None:
    browser = cef(PAGE)
    site.page("/second", "<h1>Second</h1>")
    browser.click(browser.snapshot().ref("Open"))
    browser.tabs("switch", tab_index=1)
    assert 'heading "Second"' in browser.snapshot().text


def test_cookies_are_read_and_changed(cef: Attach) -> None:
    browser = cef(PAGE)
    browser.evaluate("document.cookie = 'a=1'")
    browser.cookies("set", name="b", value="2")
    assert [one["name"] for one in browser.cookies().value] == ["a", "b"]
    assert browser.cookies("clear").value == {"deleted": 2}

"""Typed text goes into the given field or nowhere; otherwise a note says so."""

from __future__ import annotations

from typing import Any

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import NotInteractable, Obscured
from tabwarden.sync import Browser

HELD = "[nm.value ?? nm.textContent, pw.value, sent]"
DIALOG = """<script>sent = []</script>
<button onclick="d.showModal()">Open</button>
<dialog id=d aria-label=Login><form onsubmit="sent.push(pw.value); return false">
<label>Password <input id=pw></label><button>OK</button></form></dialog>"""
FIELDS = {
    "text": "<input id=nm aria-label=Name>",
    "date": "<input id=nm type=date aria-label=Name>",
    "range": "<input id=nm type=range min=0 value=0 aria-label=Name>",
    "rich": "<div id=nm contenteditable role=textbox aria-label=Name></div>",
    "wrapped": "<div role=group aria-label=Name tabindex=0><input id=nm></div>",
}
TRAP = """<script>sent = []</script><label>Name <input id=nm></label>
<div id=m role=dialog aria-modal=true aria-label=Login hidden
 style="position:fixed;inset:0;background:#fff"><button id=cl>Close</button>
 <label>Password <input id=pw></label></div><script>
const back = () => { if (!m.contains(document.activeElement)) pw.focus() };
const open_ = (at) => { m.hidden = false; at.focus(); addEventListener('focusin', HOW) };
</script>"""


def typed(browser: Browser, ref: str, how: str, text: str) -> None:
    if how == "type":
        browser.type(text, ref, clear=True, press_enter=True)
    elif how == "slowly":
        browser.type(text, ref, slowly=True, press_enter=True)
    else:
        browser.fill_form([{"ref": ref, "value": text}])


@pytest.mark.parametrize("how", ["type", "slowly", "fill"])
@pytest.mark.parametrize("kind", FIELDS)
def test_typing_into_a_field_behind_a_dialog_changes_nothing(
    kind: str, how: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", FIELDS[kind] + DIALOG))
    page = browser.snapshot()
    name = ref_of(page, '"Name"')
    browser.click(page.ref("Open"))
    held = browser.evaluate(HELD).value
    text = {"date": "2024-02-29", "range": "50"}.get(kind, "Ada")
    with pytest.raises(Obscured) as caught:
        typed(browser, name, how, text)
    by = caught.value.data["by"]
    assert (by["role"], by["name"]) == ("dialog", "Login")
    assert [one["name"] for one in by["buttons"]] == ["OK"]
    assert browser.evaluate(HELD).value == held


def test_type_fails_on_an_inert_field(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<div id=off><input aria-label=Name></div><input aria-label=Two>"))
    page = browser.snapshot()
    browser.click(page.ref("Two"))
    browser.evaluate("off.inert = true; null")
    with pytest.raises(NotInteractable, match="inert") as caught:
        browser.type("Ada", ref_of(page, '"Name"'))
    assert caught.value.data["reason"] == "inert"
    read = "[...document.querySelectorAll('input')].map((e) => e.value)"
    assert browser.evaluate(read).value == ["", ""]


@pytest.mark.parametrize("at", ["pw", "cl"])
@pytest.mark.parametrize("how", ["back", "() => setTimeout(back, 10)"])
def test_type_enters_no_text_into_a_dialog_that_takes_focus_back(
    how: str, at: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", TRAP.replace("HOW", how)))
    name = ref_of(browser.snapshot(), '"Name"')
    browser.evaluate(f"open_({at})")
    with pytest.raises(Obscured) as caught:
        browser.type("Ada", name, press_enter=True)
    by = caught.value.data["by"]
    assert (by["role"], by["name"]) == ("dialog", "Login")
    assert "Close" in caught.value.hint
    assert browser.evaluate(HELD).value == ["", "", []]


def test_type_and_click_identify_the_dialog_that_covers_a_field(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", TRAP.replace("HOW", "() => {}")))
    name = ref_of(browser.snapshot(), '"Name"')
    browser.evaluate("open_(pw)")
    for act in (lambda: browser.type("Ada", name), lambda: browser.click(name)):
        with pytest.raises(Obscured) as caught:
            act()
        assert caught.value.data["by"]["name"] == "Login"
        assert "Close" in caught.value.hint
    assert browser.evaluate("document.querySelector('input').value").value == ""


def test_type_waits_until_an_overlay_disappears(browser: Browser, site: Site) -> None:
    page = """<input aria-label=Name><div id=over style="position:fixed;inset:0"></div>
    <script>document.querySelector('input').onfocus = () => setTimeout(() => over.remove(), 200)
    </script>"""
    browser.goto(site.page("/", page))
    assert browser.type("Ada", browser.snapshot().ref("Name")).value == {"value": "Ada"}


def test_type_ignores_a_decorative_element_over_its_field(browser: Browser, site: Site) -> None:
    page = """<div style="position:relative;width:200px"><input aria-label=Code
    style="width:100%;opacity:0"><div style="position:absolute;inset:0">_ _ _ _</div></div>
    <input aria-label=Next>"""
    browser.goto(site.page("/", page))
    assert browser.type("1234", browser.snapshot().ref("Code")).value == {"value": "1234"}


SEARCH = """<input aria-label=Search id=s><script>
const open_ = () => {
  if (document.querySelector('dialog')) return;
  const d = document.body.appendChild(document.createElement('dialog'));
  d.innerHTML = '<input aria-label=Query id=q onkeydown="this.dataset.key = event.key">';
  d.showModal();
};
s.onfocus = HOW;</script>"""


@pytest.mark.parametrize("how", ["open_", "() => setTimeout(open_)"])
def test_type_reports_that_a_search_field_opened_and_received_the_keys(
    how: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", SEARCH.replace("HOW", how)))
    # If the page is slower than the typing, the search field gets the text, and only Enter is lost.
    done = browser.type("find", ref_of(browser.snapshot(), '"Search"'), press_enter=True)
    assert browser.evaluate("s.value || q.value").value == "find"
    query = browser.snapshot().ref("Query")
    assert f"{query} (textbox 'Query')" in done.note
    assert browser.evaluate("q.dataset.key").value == "Enter"


def test_type_reaches_an_editors_heading_and_a_field_in_a_shadow_root(
    browser: Browser, site: Site
) -> None:
    rich = """<div contenteditable id=rich><h2>Head</h2></div><my-f></my-f><script>
    customElements.define('my-f', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'MODE', delegatesFocus: true}).innerHTML = '<input aria-label=In>';
    }});</script>"""
    for mode in ("open", "closed"):
        browser.goto(site.page("/", rich.replace("MODE", mode)))
        page = browser.snapshot()
        done: Any = browser.type("Ada", page.ref("In"))
        assert (done.value, done.note) == ({"value": "Ada"}, "")
        browser.type("Tail", ref_of(page, '"Head"') if '"Head" [' in page.text else "css=h2")
        assert "Tail" in browser.evaluate("rich.innerText").value

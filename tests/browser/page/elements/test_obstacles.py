"""Obstacles: an action waits for a temporary one, and reports any other at once."""

from __future__ import annotations

import threading

import pytest
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import NotInteractable, Obscured
from tabwarden.sync import Browser

GOAL = (
    "<button id=goal onclick='did = 1'>Goal</button><script>did = 0</script>"
    "<p>Enough words that nobody takes the page for one that has not drawn anything yet.</p>"
)
COVER = "<div id=cover {} style='position:fixed;inset:0;background:#fff'>{}</div>"
SPINNER = (
    "<style>@keyframes turn {{ to {{ rotate: 360deg }} }}</style>"
    "<div class=spinner style='width:30px;height:30px;animation:turn 1s infinite'></div>"
)
OPENED = {
    "dialog": COVER.format("role=dialog aria-label=Offer", "News"),
    "banner": COVER.format(
        "", "<p>We use cookies</p><button>More</button><button>Accept all</button>"
    ),
    "menu": COVER.format("role=menu", "<div role=menuitem>Copy</div>"),
}
WORKING = {
    "busy": COVER.format("role=dialog aria-busy=true", "Rows"),
    "spins": COVER.format("role=dialog", SPINNER),
    "says": COVER.format("role=dialog", "Loading data"),
    "fades": COVER.format("role=dialog", "News").replace(
        "style='", "style='transition:opacity 3s;"
    ),
}


def goal(browser: Browser, site: Site, more: str = "") -> str:
    browser.goto(site.page("/", GOAL + more))
    return ref_of(browser.snapshot(), '"Goal"')


@pytest.mark.parametrize("how", WORKING)
def test_click_waits_until_a_busy_or_fading_overlay_disappears(
    browser: Browser, site: Site, how: str
) -> None:
    """A dialog that does neither is reported at once."""
    ref = goal(browser, site, WORKING[how])
    browser.evaluate("cover.style.opacity = 0.5; setTimeout(() => cover.remove(), 600); null")
    browser.click(ref)
    assert browser.evaluate("did").value == 1


def test_click_waits_for_an_overlay_that_has_just_appeared(browser: Browser, site: Site) -> None:
    ref = goal(browser, site)
    cover = COVER.format("", "Shop")
    browser.evaluate(f"document.body.insertAdjacentHTML('beforeend', `{cover}`); null")
    browser.evaluate("setTimeout(() => cover.remove(), 2200); null")
    browser.click(ref)
    assert browser.evaluate("did").value == 1


@pytest.mark.long
def test_click_waits_for_pending_requests_that_enable_the_button(
    browser: Browser, site: Site
) -> None:
    """The first request ends when the page sends the second, later than the usual wait."""
    ends = threading.Event()
    empty = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    site.pages["/end"] = lambda request: (ends.set(), request.wfile.write(empty))[0]
    site.pages["/data"] = lambda request: (ends.wait(9), request.wfile.write(empty))[0]
    script = """<script>goal.disabled = true; setTimeout(() => fetch('/end'), 2600);
    fetch('/data').then(() => { goal.disabled = false })</script>"""
    browser.click(goal(browser, site, script))
    assert browser.evaluate("did").value == 1


@pytest.mark.parametrize("kind", OPENED)
def test_click_reports_a_covering_dialog_banner_or_menu_at_once(
    browser: Browser, site: Site, kind: str
) -> None:
    """A click that waited would succeed."""
    ref = goal(browser, site, OPENED[kind])
    browser.evaluate("setTimeout(() => cover.remove(), 3000); null")
    with pytest.raises(Obscured) as caught:
        browser.click(ref)
    if kind == "banner":
        closer = caught.value.data["by"]["buttons"][0]
        assert closer["name"] == "Accept all"
        assert caught.value.hint.count(closer["ref"]) == 1
        assert "also contains" in caught.value.hint


NOT_NOW = {
    "disabled": ("disabled", "field.disabled = false"),
    "read-only": ("readonly", "field.readOnly = false"),
    "hidden": ("", "field.hidden = false"),
    "in a disabled form": ("", "set.disabled = false"),
}


@pytest.mark.parametrize("how", NOT_NOW)
@pytest.mark.parametrize("act", ["type", "fill_form"])
def test_type_and_fill_form_wait_until_a_field_is_editable(
    browser: Browser, site: Site, how: str, act: str
) -> None:
    mark, enable = NOT_NOW[how]
    browser.goto(
        site.page("/", f"<fieldset id=set><input id=field {mark} aria-label=Name></fieldset>")
    )
    ref = ref_of(browser.snapshot(), '"Name"')
    hide = {"hidden": "field.hidden = true;", "in a disabled form": "set.disabled = true;"}
    browser.evaluate(f"{hide.get(how, '')} setTimeout(() => {{ {enable} }}, 600); null")
    if act == "type":
        browser.type("Ada", ref)
    else:
        browser.fill_form([{"ref": ref, "value": "Ada"}])
    assert browser.evaluate("field.value").value == "Ada"


@pytest.mark.parametrize("act", ["click", "type"])
@pytest.mark.long
def test_click_and_type_find_an_element_that_rerenders_while_they_wait(
    browser: Browser, site: Site, act: str
) -> None:
    """Only the selector identifies the element as the same."""
    first = "<input type=button class=it value=One disabled>"
    second = "<input class=it onclick='did = 1' value=Two>"
    browser.goto(site.page("/", f"<div id=room>{first}</div><script>did = 0</script>"))
    for there in (first.replace("One", "Other"), second):
        browser.evaluate(f"setTimeout(() => {{ room.innerHTML = `{there}` }}, 400); null")
        if there == second:
            getattr(browser, act)(*(["x"] if act == "type" else []), "css=.it")
        else:
            with pytest.raises(NotInteractable):
                browser.click("css=.it", timeout_ms=2_500)
    found = browser.evaluate("[did, document.querySelector('.it').value]").value
    assert found == ([1, "Two"] if act == "click" else [0, "Twox"])

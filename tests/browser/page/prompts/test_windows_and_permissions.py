"""What a page asks of the browser without an element of its own: pop-ups, downloads, permissions,
pointer lock and full screen.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.site import Site

from tabwarden.actions.result_text import result_words
from tabwarden.errors import NotInteractable
from tabwarden.sync import Browser


@pytest.fixture(params=["shell", pytest.param("whole", marks=needs("chromium"))])
def opened(request: pytest.FixtureRequest) -> Iterator[Browser]:
    about = {"executable": whole_chromium()} if request.param == "whole" else {}
    with Browser.launch(**about) as browser:
        yield browser


TWO = "<button onclick=\"window.open('/a'); window.open('/b')\">Go"


@needs("chromium")  # a headless shell opens both
def test_blocked_popup_is_reported_with_its_url(site: Site) -> None:
    with Browser.launch(executable=whole_chromium()) as browser:
        browser.goto(site.page("/", TWO))
        clicked = browser.click(browser.snapshot().ref("Go"))
        eventually(lambda: [one for one in browser.state.notes if one.kind == "popup"])
        (note,) = browser.state.notes
        assert note.text == f"{site.here}/b"
        assert len(browser.state.tabs) == 2
        told = result_words(clicked) + result_words(browser.hover(x=300, y=300))
        assert f'the browser blocked a pop-up: "{site.here}/b"' in told
        assert "browser_tabs" in told


def test_each_popup_opens_or_is_reported_as_blocked(site: Site) -> None:
    with Browser.launch() as browser:
        browser.goto(site.page("/", TWO))
        browser.click(browser.snapshot().ref("Go"))
        eventually(lambda: len(browser.state.tabs) + len(browser.state.notes) == 3)
        browser.evaluate("new Promise((later) => setTimeout(later, 500))")
        assert len(browser.state.tabs) + len(browser.state.notes) == 3


def test_more_than_ten_downloads_at_once_are_reported(opened: Browser, site: Site) -> None:
    page = """<button onclick="for (let at = 0; at < 12; at++) Object.assign(
      document.createElement('a'), {href: 'data:,' + at, download: at + '.txt'}).click()">Go"""
    opened.goto(site.page("/", page))
    opened.click(opened.snapshot().ref("Go"))
    eventually(lambda: len(opened.state.downloads) == 10)
    (note,) = opened.state.notes
    assert (note.kind, note.text[:19]) == ("download", "10 began at once. C")


@pytest.mark.parametrize("call", ["requestPointerLock", "requestFullscreen"])
def test_escape_leaves_pointer_lock_and_full_screen(opened: Browser, site: Site, call: str) -> None:
    page = f"""<button onclick="document.body.{call}()">Go</button>
      <script>window.keys = []; onkeydown = (event) => keys.push(event.key)</script>"""
    opened.goto(site.page("/", page))
    is_on = "Boolean(document.pointerLockElement ?? document.fullscreenElement)"
    opened.press("Escape")
    assert opened.evaluate("keys.join()").value == "Escape"
    opened.click(opened.snapshot().ref("Go"))
    eventually(lambda: opened.evaluate(is_on).value is True)
    assert "press Escape" in opened.snapshot().text
    opened.press("Escape")
    eventually(lambda: opened.evaluate(is_on).value is False)


def test_click_under_pointer_lock_names_the_way_out(opened: Browser, site: Site) -> None:
    page = """<button onclick="this.requestPointerLock()">Lock</button>
      <button onclick="this.textContent = 'Hit'">Other</button>"""
    opened.goto(site.page("/", page))
    opened.click(opened.snapshot().ref("Lock"))
    eventually(lambda: opened.evaluate("Boolean(document.pointerLockElement)").value is True)
    other = opened.snapshot().ref("Other")
    with pytest.raises(NotInteractable, match="locked the mouse pointer: press Escape"):
        opened.click(other)
    opened.press("Escape")
    opened.click(other)
    assert "Hit" in opened.snapshot().text


def test_denied_permission_says_how_to_grant_it(opened: Browser, site: Site) -> None:
    page = '<button onclick="navigator.geolocation.getCurrentPosition(() => {}, () => {})">Go'
    opened.goto(site.page("/", page))
    clicked = opened.click(opened.snapshot().ref("Go"))
    eventually(lambda: opened.state.notes)
    told = result_words(clicked) + result_words(opened.hover(x=300, y=300))
    assert 'repeat the step after browser_permission(name="geolocation", setting="granted")' in told

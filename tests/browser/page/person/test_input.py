"""A person's input in a real Chromium: mouse, wheel, touch, keys, paste and an input method."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support.eventually import eventually
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.journal import as_person
from tabwarden.sync import Browser


class Hands:
    """The input that a live view sends for a person."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        browser.control.take("Ann")

    def send(self, **event: Any) -> None:
        self._browser.control.input.send(event)

    def click(self, x: float, y: float) -> None:
        self.send(kind="mouse", type="move", x=x, y=y)
        self.send(kind="mouse", type="down", x=x, y=y, button="left", buttons=1, clicks=1)
        self.send(kind="mouse", type="up", x=x, y=y, button="left", clicks=1)

    def key(self, key: str, code: str = "", key_code: int = 0, modifiers: int = 0) -> None:
        for kind in ("down", "up"):
            self.send(
                kind="key", type=kind, key=key, code=code, key_code=key_code, modifiers=modifiers
            )

    def type(self, text: str) -> None:
        for letter in text:
            self.key(letter, f"Key{letter.upper()}", ord(letter.upper()))

    def read(self, script: str) -> Any:
        with as_person("Ann"):
            return self._browser.evaluate(script).value


FORM = """<style>body {margin: 0} input, iframe {display: block; width: 300px; height: 40px}
iframe {border: 0}</style><input id=a autofocus><input id=b type=password>"""


def test_persons_mouse_keys_paste_and_ime_input_reach_the_field(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", FORM))
    hands = Hands(browser)
    hands.click(50, 20)
    hands.type("ab")
    hands.send(kind="paste", text=" pasted ")
    hands.send(kind="compose", text="に", start=1, end=1)
    hands.send(kind="compose", text="日本", start=2, end=2)
    hands.send(kind="paste", text="日本")
    eventually(lambda: hands.read("a.value") == "ab pasted 日本")
    hands.key("@", "KeyQ", 81, modifiers=3)  # AltGr on Windows
    eventually(lambda: hands.read("a.value") == "ab pasted 日本@")
    hands.key("a", "KeyA", 65, modifiers=2)
    hands.key("Backspace", "Backspace", 8)
    eventually(lambda: hands.read("a.value") == "")


def test_agent_learns_how_many_fields_a_person_filled_and_no_values(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", FORM))
    hands = Hands(browser)
    hands.click(50, 20)
    hands.type("ann")
    hands.key("Tab", "Tab", 9)
    hands.type("hunter")
    eventually(lambda: hands.read("b.value") == "hunter")
    browser.control.release()
    (told,) = browser.snapshot().new_since_last.person
    assert told == "Ann had control: typed in 2 fields (values hidden), clicked 1 time"


def test_agent_gets_a_summary_of_a_persons_login(browser: Browser, site: Site) -> None:
    site.page("/in", "welcome", title="In")
    browser.goto(site.page("/", f"<form action=/in>{FORM}<button>Log in</button></form>"))
    hands = Hands(browser)
    hands.click(50, 20)
    hands.type("ann")
    hands.key("Tab", "Tab", 9)
    hands.type("pw")
    hands.key("Enter", "Enter", 13)
    eventually(lambda: browser.state.tabs[0].url.startswith(f"{site.here}/in"))
    browser.control.release()
    (told,) = browser.snapshot().new_since_last.person
    assert told == (
        f'Ann had control: went to "{site.here}/in?", typed in 2 fields (values hidden), '
        "clicked 1 time"
    )


def test_persons_keys_reach_a_focused_cross_site_frame(browser: Browser, site: Site) -> None:
    site.page("/frame", "<style>body {margin: 0}</style><input id=c style='width: 200px'>")
    browser.goto(site.page("/", f"{FORM}<iframe src={site.there}/frame></iframe>"))
    browser.screenshot()  # once it is painted, the frame gets the click; people see it first, too
    hands = Hands(browser)
    hands.click(50, 110)
    hands.type("xyz")
    hands.send(kind="paste", text="!")
    frame = next(f for f in browser.state.frame_tree.children if f.is_oopif)

    def value() -> Any:
        with as_person("Ann"):
            return browser.evaluate("c.value", frame_id=frame.frame_id).value

    eventually(lambda: value() == "xyz!")
    browser.control.release()
    (told,) = browser.snapshot().new_since_last.person
    assert "typed in 1 field (values hidden)" in told


def test_wheel_and_touch_input_from_a_person_reaches_the_page(browser: Browser, site: Site) -> None:
    script = "addEventListener('touchstart', e => document.title = 'touched')"
    browser.goto(site.page("/", f"<div style='height: 5000px'></div><script>{script}</script>"))
    hands = Hands(browser)
    hands.send(kind="wheel", x=50, y=50, dy=400)
    eventually(lambda: hands.read("scrollY") > 0)
    hands.send(kind="touch", type="start", points=[{"x": 50, "y": 50}])
    hands.send(kind="touch", type="end")
    eventually(lambda: hands.read("document.title") == "touched")


@pytest.mark.threat
@pytest.mark.parametrize(
    "event",
    [
        {"kind": "key", "type": "down", "key": "a", "code": "KeyA", "key_code": 65},
        {"kind": "wheel", "x": 50, "y": 50, "dy": 1},
    ],
    ids=["key", "wheel"],
)
def test_person_input_queue_for_a_hung_page_is_bounded(
    browser: Browser, site: Site, event: dict[str, Any]
) -> None:
    browser.goto(site.page("/", "<button onclick='for(;;);'>Hang</button>"))
    hands, sending = Hands(browser), browser.control.input
    loop = sending._task.supervisor.loop

    async def waiting() -> tuple[int, int]:
        return len(sending._queue), sum(one.unanswered for one in sending._pending.values())

    hands.click(20, 15)
    for _ in range(5):
        for _ in range(500):
            hands.send(**event)
        counted = asyncio.run_coroutine_threadsafe(waiting(), loop).result()
        assert max(counted) <= 1_000, counted


@pytest.mark.long
def test_person_input_recovers_a_page_with_a_hung_script(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick='for(;;);'>Hang</button><p id=p>"))
    hands = Hands(browser)
    hands.click(20, 15)
    eventually(lambda: hands.read("1 + 1") == 2)
    hands.send(kind="mouse", type="move", x=60, y=60)


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"kind": "mouse"},
        {"kind": "mouse", "type": "down", "x": float("inf"), "y": 1},
        {"kind": "mouse", "type": "down", "x": "1", "y": 1},
        {"kind": "key", "type": "down", "key": "x" * 99},
        {"kind": "eval", "text": "1"},
        {"kind": "paste", "text": "x", "more": 1},
    ],
)
def test_person_input_rejects_invalid_events(browser: Browser, event: dict[str, Any]) -> None:
    browser.control.take("Ann")
    with pytest.raises(InvalidArgument):
        browser.control.input.send(event)


def test_person_input_requires_that_the_person_has_control(browser: Browser) -> None:
    with pytest.raises(InvalidArgument, match="control"):
        browser.control.input.send({"kind": "paste", "text": "x"})

"""Key names of X11 and of OpenAI, sequences, and held chords, as the page receives them."""

from __future__ import annotations

from typing import Any

import pytest
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.journal import SECRET
from tabwarden.sync import Browser

RECORDER = """<input id=field value=old><input id=secret type=password><script>
window.seen = [];
for (const kind of ['keydown', 'keyup']) addEventListener(kind, (e) => seen.push([kind, e.key,
  e.code, e.location, ['ctrl', 'alt', 'meta', 'shift'].filter((one) => e[one + 'Key']).join('+'),
  e.repeat]), true);
field.focus();
</script>"""
BY_NAME = {
    "Return": ("Enter", "Enter", 0),
    "Page_Down": ("PageDown", "PageDown", 0),
    "Next": ("PageDown", "PageDown", 0),
    "Prior": ("PageUp", "PageUp", 0),
    "KP_Enter": ("Enter", "NumpadEnter", 3),
    "KP_7": ("7", "Numpad7", 3),
    "KP_Add": ("+", "NumpadAdd", 3),
    "KP_Home": ("Home", "Numpad7", 3),
    "KP_Page_Up": ("PageUp", "Numpad9", 3),
    "minus": ("-", "Minus", 0),
    "slash": ("/", "Slash", 0),
    "apostrophe": ("'", "Quote", 0),
    "Caps_Lock": ("CapsLock", "CapsLock", 0),
    "Num_Lock": ("NumLock", "NumLock", 0),
    "Print": ("PrintScreen", "PrintScreen", 0),
    "Menu": ("ContextMenu", "ContextMenu", 0),
    "F24": ("F24", "F24", 0),
    "Super_L": ("Meta", "MetaLeft", 1),
    "Control_R": ("Control", "ControlRight", 2),
    "Shift_R": ("Shift", "ShiftRight", 2),
    "option": ("Alt", "AltLeft", 1),
    "ARROWLEFT": ("ArrowLeft", "ArrowLeft", 0),
    "PAGEUP": ("PageUp", "PageUp", 0),
    "BACKSPACE": ("Backspace", "Backspace", 0),
    "SPACE": (" ", "Space", 0),
    "NumpadDivide": ("/", "NumpadDivide", 3),
    "KeyQ": ("q", "KeyQ", 0),
}


@pytest.fixture
def page(browser: Browser, site: Site) -> Browser:
    browser.goto(site.page("/", RECORDER))
    return browser


def downs(browser: Browser) -> list[Any]:
    events = browser.evaluate("seen.splice(0)").value
    # On a busy machine, a call checks with a release of no key that the page gets its input.
    events = [event for event in events if event[1] != "Unidentified"]
    assert len(events) % 2 == 0  # each key was released
    return [event[1:5] for event in events if event[0] == "keydown" and not event[5]]


def test_page_receives_the_key_that_each_name_means(page: Browser) -> None:
    received = {}
    for name in BY_NAME:
        page.press(name)
        ((key, code, location, _),) = downs(page)
        received[name] = (key, code, location)
    assert received == BY_NAME


@pytest.mark.parametrize(
    ("key", "received"),
    [
        ("ctrl+plus", [("Control", "ctrl"), ("Shift", "ctrl+shift"), ("+", "ctrl+shift")]),
        ("CTRL++", [("Control", "ctrl"), ("Shift", "ctrl+shift"), ("+", "ctrl+shift")]),
        ("ctrl+KP_Add", [("Control", "ctrl"), ("+", "ctrl")]),
        (
            "Control_L+Shift_L+p",
            [("Control", "ctrl"), ("Shift", "ctrl+shift"), ("P", "ctrl+shift")],
        ),
        ("Super+Left", [("Meta", "meta"), ("ArrowLeft", "meta")]),
        ("K+CMD", [("Meta", "meta"), ("k", "meta")]),
        ("a+b", [("a", ""), ("b", "")]),
        ("ctrl + a", [("Control", "ctrl"), ("a", "ctrl")]),
        ("Down Down Return", [("ArrowDown", ""), ("ArrowDown", ""), ("Enter", "")]),
        ("ctrl+a Delete", [("Control", "ctrl"), ("a", "ctrl"), ("Delete", "")]),
        (
            "a + +",
            [("a", ""), ("Shift", "shift"), ("+", "shift"), ("Shift", "shift"), ("+", "shift")],
        ),
        ("Control_R", [("Control", "ctrl")]),
        (" ", [(" ", "")]),
    ],
)
@pytest.mark.whole
def test_page_receives_the_keys_of_chords_and_sequences_in_order(
    key: str, received: list[tuple[str, str]], page: Browser
) -> None:
    page.press(key)
    assert [(event[0], event[3]) for event in downs(page)] == received


def test_sequence_replaces_a_fields_text_and_repeats(page: Browser) -> None:
    page.press("ctrl+a Delete")
    page.press("x KP_1 exclam", times=2)
    assert page.evaluate("field.value").value == "x1!x1!"


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("Nonsense", ""),
        ("Page_Dwon", "PageDown"),
        ("ctrl+Bakspace", "Backspace"),
        ("hello world", ""),
        ("Down Dwn", "Down"),
        ("ctrl+", ""),
        ("+a", ""),
        ("", ""),
        ("\x07", ""),
        ("a " * 101, ""),
    ],
)
@pytest.mark.whole
def test_unknown_key_is_refused_with_the_nearest_names_and_presses_nothing(
    key: str, near: str, page: Browser
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        page.press(key)
    assert near in refused.value.hint
    assert refused.value.data["field"] == "key"
    assert downs(page) == []
    assert page.evaluate("field.value").value == "old"


def test_chord_of_several_keys_is_held_and_its_last_key_repeats(page: Browser) -> None:
    page.press("shift+a+ArrowRight", hold_ms=700)
    events = page.evaluate("seen").value
    first = ["Shift", "A", "ArrowRight"]
    assert [one[1] for one in events if not one[5] and one[0] == "keydown"] == first
    assert {one[1] for one in events if one[5]} == {"ArrowRight"}
    assert [one[1] for one in events[-3:]] == first[::-1]
    assert {one[0] for one in events[-3:]} == {"keyup"}


def test_only_one_chord_can_be_held_and_only_one_key_kept_down(page: Browser) -> None:
    for arguments in ({"hold_ms": 100}, {"mode": "down"}):
        with pytest.raises(InvalidArgument):
            page.press("Down Down", **arguments)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument):
        page.press("a+b", mode="down")
    assert downs(page) == []


def test_dialog_in_a_sequence_interrupts_it_and_says_how_many_keys_were_pressed(
    page: Browser,
) -> None:
    page.evaluate("addEventListener('keydown', (e) => e.key === 'b' && confirm('Go on?'))")
    result = page.press("a b c d")
    assert result.status == "interrupted"
    assert "key 2 of 4" in result.note
    page.dialog("accept")
    assert "c" not in [one[1] for one in page.evaluate("seen").value]


def test_key_kept_down_changes_the_keys_that_are_pressed_meanwhile(page: Browser) -> None:
    page.evaluate("field.select()")
    page.press("Shift_L", mode="down")
    page.press("x 1")
    page.press("Shift_L", mode="up")
    page.press("Control_L", mode="down")
    page.press("y")
    page.press("Control_L", mode="up")
    assert page.evaluate("field.value").value == "X!"


def test_journal_shows_no_password_that_was_typed_as_keys(page: Browser) -> None:
    page.click("css=#secret")
    shown = []
    for key in ("h u n t e r", "shift+q", "KP_1", "Tab h u", "ctrl+a Delete", "Tab Tab", "q 1"):
        if key == "q 1":
            page.click("css=#field")
        page.press(key)
        shown.append(page._journal.entries[-1].redacted_arguments()["key"])
    assert shown[:4] == [SECRET] * 4
    assert shown[4:] == ["ctrl+a Delete", "Tab Tab", "q 1"]

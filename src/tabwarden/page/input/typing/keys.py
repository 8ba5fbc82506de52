"""Translate common key names for ``Input.dispatchKeyEvent``.

The keyboard layout is US. Enter needs the text ``"\\r"`` to submit a form, and a key without text
types nothing (docs/facts.md, "How input reaches a page").
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.page.input.holding import MODIFIER_ALIASES, MODIFIERS, parse_modifiers


class Key(NamedTuple):
    key: str
    code: str
    key_code: int
    text: str = ""
    location: int = 0


class Chord(NamedTuple):
    """A key and the modifiers that are held down."""

    key: Key
    modifiers: int


_NAMED_KEYS = {
    key.key.lower(): key
    for key in (
        Key("Enter", "Enter", 13, "\r"),
        Key("Tab", "Tab", 9),
        Key("Escape", "Escape", 27),
        Key("Backspace", "Backspace", 8),
        Key("Delete", "Delete", 46),
        Key("Insert", "Insert", 45),
        Key("Home", "Home", 36),
        Key("End", "End", 35),
        Key("PageUp", "PageUp", 33),
        Key("PageDown", "PageDown", 34),
        Key("ArrowLeft", "ArrowLeft", 37),
        Key("ArrowUp", "ArrowUp", 38),
        Key("ArrowRight", "ArrowRight", 39),
        Key("ArrowDown", "ArrowDown", 40),
        Key("ContextMenu", "ContextMenu", 93),
        Key("CapsLock", "CapsLock", 20),
        Key("Shift", "ShiftLeft", 16, location=1),
        Key("Control", "ControlLeft", 17, location=1),
        Key("Alt", "AltLeft", 18, location=1),
        Key("Meta", "MetaLeft", 91, location=1),
        *(Key(f"F{n}", f"F{n}", 111 + n) for n in range(1, 13)),
    )
}
_ALIASES = {
    "return": "enter",
    "esc": "escape",
    "del": "delete",
    "ins": "insert",
    "left": "arrowleft",
    "right": "arrowright",
    "up": "arrowup",
    "down": "arrowdown",
    "pgup": "pageup",
    "pgdn": "pagedown",
    **MODIFIER_ALIASES,
}
# The characters that each key types, without and with Shift.
_PUNCTUATION = {
    "Semicolon": (";:", 186),
    "Equal": ("=+", 187),
    "Comma": (",<", 188),
    "Minus": ("-_", 189),
    "Period": (".>", 190),
    "Slash": ("/?", 191),
    "Backquote": ("`~", 192),
    "BracketLeft": ("[{", 219),
    "Backslash": ("\\|", 220),
    "BracketRight": ("]}", 221),
    "Quote": ("'\"", 222),
}
_DIGITS_SHIFTED = ")!@#$%^&*("


def _characters() -> dict[str, Key]:
    keys = {" ": Key(" ", "Space", 32, " ")}
    for letter in "abcdefghijklmnopqrstuvwxyz":
        for character in (letter, letter.upper()):
            keys[character] = Key(character, f"Key{letter.upper()}", ord(letter.upper()), character)
    for digit, shifted in zip("0123456789", _DIGITS_SHIFTED, strict=True):
        for character in (digit, shifted):
            keys[character] = Key(character, f"Digit{digit}", ord(digit), character)
    for code, (pair, key_code) in _PUNCTUATION.items():
        for character in pair:
            keys[character] = Key(character, code, key_code, character)
    return keys


_CHARACTERS = _characters()


def parse_chord(text: str) -> Chord:
    """Parse ``Enter``, ``a``, ``Ctrl+A``, ``Shift+Tab`` or ``Control++`` into a ``Chord``."""
    if not isinstance(text, str) or not text:
        raise _unknown(text)
    if text == "+" or text.endswith("++"):  # the plus key
        head, last = text[:-1].removesuffix("+"), "+"
    else:
        head, _, last = text.rpartition("+")
    modifier_names = [part.strip() for part in head.split("+")] if head else []
    modifiers = parse_modifiers(modifier_names, field="key")
    key = _key(last.strip() or last)
    if key is None:
        raise _unknown(text)
    if modifiers and not modifiers & MODIFIERS["shift"] and key.key.isupper() and len(key.key) == 1:
        key = _CHARACTERS[key.key.lower()]  # "Ctrl+A" does not mean that Shift is pressed too
    if key.key in _SHIFTED:  # a person must press Shift to type this character
        modifiers |= MODIFIERS["shift"]
    if modifiers & MODIFIERS["shift"] and len(key.key) == 1:
        key = _with_shift(key)
    if modifiers & ~MODIFIERS["shift"]:
        key = key._replace(text="")
    return Chord(key, modifiers)


def modifier_keys(modifiers: int) -> Iterator[tuple[Key, int]]:
    """Yield each modifier's key, and the modifiers that are down after that key was pressed."""
    down = 0
    for name, bit in MODIFIERS.items():
        if modifiers & bit:
            down |= bit
            yield _NAMED_KEYS[name], down


def chord_name(text: str) -> str:
    """Return a key combination with the DOM's key names, such as ``Control+a`` for ``ctrl+A``."""
    chord = parse_chord(text)
    names = [name.capitalize() for name, bit in MODIFIERS.items() if chord.modifiers & bit]
    return "+".join([*names, "Space" if chord.key.key == " " else chord.key.key])


def strokes(text: str) -> Iterator[Chord | str]:
    """Split text into keystrokes. Consecutive characters that no key can type stay together."""
    for has_key, run in groupby(text.replace("\r\n", "\n"), lambda one: one in _TYPED_BY):
        if not has_key:
            yield "".join(run)
            continue
        for character in run:
            key = _TYPED_BY[character]
            yield Chord(key, MODIFIERS["shift"] if character in _SHIFTED else 0)


def _key(name: str) -> Key | None:
    if len(name) == 1:
        return _CHARACTERS.get(name) or Key(name, "", 0, name)
    if not name:
        return None
    lower = name.lower()
    if lower == "space":
        return _CHARACTERS[" "]
    if lower == "plus":
        return _CHARACTERS["+"]
    return _NAMED_KEYS.get(_ALIASES.get(lower, lower))


def _with_shift(key: Key) -> Key:
    for other in _CHARACTERS.values():
        if other.code == key.code and other.key != key.key and other.key in _SHIFTED:
            return other
    return key


_SHIFTED = {
    *"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    *_DIGITS_SHIFTED,
    *(pair[1] for pair, _ in _PUNCTUATION.values()),
}


_TYPED_BY = {**_CHARACTERS, "\n": _NAMED_KEYS["enter"], "\t": _NAMED_KEYS["tab"]}


def _unknown(text: object) -> InvalidArgument:
    return InvalidArgument(
        f"Unknown key {text!r}.",
        "Use a character ('a'), a name (Enter, Tab, Escape, Backspace, Delete, ArrowDown, Home, "
        "PageDown, F1, Space) or a chord ('Ctrl+A').",
        field="key",
    )

"""Translate common key names for ``Input.dispatchKeyEvent``.

The keyboard layout is US. Enter needs the text ``"\\r"`` to submit a form, and a key without text
types nothing (docs/facts.md, "How input reaches a page").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next, joined
from tabwarden.page.input.holding import MODIFIER_ALIASES, MODIFIERS, modifier_bit
from tabwarden.similar import get_close_matches

_MOST_CHORDS = 100
_KEYPAD = 3
"""The DOM's ``location`` of the keys of the numeric keypad."""


class Key(NamedTuple):
    key: str
    code: str
    key_code: int
    text: str = ""
    location: int = 0


class Chord(NamedTuple):
    """A key, and the modifiers and other keys that are held down meanwhile."""

    key: Key
    modifiers: int
    others: tuple[Key, ...] = ()

    @property
    def types(self) -> bool:
        """Whether the chord types a character."""
        return any(one.text and len(one.key) == 1 for one in (self.key, *self.others))

    def held_with(self, modifiers: int) -> Chord:
        """Return the chord with more modifiers, which may change the characters that it types."""
        modifiers |= self.modifiers
        key, *others = self.key, *self.others
        if modifiers & MODIFIERS["shift"]:
            key, *others = (_with_shift(one) for one in (key, *others))
        if modifiers & ~MODIFIERS["shift"]:
            key, *others = (one._replace(text="") for one in (key, *others))
        return Chord(key, modifiers, tuple(others))


_PLAIN_KEYS = {
    "Enter": 13, "Tab": 9, "Escape": 27, "Backspace": 8, "Delete": 46, "Insert": 45, "Home": 36,
    "End": 35, "PageUp": 33, "PageDown": 34, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
    "ArrowDown": 40, "ContextMenu": 93, "CapsLock": 20, "NumLock": 144, "ScrollLock": 145,
    "PrintScreen": 44, "Pause": 19, "Help": 47, **{f"F{n}": 111 + n for n in range(1, 25)},
}  # fmt: skip
"""Maps the keys whose DOM key and code are equal to their Windows key codes."""
_ALIASES = {
    "return": "enter", "esc": "escape", "del": "delete", "ins": "insert", "left": "arrowleft",
    "right": "arrowright", "up": "arrowup", "down": "arrowdown", "pgup": "pageup",
    "pgdn": "pagedown", "prior": "pageup", "next": "pagedown", "menu": "contextmenu",
    "print": "printscreen", "break": "pause", **MODIFIER_ALIASES,
}  # fmt: skip
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
_X11_CHARACTERS = """
    plus+ underscore_ colon: less< greater> question? bar| braceleft{ braceright} apostrophe'
    quoteright' quotedbl" grave` quoteleft` asciitilde~ asciicircum^ exclam! at@ numbersign#
    dollar$ percent% ampersand& asterisk* parenleft( parenright)"""
"""X11's name of each character that is not also the DOM's code of its key, and the character."""
_KEYPAD_KEYS = {
    **{str(n): (f"{n}", 96 + n) for n in range(10)},
    "Multiply": ("*", 106), "Add": ("+", 107), "Subtract": ("-", 109), "Decimal": (".", 110),
    "Divide": ("/", 111), "Equal": ("=", 187),
}  # fmt: skip
_KEYPAD_UNLOCKED = {
    "Insert": "0", "End": "1", "ArrowDown": "2", "PageDown": "3", "ArrowLeft": "4",
    "ArrowRight": "6", "Home": "7", "ArrowUp": "8", "PageUp": "9", "Delete": "Decimal",
}  # fmt: skip
"""The keys of the keypad while Num Lock is off."""


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


def _named_keys() -> dict[str, Key]:
    """Return the keys by name: lower case, without ``_``. The names are the DOM's keys and codes,
    and those of X11."""
    plain = {name.lower(): Key(name, name, code) for name, code in _PLAIN_KEYS.items()}
    plain["enter"] = plain["enter"]._replace(text="\r")
    keys = dict(plain)
    for name, code in (("Shift", 16), ("Control", 17), ("Alt", 18), ("Meta", 91)):
        left = Key(name, f"{name}Left", code, location=1)
        right = Key(name, f"{name}Right", 92 if name == "Meta" else code, location=2)
        keys |= dict.fromkeys((name.lower(), f"{name}left".lower(), f"{name}l".lower()), left)
        keys |= dict.fromkeys((f"{name}right".lower(), f"{name}r".lower()), right)
    keys |= {"superl": keys["metaleft"], "superr": keys["metaright"]}
    for name, (character, code) in _KEYPAD_KEYS.items():
        key = Key(character, f"Numpad{name}", code, character, _KEYPAD)
        keys |= dict.fromkeys((f"kp{name}".lower(), key.code.lower()), key)
    enter = plain["enter"]._replace(code="NumpadEnter", location=_KEYPAD)
    keys |= {"kpenter": enter, "numpadenter": enter}
    for name, number in _KEYPAD_UNLOCKED.items():
        key = plain[name.lower()]._replace(code=f"Numpad{number}", location=_KEYPAD)
        aliases = (alias for alias, one in _ALIASES.items() if one == name.lower())
        keys |= dict.fromkeys((f"kp{alias}" for alias in (name.lower(), *aliases)), key)
    for key in _CHARACTERS.values():
        keys.setdefault(key.code.lower(), key)
    return keys | {entry[:-1]: _CHARACTERS[entry[-1]] for entry in _X11_CHARACTERS.split()}


_CHARACTERS = _characters()
_NAMED_KEYS = _named_keys()
_SUGGESTED = (*_PLAIN_KEYS, *(name.capitalize() for name in MODIFIERS), "Space")


def parse_chords(text: str) -> list[Chord]:
    """Parse a sequence of chords that are separated by spaces, such as ``ctrl+a Delete``.

    Raises:
        InvalidArgument: a key does not exist, or there are too many.
    """
    if not isinstance(text, str) or not text:
        raise _unknown(text)
    joined_text = re.sub(r"(?<=[^\s+])\s*\+\s*(?=[^\s+])", "+", text)  # "Ctrl + A" is one chord
    names = joined_text.split() or [" "]
    if len(names) > _MOST_CHORDS:
        raise InvalidArgument(
            f"{len(names)} keys are too many for one call.",
            Hint(
                f"Press at most {_MOST_CHORDS}. Enter text",
                Next("type", text="...", ref="..."),
                ".",
            ),
            field="key",
        )
    return [parse_chord(name) for name in names]


def parse_chord(text: str) -> Chord:
    """Parse ``Enter``, ``a``, ``Ctrl+A``, ``Shift+Tab``, ``Control++`` or ``a+b`` into a
    ``Chord``."""
    is_plus = text == "+" or text.endswith("++")
    names = text.removesuffix("+").removesuffix("+").split("+") if is_plus else text.split("+")
    names = [*filter(None, names), "+"] if is_plus else names
    modifiers = 0
    keys: list[Key] = []
    for at, name in enumerate(names):
        bit = modifier_bit(name)
        if bit and (at < len(names) - 1 or keys):
            modifiers |= bit
        else:
            key = _key(name)
            if key is None:
                raise _unknown(name)
            keys.append(key)
    *others, key = keys
    if modifiers and not modifiers & MODIFIERS["shift"] and key.key.isupper() and len(key.key) == 1:
        key = _CHARACTERS[key.key.lower()]  # "Ctrl+A" does not mean that Shift is pressed too
    if _needs_shift(key):
        modifiers |= MODIFIERS["shift"]
    return Chord(key, 0, tuple(others)).held_with(modifiers)


def modifier_keys(modifiers: int) -> Iterator[tuple[Key, int]]:
    """Yield each modifier's key, and the modifiers that are down after that key was pressed."""
    down = 0
    for name, bit in MODIFIERS.items():
        if modifiers & bit:
            down |= bit
            yield _NAMED_KEYS[name], down


def chord_names(text: str) -> list[str]:
    """Return each chord of a sequence with the DOM's names, such as ``Control+a`` for ``ctrl+A``.

    A key that is not the only one with its name gets the name of its code, such as
    ``NumpadEnter``.
    """
    return [
        "+".join(
            [
                *(name.capitalize() for name, bit in MODIFIERS.items() if chord.modifiers & bit),
                *map(_name_of, (*chord.others, chord.key)),
            ]
        )
        for chord in parse_chords(text)
    ]


def _name_of(key: Key) -> str:
    return key.code if key.location >= 2 or key.key == " " else key.key


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
        return _CHARACTERS.get(name) or (Key(name, "", 0, name) if name.isprintable() else None)
    plain = name.lower().replace("_", "")
    return _NAMED_KEYS.get(_ALIASES.get(plain, plain))


def _needs_shift(key: Key) -> bool:
    """Whether a person must press Shift to type the key's character."""
    return key.key in _SHIFTED and key.location != _KEYPAD


def _with_shift(key: Key) -> Key:
    for other in _CHARACTERS.values():
        if other.code == key.code and other.key != key.key and _needs_shift(other):
            return other
    return key


_SHIFTED = {
    *"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    *_DIGITS_SHIFTED,
    *(pair[1] for pair, _ in _PUNCTUATION.values()),
}


_TYPED_BY = {**_CHARACTERS, "\n": _NAMED_KEYS["enter"], "\t": _NAMED_KEYS["tab"]}


def _unknown(name: object) -> InvalidArgument:
    near = get_close_matches(str(name), _SUGGESTED) if name else []
    return InvalidArgument(
        f"Unknown key {repr(name)[:100]}. No key was pressed.",
        joined(
            f"Did you mean {' or '.join(near)}?" if near else "",
            Hint(
                "Use a character ('a'), a name (Enter, Tab, Escape, Backspace, Delete, ArrowDown, "
                "Home, PageDown, F1, Space), a chord ('Ctrl+A') or a sequence ('Down Enter'). "
                "Enter text",
                Next("type", text="...", ref="..."),
                ".",
            ),
        ),
        field="key",
    )

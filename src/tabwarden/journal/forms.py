"""Forms: how a secret may stand in a text, as regular expressions that also Rust's engine knows.

A text is encoded letter by letter: in JSON, in URLs and in HTML, once or several times, wholly or
in part. So each letter has its own alternatives, and marks of a page's text may stand between two.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from html.entities import codepoint2name
from itertools import pairwise
from urllib.parse import quote

from pydantic_core import SchemaError, SchemaValidator, core_schema

CUT = "…"
"""What ends a text that was shortened."""
_BETWEEN = r"(?:<[^<>]*>|[*_~`])*"
"""Tags and marks of Markdown, if a secret stands in several elements."""
_MARKS = frozenset("*_~`<>")
"""Beside these letters of a secret there are no such marks: else a row of them, such as a line of
underscores, could be parted in so many ways that a search would not end."""
_BACKSLASH = r"(?:\\|%(?:25)*5c)"
_BACKSLASHES = f"{_BACKSLASH}{{0,8}}"
_ESCAPE = f"{_BACKSLASH}{{1,8}}"
_PERCENT = rf"(?:%|{_ESCAPE}u0025)(?:25)*"
_AND = rf"(?:&|%(?:25)*26|{_ESCAPE}u0026)(?:amp(?:;|%(?:25)*3b))*"
_NUMBER = r"(?:#|%(?:25)*23)"
_END = r"(?:;|%(?:25)*3b)"
_SPACES = {
    " ": r"\+|%(?:25)*2b|\xa0",
    "\n": rf"{_ESCAPE}n|{_ESCAPE}r{_ESCAPE}n|\r\n| |%0d%0a",
    "\t": rf"{_ESCAPE}t| ",
    "\r": rf"{_ESCAPE}r",
    "\b": rf"{_ESCAPE}b",
    "\f": rf"{_ESCAPE}f",
}
_NAMES = {**codepoint2name, ord("'"): "apos"}
_LONG = 100
"""The letters of a longer secret stand side by side: else its expression would be huge."""
_CUT_FROM, _CUT_TO = 6, 32
"""The first letters of a secret that must not stand before ``CUT``: so many at least and most."""
_HALF = re.compile("[\ud800-\udfff]")
"""Half a character, with which Rust reads no text."""
_PARTS = re.compile(r"\\+|.", re.DOTALL)
_SHORTEST_CORE = 6
"""A shorter part of a base64 text may be a part of any text."""


def pattern_of(secret: str) -> str:
    """Return a regular expression for a secret in each of its forms, in upper or lower case."""
    parts = [one[0] for one in _PARTS.finditer(secret)]
    letters = [_letter(one) for one in parts]
    for at, (one, following) in enumerate(pairwise(parts)):
        if len(parts) <= _LONG and not _MARKS & {one, following}:
            letters[at + 1] = _BETWEEN + letters[at + 1]
    forms = ["".join(letters)]
    if len(letters) >= _CUT_FROM + 2:
        rest = ""
        for letter in reversed(letters[_CUT_FROM : min(_CUT_TO, len(letters) - 1)]):
            rest = f"(?:{letter}{rest})?"
        forms.append("".join(letters[:_CUT_FROM]) + rest + CUT)
    raw = secret.encode("utf-8", "replace")
    forms.append("[ :]?".join(f"{byte:02x}" for byte in raw))
    encoded = {secret, json.dumps(secret)[1:-1], quote(secret, safe="!'()*", errors="replace")}
    forms += sorted({one for text in encoded for one in _in_base64(text)}, key=len, reverse=True)
    return f"(?i:{'|'.join(forms)})"


def _letter(char: str) -> str:
    """Return an expression for one letter, or for a row of backslashes."""
    if char[0] == "\\":
        return f"{_BACKSLASH}{{{len(char)},}}"
    cases = {char, char.lower(), char.upper()}
    plain = "|".join(re.escape(one) for one in sorted(cases, key=len, reverse=True))
    if char.isascii() and char.isalnum():
        return plain if len(cases) == 1 else f"[{''.join(sorted(cases))}]"
    units = char.encode("utf-16-be", "surrogatepass")
    ways = [
        plain,
        "".join(f"{_PERCENT}{byte:02x}" for byte in char.encode("utf-8", "replace")),
        "".join(f"{_ESCAPE}u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)),
        f"{_AND}(?:{_NUMBER}(?:0*{ord(char)}|x0*{ord(char):x}){_named(char)}){_END}",
    ]
    if char in _SPACES:
        ways.append(_SPACES[char])
    if ord(char) < 256:
        ways.append(f"{_ESCAPE}x{ord(char):02x}")
    return f"(?:{_BACKSLASHES}(?:{'|'.join(ways)}))"


def _named(char: str) -> str:
    name = _NAMES.get(ord(char))
    return f"|{name}" if name else ""


def _in_base64(text: str) -> Iterator[str]:
    """Give the part of a text's base64 that does not depend on what stands around the text: one
    for each place in a group of three bytes. For example, ``Basic`` logins are in base64."""
    raw = text.encode("utf-8", "replace")
    for before in range(3):
        kept = slice(-(-before * 8 // 6), (before + len(raw)) * 8 // 6)
        core = base64.b64encode(b"\0" * before + raw).decode()[kept]
        if len(core) >= _SHORTEST_CORE:
            yield core.replace("+", r"(?:[+ -]|%(?:25)*2b)").replace("/", r"(?:\\*/|_|%(?:25)*2f)")


class _Known:
    """One pattern, compiled when it is needed."""

    def __init__(self, pattern: str, shown: str) -> None:
        self.pattern = pattern
        self.shown = shown

    @cached_property
    def may_match(self) -> Callable[[str], bool]:
        return _quick(self.pattern)


class Finder:
    """Finds texts by patterns, each of which has a text that replaces it.

    Most texts have no secret. Rust's engine tells so in one pass, which costs little. Only the
    others are searched with Python's, which is slow with many alternatives.

    Args:
        patterns: each pattern and its replacement. Where two match, the first one counts.
    """

    def __init__(self, patterns: Iterable[tuple[str, str]] = ()) -> None:
        self._known = [_Known(*one) for one in patterns]
        self._compiled: dict[tuple[int, ...], re.Pattern[str]] = {}

    def __bool__(self) -> bool:
        return bool(self._known)

    @cached_property
    def _may_match(self) -> Callable[[str], bool]:
        return _quick("|".join(one.pattern for one in self._known))

    def may_have(self, text: str) -> bool:
        """Whether a text may have one of those that are searched for. Costs little."""
        return bool(self._known) and self._may_match(text)

    def _in(self, text: str) -> tuple[re.Pattern[str], tuple[int, ...]] | None:
        """Return an expression for those that may be in a text, and their numbers, by groups."""
        if not self.may_have(text):
            return None
        numbers = tuple(at for at, one in enumerate(self._known) if one.may_match(text))
        if numbers not in self._compiled:
            every = "|".join(f"({self._known[at].pattern})" for at in numbers)
            self._compiled[numbers] = re.compile(every or r"(?!)")
        return self._compiled[numbers], numbers

    def hidden(self, text: str) -> str:
        """Return a text with the replacements."""
        if (found := self._in(text)) is None:
            return text
        pattern, numbers = found

        def shown(place: re.Match[str]) -> str:
            assert place.lastindex is not None
            known = self._known[numbers[place.lastindex - 1]]
            return known.shown + (CUT if place[0].endswith(CUT) else "")

        return pattern.sub(shown, text)

    def shown(self, text: str) -> str:
        """Return what replaces a text; "" if it is none of those that are searched for."""
        found = self._in(text)
        return self.hidden(text) if found and found[0].fullmatch(text) else ""

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Give the places of what is found, as ``(start, end)``."""
        if (found := self._in(text)) is not None:
            yield from (place.span() for place in found[0].finditer(text))


def _quick(regex: str) -> Callable[[str], bool]:
    """Return a function that tells whether a text may have a match."""
    for limited, simpler in (("{0,8}", "*"), ("{1,8}", "+")):
        regex = regex.replace(limited, simpler)  # Rust's engine needs no limits, and is faster so
    schema = core_schema.str_schema(pattern=regex, regex_engine="rust-regex")
    try:
        matches = SchemaValidator(schema).isinstance_python
    except SchemaError:  # too large for it
        return lambda _: True

    def may_match(text: str) -> bool:
        return matches(text) or (not text.isascii() and _HALF.search(text) is not None)

    return may_match

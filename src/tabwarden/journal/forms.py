"""Find secrets in a text, even if they are encoded or disguised.

A text is searched in several readings: unchanged, and after each round of decoding with
``WRITINGS`` until nothing is encoded any more, each with and without tags. Each reading is searched
with and without white space, Markdown characters and invisible characters between the letters. For
each secret, we therefore search for only a few plain strings, and thousands of strings can be found
in one pass.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from html import unescape
from typing import NamedTuple, TypeAlias, TypeVar
from urllib.parse import quote, unquote

from pydantic_core import SchemaError, SchemaValidator, core_schema

CUT = "…"
"""The suffix that marks truncated text."""
WRITINGS: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "percent encoding": (
        "%",
        "[0-7][0-9a-fA-F]|[cdCD][0-9a-fA-F]%[89abAB][0-9a-fA-F]"
        "|[eE][0-9a-fA-F](?:%[89abAB][0-9a-fA-F]){2}|[fF][0-7](?:%[89abAB][0-9a-fA-F]){3}",
        unquote,
    ),
    "JavaScript escape()": (
        "%",
        "[89a-fA-F][0-9a-fA-F]|u[0-9a-fA-F]{4}",
        lambda text: _char(text.lstrip("%u")),
    ),
    "named HTML reference": ("&", "[a-zA-Z][a-zA-Z0-9]{1,31};", unescape),
    "decimal HTML reference": ("&", "#[0-9]{1,10};?", lambda text: _char(text.strip("&#;"), 10)),
    "hexadecimal HTML reference": (
        "&",
        "#[xX][0-9a-fA-F]{1,8};?",
        lambda text: _char(text.strip("&#xX;")),
    ),
    "JSON surrogate pair": (
        r"\\",
        r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}",
        lambda text: bytes.fromhex(text.replace("\\u", "")).decode("utf-16-be"),
    ),
    "numeric escape": (
        r"\\",
        r"u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]{1,8}\}|U[0-9a-fA-F]{8}",
        lambda text: _char(text.lstrip("\\uUx{").rstrip("}")),
    ),
    "white-space escape": (
        r"\\",
        "[nrtbfv]",
        lambda text: dict(zip("nrtbfv", "\n\r\t\b\f\v", strict=True))[text[1]],
    ),
    "other backslash escape": (r"\\", r"[^a-zA-Z0-9\s]", lambda text: text[1]),
}
"""How a character can be encoded: the first character of an encoded character, the pattern of the
rest, and the decoding function.
"""
_WRITING = re.compile(
    rf"[%&\\](?:{'|'.join(f'((?<={sign})(?:{rest}))' for sign, rest, _ in WRITINGS.values())})"
)
_DECODE = [decode for _, _, decode in WRITINGS.values()]
_DEEPEST = 5
"""The maximum number of times that a text is decoded."""
_TAG = re.compile("<[^<>]*>")
_UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""Invisible characters, which may appear between the letters of a secret."""
_SEEN = "+\\*_~`"
"""More characters that may appear between the letters: ``+`` (a space in a form), backslashes,
which may be doubled, and Markdown characters.
"""
_BETWEEN = re.compile(rf"[\s{re.escape(_SEEN)}]|{_UNSEEN.pattern}")
_ASCII = dict.fromkeys(one for one in range(128) if _BETWEEN.match(chr(one)))
_PARTED = re.compile(r"[\s+]+")
_FEWEST = 4
"""If fewer letters of a secret remain, we search for the secret with the characters between its
letters.
"""
_NO_WORDS = 8
"""A secret with fewer letters could match the end of one word and the beginning of the next.
Therefore, white space may separate either all of its letters or none.
"""
_CUT_FROM, _CUT_TO = 6, 32
"""The minimum and maximum length of the part of a secret that is masked if the text is truncated
(``CUT``) after that part.
"""
_URL_SAFE = str.maketrans("+/", "-_")
_SHORTEST_CORE = 6
"""The minimum length of base64 text to search for. A shorter part could appear in any text."""
_SHORT = 40
"""The readings of texts up to this length are cached."""
_GROUP = 32
"""How many secrets are searched for together, in a text that contains a secret."""
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair. Rust's engine rejects a text that contains it."""

_Change: TypeAlias = Callable[[re.Match[str]], str]
T = TypeVar("T")
_Changed: TypeAlias = Callable[[T, re.Pattern[str], _Change], T]


def _rust(regex: str) -> Callable[[str], bool] | None:
    """Return a function that checks whether a text may contain a match; None if the expression is
    too large for Rust's engine.
    """
    schema = core_schema.str_schema(pattern=regex, regex_engine="rust-regex")
    try:
        matches = SchemaValidator(schema).isinstance_python
    except SchemaError:
        return None
    return lambda text: matches(text) or (not text.isascii() and _HALF.search(text) is not None)


_has_unseen = _rust(_UNSEEN.pattern) or _UNSEEN.search


def _char(digits: str, base: int = 16) -> str:
    number = int(digits, base)
    return chr(number) if number < 0x110000 else " "


def _decoded(place: re.Match[str]) -> str:
    assert place.lastindex is not None
    return _letter(place.lastindex, place[0])


@lru_cache(1000)
def _letter(group: int, written: str) -> str:
    return _DECODE[group - 1](written)


def _nothing(_: re.Match[str]) -> str:
    return ""


def _lower(text: str) -> str:
    """Return the text in lower case, with the same length."""
    return text.lower() if text.isascii() else text.replace("İ", "i").replace("Σ", "\u03c3").lower()


def _side_by_side(text: str) -> str:
    """Return the text without the characters in ``_BETWEEN``."""
    if text.isascii():
        return text.translate(_ASCII)
    plain = "".join(text.split())
    for one in _SEEN:
        plain = plain.replace(one, "")
    return _UNSEEN.sub("", plain) if _has_unseen(plain) else plain


def _decodings(text: T, changed: _Changed[T]) -> Iterator[T]:
    """Yield a text, and the results of decoding it repeatedly."""
    for _ in range(_DEEPEST):
        yield text
        before, text = text, changed(text, _WRITING, _decoded)
        if text == before:
            return


def _read(text: T, changed: _Changed[T]) -> Iterator[T]:
    for one in _decodings(text, changed):
        yield one
        bare = changed(one, _TAG, _nothing)
        if bare != one:
            yield from _decodings(bare, changed)


def readings(text: str) -> frozenset[str]:
    """Return a text's readings in lower case; see the module docstring."""
    return _short_readings(text) if len(text) <= _SHORT else _readings(text)


@lru_cache(4_000)
def _short_readings(text: str) -> frozenset[str]:
    return _readings(text)  # mostly field names, which recur often


def _readings(text: str) -> frozenset[str]:
    texts = {*_read(text, lambda one, pattern, change: pattern.sub(change, one))}
    return frozenset(_lower(one) for read in texts for one in (read, _side_by_side(read)))


class _Placed(NamedTuple):
    """A reading, with the position of each character in the original text."""

    text: str
    starts: list[int]
    ends: list[int]

    def changed(self, pattern: re.Pattern[str], change: _Change) -> _Placed:
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for place in pattern.finditer(self.text):
            start, end = place.span()
            new = change(place)
            parts += self.text[at:start], new
            starts += self.starts[at:start] + [self.starts[start]] * len(new)
            ends += self.ends[at:start] + [self.ends[end - 1]] * len(new)
            at = end
        return _Placed(
            "".join([*parts, self.text[at:]]), starts + self.starts[at:], ends + self.ends[at:]
        )


def _placed(text: str) -> Iterator[_Placed]:
    """Yield a text's readings with the position of each character. These readings keep the
    characters in ``_BETWEEN``.
    """
    whole = _Placed(text, [*range(len(text))], [*range(1, len(text) + 1)])
    return _read(whole, _Placed.changed)


class _Letters:
    """A text in four forms: unchanged and in lower case, each with and without the characters in
    ``_BETWEEN``.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.lower = _lower(text)
        self.beside = _side_by_side(text)
        self.lower_beside = _side_by_side(self.lower)

    @cached_property
    def at(self) -> list[int]:
        """The positions in ``text`` of the characters in ``beside``."""
        between = {one for one in {*self.text} if _BETWEEN.match(one)}
        return [at for at, one in enumerate(self.text) if one not in between]


class Known:
    """A secret to search for.

    Args:
        secret: the secret.
        shown: the text that replaces the secret.
        is_loose: whether to find the secret also in upper and lower case, in hexadecimal, encoded
            before base64, and with its end truncated.
    """

    def __init__(self, secret: str, shown: str, *, is_loose: bool = False) -> None:
        self.shown = shown
        self.is_loose = is_loose
        self._secret = secret

    @cached_property
    def texts(self) -> dict[str, str]:
        """The strings that reveal the secret in a reading, keyed by their lower-case form."""
        letters = self._letters
        strings = [letters, *_in_base64(self._secret)]
        if self.is_loose:
            ends = range(_CUT_FROM, min(_CUT_TO, len(letters) - 1) + 1)
            strings += (letters[:end] + CUT for end in ends)
            raw = self._secret.encode("utf-8", "replace")
            strings += raw.hex(), raw.hex(":")
            strings += _in_base64(json.dumps(self._secret)[1:-1])
            strings += _in_base64(quote(self._secret, safe="!'()*", errors="replace"))
        return {_lower(one): one for one in strings}

    @cached_property
    def _letters(self) -> str:
        letters = _side_by_side(self._secret)
        return letters if len(letters) >= _FEWEST else self._secret

    @cached_property
    def _ends(self) -> tuple[str, str]:
        """The secret's characters before its first letter and after its last letter."""
        at = _Letters(self._secret).at if self._letters != self._secret else []
        return (self._secret[: at[0]], self._secret[at[-1] + 1 :]) if at else ("", "")

    def places(self, read: _Letters) -> Iterator[tuple[int, int]]:
        """Yield the positions of the secret in a reading."""
        yield from self._places(read.lower, read.text)
        for first, after in self._places(read.lower_beside, read.beside):
            start, end = read.at[first], read.at[after - 1] + 1
            if self._is_at(read.text[start:end]):
                before, behind = self._ends
                start -= len(before) * read.text.endswith(before, 0, start)
                end += len(behind) * read.text.startswith(behind, end)
                yield start, end

    def _places(self, lower: str, text: str) -> Iterator[tuple[int, int]]:
        for one, exact in self.texts.items():
            start = lower.find(one)
            while start >= 0:
                end = start + len(one)
                if self.is_loose or text[start:end] == exact:
                    yield start, end
                start = lower.find(one, end)

    def _is_at(self, text: str) -> bool:
        """Whether a match is really the secret, and not made of parts of several words."""
        if len(self._letters) >= _NO_WORDS:
            return True
        parts = len(_PARTED.split(text))
        return parts <= len(_PARTED.split(self._secret)) or parts >= len(self._letters)


def _in_base64(text: str) -> Iterator[str]:
    """Yield the part of a text's base64 form that does not depend on the surrounding text, for each
    position in a group of three bytes. For example, ``Basic`` logins are in base64.
    """
    raw = text.encode("utf-8", "replace")
    for before in range(3):
        kept = slice(-(-before * 8 // 6), (before + len(raw)) * 8 // 6)
        core = base64.b64encode(b"\0" * before + raw).decode()[kept]
        if len(core) >= _SHORTEST_CORE:
            yield _side_by_side(core)
            yield _side_by_side(core.translate(_URL_SAFE))


class Finder:
    """Finds secrets in texts.

    Most texts contain no secrets. Rust's engine detects this cheaply, in one pass over each
    reading.

    Args:
        known: the secrets. If two secrets match at the same position, the longer match is used.
    """

    def __init__(self, known: Iterable[Known] = ()) -> None:
        self._known = [*known]

    def __bool__(self) -> bool:
        return bool(self._known)

    @cached_property
    def _has_some(self) -> Callable[[str], bool]:
        return _has_one_of(self._known)

    @cached_property
    def _groups(self) -> list[tuple[Callable[[str], bool], Sequence[Known]]]:
        starts = range(0, len(self._known), _GROUP)
        groups = (self._known[start : start + _GROUP] for start in starts)
        return [(_has_one_of(some), some) for some in groups]

    def may_have(self, read: Iterable[str]) -> bool:
        """Whether a text with these ``readings`` may contain a secret. This check is cheap."""
        return bool(self._known) and any(map(self._has_some, read))

    def _found(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield each secret in a text, as ``(start, end, replacement)``."""
        if not self._known or not self.may_have(readings(text)):
            return
        for reading in _placed(text):
            read = _Letters(reading.text)
            for has_some, group in self._groups:
                if not (has_some(read.lower) or has_some(read.lower_beside)):
                    continue
                for known in group:
                    for first, after in known.places(read):
                        start, end = reading.starts[first], reading.ends[after - 1]
                        while start and text[start - 1] == "\\" and not text[start].isalnum():
                            start -= 1
                        is_cut = reading.text[after - 1] == CUT
                        yield start, end, known.shown + (CUT if is_cut else "")

    def hidden(self, text: str) -> str:
        """Return the text with the secrets replaced."""
        parts: list[str] = []
        at = 0
        for start, end, shown in sorted(self._found(text), key=lambda one: (one[0], -one[1])):
            if start >= at:
                parts += text[at:start], shown
            at = max(at, end)
        return "".join([*parts, text[at:]])

    def shown(self, text: str) -> str:
        """Return the replacement for a text that is a secret; "" if it is not a secret."""
        whole = (0, len(text))
        return next((shown for *place, shown in self._found(text) if (*place,) == whole), "")

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the positions of the secrets in a text, as ``(start, end)``."""
        for start, end, _ in self._found(text):
            yield start, end


def _has_one_of(known: Iterable[Known]) -> Callable[[str], bool]:
    """Return a function that checks whether a lower-case reading may contain one of the secrets."""
    texts = {text for one in known for text in one.texts}
    has_one = _rust("|".join(map(re.escape, texts)))
    return has_one or (lambda read: any(text in read for text in texts))

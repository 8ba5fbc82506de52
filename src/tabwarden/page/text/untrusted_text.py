"""Quote text from a page. This module also defines ``Line``, a line of an outline."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

import msgspec

from tabwarden.telemetry.redaction import without_login


def fence(lines: Iterable[str]) -> str:
    """Wrap lines in random start and end markers, which the page can't guess."""
    mark = secrets.token_hex(4)
    return "\n".join([f"<page {mark}>", *lines, f"</page {mark}>"])


# These characters reorder text, hide it or break lines: bidi controls, invisible characters, line
# ends, lone surrogates, and tag characters and variation selectors, which can smuggle messages to a
# model. Characters that emoji and hyphenation need are not in this list.
_TRICKS = re.compile(
    "[\x7f-\x9f\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb"
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_ESCAPED = re.compile(f"[\\0-\x1f]|{_TRICKS.pattern}")
_WHOLE_SIGNS = re.compile(r'"(?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+("?)')
_WORD = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*+(?:"|\\?\Z))+')
_REF = re.compile(r"\[ref=(e\d+)\]")
_LONGEST_NAME = 40
_TOKEN = re.compile("[a-z][a-z0-9-]{0,40}")
_BARE = {**dict.fromkeys(range(32)), ord("["): "(", ord("]"): ")", ord("|"): "/"}
_LONGEST_BARE = 160
_SAME_AS = re.compile(r"e\d+")


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of an outline, without its indentation."""

    depth: int
    role: str
    text: str
    refs: tuple[str, ...] = ()
    """The refs in the line. Only a table row may have more than one."""
    in_view: bool = False
    """Whether the line is in the viewport, if the caller requested that."""
    mark: str = ""
    """``+``, ``-``, ``~`` or ``@`` in a list of changes; empty in an outline."""

    def as_text(self, less: int = 0) -> str:
        """Return the line as text, indented ``less`` levels less than its depth."""
        if self.mark:
            return f"{self.mark} {self.text}"
        return f"{'  ' * (self.depth - less)}- {self.text}"

    @property
    def size(self) -> int:
        """Return the length of the line in characters, including its line break."""
        return 2 * self.depth + len(self.text) + 3


def quoted(text: str) -> str:
    """Quote page text so that it can't end its quotes, break the line, or reorder later text."""
    if is_plain(text):
        return f'"{text}"'  # the fast path: a snapshot quotes thousands of strings
    return as_json(text)


def address(url: str) -> str:
    """Quote a URL without its password. If the URL is long, cut it in the middle, because a model
    seldom needs all of it."""
    return quoted(_middle_out(without_login(url), _LONGEST_BARE))


def bare(text: str) -> str:
    """Return page text for use without quotes: shortened, on one line, without brackets or bars."""
    cleaned = _TRICKS.sub("", " ".join(text.split())).translate(_BARE)
    return _middle_out(cleaned, _LONGEST_BARE)


def _middle_out(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end - 1]}…{text[-end:]}"


def token(text: str) -> str:
    """Return an HTML word such as a tag name. Quote it if it has unusual characters."""
    return text if _TOKEN.fullmatch(text) else quoted(text)


def sentence(text: str) -> str:
    """Escape control and invisible characters in a message that may contain page text."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_escapes())


def as_json(value: Any) -> str:
    """Return a value as JSON on one line, with page text escaped as in ``quoted``."""
    json_text = json.dumps(value, ensure_ascii=False, default=str)
    # ``json.dumps`` writes a character above U+FFFF as two escapes.
    return json_text.translate(_escapes()) if _TRICKS.search(json_text) else json_text


@cache
def _escapes() -> Mapping[int, str]:
    """Map each forbidden character to its escape, for ``str.translate``. On a page full of
    forbidden characters, that is ten times faster than a regular expression."""
    planes = chain(range(0x20000), range(0xE0000, 0xE1000))
    return {code: json.dumps(chr(code))[1:-1] for code in planes if _ESCAPED.match(chr(code))}


def is_plain(text: str) -> bool:
    """Whether text needs no escapes when it is quoted."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def shortened(quote: str, most: int) -> str:
    """Shorten a quoted string to about ``most`` characters, including its quotes."""
    if len(quote) <= most:
        return quote
    # Don't cut inside an escape, because a part of an escape would mean something else.
    whole = _WHOLE_SIGNS.match(quote[: most - 2])
    return f'{whole[0] if whole else chr(34)}…"'


def cut_json(text: str, most: int) -> str:
    """Shorten JSON to about ``most`` characters. If the cut is in a string, close the string."""
    if len(text) <= most:
        return text
    cut = text[: most - 2]
    start = _STRING.sub(lambda match: " " * len(match[0]) if match[1] else match[0], cut).find('"')
    if start < 0:
        return f"{cut}…"
    whole = _WHOLE_SIGNS.match(cut, start)
    return f'{cut[:start]}{whole[0] if whole else chr(34)}…"'


def role_and_name(line: Line) -> str:
    """Return a line's role and its first quoted name."""
    parts: list[str] = []
    for word in words(line.text)[:3]:
        if word.startswith('"'):
            parts.append(shortened(word, _LONGEST_NAME))
            break
        if not word.startswith("[ref=") and '"' not in word:
            parts.append(word.removesuffix(":"))
    return " ".join(parts)


def words(text: str) -> list[str]:
    """Split a line's text into words. A quoted string is one word, together with its key."""
    return _WORD.findall(text)


def without_refs(text: str, removed: Container[str]) -> str:
    """Remove the refs in ``removed`` (``[ref=e1]``) from a line's text, except in quoted text."""
    if "[ref=e" not in text and " as e" not in text:
        return text
    kept_words: list[str] = []
    for word in words(text):
        ref = _REF.fullmatch(word)
        if ref is not None and ref[1] in removed:
            continue
        # ``url as e12`` and ``url as e15`` mean the same.
        same = bool(kept_words) and kept_words[-1] == "as" and _SAME_AS.fullmatch(word) is not None
        kept_words.append("" if same else word)
    return " ".join(kept_words)


def ranges(numbers: Sequence[int]) -> list[str]:
    """Return ref numbers as ranges without gaps: ``["e3", "e7-e20"]``."""
    if numbers and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return [f"e{numbers[0]}-e{numbers[-1]}" if len(numbers) > 1 else f"e{numbers[0]}"]
    texts: list[str] = []
    first = last = 0
    for number in [*sorted(set(numbers)), -1]:
        if first and number == last + 1:
            last = number
            continue
        if first:
            texts.append(f"e{first}" if first == last else f"e{first}-e{last}")
        first = last = number
    return texts

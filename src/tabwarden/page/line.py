"""Line: one line of an outline, and how page text is quoted in it."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Sequence
from typing import Any

import msgspec

__all__ = [
    "Line",
    "as_json",
    "bare",
    "cut_json",
    "is_plain",
    "named",
    "quoted",
    "ranges",
    "sentence",
    "shortened",
    "token",
    "without_refs",
    "words",
]

# What could reorder text, hide it, break its line or say what only machines read, on its way to the
# reader: bidi controls, what is drawn as nothing, ends of lines, tag characters and variation
# selectors (whole messages are smuggled to models in these), halves of characters. What emoji and
# hyphenation need in plain text stays.
_TRICKS = re.compile(
    "[\x7f-\x9f\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb"
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_UNSEEN = re.compile(f"[\\0-\x1f]|{_TRICKS.pattern}")
_WHOLE_SIGNS = re.compile(r'"(?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_WORD = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
_REF = re.compile(r"\[ref=(e\d+)\]")
_NAME = 40
_TOKEN = re.compile("[a-z][a-z0-9-]{0,40}")
_BARE = {**dict.fromkeys(range(32)), ord("["): "(", ord("]"): ")", ord("|"): "/"}
_LONGEST_BARE = 200
_SAME_AS = re.compile(r"e\d+")


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line of an outline, without its indentation."""

    depth: int
    role: str
    text: str
    refs: tuple[str, ...] = ()
    """What can be acted on in it: none, one, or several in a table's row."""
    in_view: bool = False
    """Whether it stands in the viewport, as far as was asked."""
    mark: str = ""
    """What it begins with at the very left, in a list of changes; nothing in an outline."""

    def drawn(self, less: int = 0) -> str:
        """As it stands in the outline, ``less`` levels further out."""
        if self.mark:
            return f"{self.mark} {self.text}"
        return f"{'  ' * (self.depth - less)}- {self.text}"

    @property
    def size(self) -> int:
        """How many characters it takes, with its end."""
        return 2 * self.depth + len(self.text) + 3


def quoted(text: str) -> str:
    """Page text as a string that can't end early, break the line or reorder what follows."""
    if is_plain(text):
        return f'"{text}"'  # most text is, and a snapshot quotes thousands
    return as_json(text)


def bare(text: str) -> str:
    """Page text for a line of ours that has no quotes: one line, no bracket or bar, not long."""
    seen = _TRICKS.sub("", " ".join(text.split())).translate(_BARE)
    return seen if len(seen) <= _LONGEST_BARE else seen[: _LONGEST_BARE - 1] + "…"


def token(text: str) -> str:
    """What is nearly always one plain word of HTML's, as a tag; quoted when a page made it up."""
    return text if _TOKEN.fullmatch(text) else quoted(text)


def sentence(text: str) -> str:
    """A sentence of ours, into which a caller's or a browser's own words may have come unquoted:
    on one line, and all of it seen."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def as_json(value: Any) -> str:
    """JSON on one line, page text in it quoted as ``quoted`` does."""
    made = json.dumps(value, ensure_ascii=False, default=str)
    # json writes what is beyond 16 bits as two escapes.
    return _TRICKS.sub(lambda found: json.dumps(found[0])[1:-1], made)


def is_plain(text: str) -> bool:
    """Whether a text stands between quotes as it is."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def shortened(quote: str, most: int) -> str:
    """A quoted string cut to some ``most`` characters; what is cut stays a quoted string."""
    if len(quote) <= most:
        return quote
    # An escape that was cut in the middle would say something else.
    whole = _WHOLE_SIGNS.match(quote[: most - 2])
    return f'{whole[0] if whole else chr(34)}…"'


def cut_json(text: str, most: int) -> str:
    """JSON cut to some ``most`` characters; a string in which it is cut ends there."""
    if len(text) <= most:
        return text
    cut = text[: most - 2]
    start = _STRING.sub(lambda found: " " * len(found[0]), cut).find('"')
    if start < 0:
        return f"{cut}…"
    whole = _WHOLE_SIGNS.match(cut, start)
    return f'{cut[:start]}{whole[0] if whole else chr(34)}…"'


def named(line: Line) -> str:
    """A line by its role and first name."""
    kept: list[str] = []
    for word in words(line.text)[:3]:
        if word.startswith('"'):
            kept.append(shortened(word, _NAME))
            break
        if not word.startswith("[ref=") and '"' not in word:
            kept.append(word.removesuffix(":"))
    return " ".join(kept)


def words(text: str) -> list[str]:
    """The words of a line's text; what is quoted is one word, with the key before it."""
    return _WORD.findall(text)


def without_refs(text: str, gone: Container[str]) -> str:
    """A line's text without those refs (``[ref=e1]``) that are ``gone``; page text is kept."""
    if "[ref=e" not in text and " as e" not in text:
        return text
    kept: list[str] = []
    for word in words(text):
        ref = _REF.fullmatch(word)
        if ref is not None and ref[1] in gone:
            continue
        # Which other element is the same is no difference.
        same = bool(kept) and kept[-1] == "as" and _SAME_AS.fullmatch(word) is not None
        kept.append("" if same else word)
    return " ".join(kept)


def ranges(numbers: Sequence[int]) -> list[str]:
    """Refs, by their numbers, as ranges that hold these and no others: ``["e3", "e7-e20"]``."""
    if numbers and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return [f"e{numbers[0]}-e{numbers[-1]}" if len(numbers) > 1 else f"e{numbers[0]}"]
    found: list[str] = []
    first = last = 0
    for number in [*sorted(set(numbers)), -1]:
        if first and number == last + 1:
            last = number
            continue
        if first:
            found.append(f"e{first}" if first == last else f"e{first}-e{last}")
        first = last = number
    return found

"""Line: one line of an outline, and how page text is quoted in it."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Sequence

import msgspec

__all__ = ["Line", "is_plain", "named", "quoted", "ranges", "shortened", "without_refs", "words"]

# Characters that could reorder or hide text on its way to the reader (Unicode bidi, zero width).
_TRICKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c\x7f-\x9f]")
_WORD = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
_REF = re.compile(r"\[ref=(e\d+)\]")
_NAME = 40
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
    safe = json.dumps(text, ensure_ascii=False)
    return _TRICKS.sub(lambda found: f"\\u{ord(found[0]):04x}", safe)


def is_plain(text: str) -> bool:
    """Whether a text stands between quotes as it is."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def shortened(quote: str, most: int) -> str:
    """A quoted string cut to some ``most`` characters; what is cut stays a quoted string."""
    if len(quote) <= most:
        return quote
    # An escape that was cut in the middle would say something else.
    return re.sub(r"\\(u[0-9a-f]{0,3})?$", "", quote[: most - 2]) + '…"'


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


def ranges(refs: Sequence[str]) -> list[str]:
    """Refs as ranges that hold these and no others: ``["e3", "e7-e20"]``."""
    numbers = [int(ref[1:]) for ref in refs]
    if numbers and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return [f"e{numbers[0]}-{refs[-1]}" if len(numbers) > 1 else refs[0]]
    numbers = sorted(set(numbers))
    found: list[str] = []
    first = last = 0
    for number in [*numbers, -1]:
        if first and number == last + 1:
            last = number
            continue
        if first:
            found.append(f"e{first}" if first == last else f"e{first}-e{last}")
        first = last = number
    return found

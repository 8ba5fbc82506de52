"""Our part of a text, which is equal for any page after quoted strings are removed."""

from __future__ import annotations

import json
import re
import unicodedata

__all__ = ["HIDES", "check_seen", "skeleton"]

_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_FENCED = re.compile(r"^<page ([0-9a-f]{8})>\n(.*?)\n</page \1>$", re.DOTALL | re.MULTILINE)
_ALLOWED = frozenset("\u2026\ufe0e\ufe0f\xad")
"""Emoji and line-breakable words need some of these characters in plain text."""
_DRAWN = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Characters of the format category that are visible."""


def HIDES(sign: str) -> bool:  # noqa: N802 - a predicate, for ``filter``
    """Whether a character is a control, is invisible, or reorders others."""
    return sign not in _ALLOWED | _DRAWN and (
        unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        or sign in "\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u2800"
        or "\u180b" <= sign <= "\u180f"
        or "\ufe00" <= sign <= "\ufe0f"
        or "\U000e0000" <= sign <= "\U000e0fff"
    )


def check_seen(text: str) -> None:
    """Check that our text is UTF-8 without invisible or control characters except line ends."""
    text.encode()
    unseen = sorted({sign for sign in text.replace("\n", "") if HIDES(sign)})
    assert not unseen, f"unseen: {unseen!r} in {text!r}"


def skeleton(text: str, *, scraped: bool = False) -> list[str]:
    """The lines of a text of ours, each quoted string as ``Q``, after these checks: nothing in it
    is unseen or obeyed, every quoted string is JSON, and it is UTF-8.

    Args:
        text: what a model reads.
        scraped: what stands between the marks is a page's text as it is: taken out whole.
    """
    check_seen(text)
    text = _FENCED.sub("PAGE" if scraped else r"PAGE\n\2\nEND", text)
    for quote in _QUOTED.findall(text):
        json.loads(quote)
    return _QUOTED.sub("Q", text).split("\n")

"""Parse numbers in untrusted text. ``int`` rejects some strings that ``str.isdigit`` accepts, such
as "²", and strings of thousands of digits.
"""

from __future__ import annotations

__all__ = ["whole_number"]

_MOST_DIGITS = 18


def whole_number(text: str) -> int | None:
    """Parse a string of 1 to 18 digits; return None for any other string."""
    fits = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if fits else None

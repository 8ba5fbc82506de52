"""Numbers that others wrote: ``int`` fails for some of what ``str.isdigit`` accepts, such as "²",
and for thousands of digits."""

from __future__ import annotations

__all__ = ["whole_number"]

_MOST_DIGITS = 18


def whole_number(text: str) -> int | None:
    """Return the number that a text of 1 to 18 digits writes; None for any other text."""
    fits = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if fits else None

"""What a page says, shown on a terminal: its control characters would be obeyed there."""

from __future__ import annotations

__all__ = ["harmless"]

_CONTROLS = {number: "�" for number in [*range(32), *range(127, 160)] if chr(number) not in "\n\t"}


def harmless(text: str) -> str:
    """The text, with a mark where a control character is: for terminals alone, not for pipes."""
    return text.translate(_CONTROLS)

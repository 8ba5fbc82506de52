"""What goes wrong in the demo itself: the page or the browser is not as the story says."""

from __future__ import annotations

__all__ = ["Surprise", "expect"]


class Surprise(Exception):
    """Something else happened than the story says; with what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def expect(truth: object, otherwise: str) -> None:
    """Go on if it is so.

    Raises:
        Surprise: it isn't.
    """
    if not truth:
        raise Surprise(otherwise, "This is a bug of Tabwarden or of its demo: please report it.")

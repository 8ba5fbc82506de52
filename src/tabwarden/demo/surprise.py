"""The demo's own errors: the page or the browser does not match the story."""

from __future__ import annotations


class Surprise(Exception):
    """Something unexpected happened. The error has a hint for the user."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def expect(truth: object, otherwise: str) -> None:
    """Raise unless ``truth`` is truthy.

    Raises:
        Surprise: ``truth`` is falsy.
    """
    if not truth:
        raise Surprise(otherwise, "This is a bug in Tabwarden or its demo: please report it.")

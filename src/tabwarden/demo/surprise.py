"""The demo's own error. It is raised if a page or a browser does not do what the demo expects."""

from __future__ import annotations


class Surprise(Exception):
    """Something unexpected happened. ``hint`` tells the user what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def expect(truth: object, otherwise: str) -> None:
    """Raise ``Surprise`` if ``truth`` is falsy."""
    if not truth:
        raise Surprise(otherwise, "This is a bug in Tabwarden or its demo: please report it.")

"""Kinds of browsers: find the class that controls the browser at an endpoint.

A kind is a class with the interface of ``Browser``. Its ``capabilities`` describe what the browser
supports, so no action checks the kind. ``Browser`` itself is the kind for Chromium over CDP.
Packages provide other kinds as entry points in the group ``tabwarden.kinds``: an entry point's name
is the endpoints' URL scheme, and its object is the class.
"""

from __future__ import annotations

from tabwarden.browser import Browser
from tabwarden.endpoints.schemes import other_kind

__all__ = ["kind_of"]


def kind_of(endpoint: str) -> type[Browser]:
    """Return the class whose ``connect`` accepts this endpoint."""
    point = other_kind(endpoint)
    if point is None:
        return Browser
    kind: type[Browser] = point.load()
    return kind

"""Kinds of browsers: what an endpoint leads to, and so which class drives it.

A kind is a class with the interface of ``Browser``. Its ``capabilities`` say what it can do, so no
action asks which kind it has. Chromium's kind, over CDP, is ``Browser`` itself. Packages offer
other kinds as entry points of the group ``tabwarden.kinds``: an entry point's name is the scheme of
the endpoints, and its object is the class.
"""

from __future__ import annotations

from tabwarden.browser import Browser
from tabwarden.endpoints.schemes import other_kind

__all__ = ["kind_of"]


def kind_of(endpoint: str) -> type[Browser]:
    """Return the class whose ``connect`` takes an endpoint."""
    point = other_kind(endpoint)
    if point is None:
        return Browser
    kind: type[Browser] = point.load()
    return kind

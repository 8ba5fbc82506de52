"""Kinds of browsers: what an endpoint leads to, and so which class drives it.

A kind is a class with the interface of ``Browser``. Its ``capabilities`` say what it can do, so no
action asks which kind it has. Chromium's kind, over CDP, is ``Browser`` itself.
"""

from __future__ import annotations

from tabwarden.browser import Browser
from tabwarden.camofox import CamofoxBrowser, is_camofox

__all__ = ["kind_of"]


def kind_of(endpoint: str) -> type[Browser]:
    """Return the class whose ``connect`` takes an endpoint."""
    return CamofoxBrowser if is_camofox(endpoint) else Browser

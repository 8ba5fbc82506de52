"""Pointing: mouse, wheel and touch."""

from __future__ import annotations

from tabwarden.browser.base import BrowserBase


class PointingMethods(BrowserBase):
    """Methods that point at elements and places."""

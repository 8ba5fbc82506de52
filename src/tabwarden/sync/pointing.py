"""Sync twin of ``tabwarden.browser.pointing``: the same names, for code without an event loop.

Generated from browser/pointing.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from tabwarden.sync.base import BrowserBase


class PointingMethods(BrowserBase):
    """Methods that point at elements and places."""

"""Sync twin of ``tabwarden.browser.devtools``: the same names, for code without an event loop.

Generated from browser/devtools.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from tabwarden.sync.base import BrowserBase


class DevtoolsMethods(BrowserBase):
    """Methods that measure a page."""

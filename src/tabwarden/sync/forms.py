"""Sync twin of ``tabwarden.browser.forms``: the same names, for code without an event loop.

Generated from browser/forms.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from tabwarden.sync.base import BrowserBase


class FormMethods(BrowserBase):
    """Methods that type and fill in forms."""

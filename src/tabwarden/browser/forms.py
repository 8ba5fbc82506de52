"""Forms: the keyboard, and the controls of forms."""

from __future__ import annotations

from tabwarden.browser.base import BrowserBase


class FormMethods(BrowserBase):
    """Methods that type and fill in forms."""

"""Devtools: measure a page."""

from __future__ import annotations

from tabwarden.browser.base import BrowserBase


class DevtoolsMethods(BrowserBase):
    """Methods that measure a page."""

"""Tabwarden beside Playwright: supervises a browser that Playwright drives.

``supervise`` connects Tabwarden to the browser of a Playwright ``Browser`` or ``Page``. It returns
a ``Warden``: a ``Browser`` that also turns refs into Playwright locators and back. ``address``
finds the browser's debugging port, ``asking`` calls both Playwright APIs with one code,
``pairing`` knows which tab is which page, and ``guests`` turns elements into Playwright's and back.

To change:

- which tab is which page of Playwright: ``pairing.py``
"""

from tabwarden.integrations.playwright.supervising import supervise
from tabwarden.integrations.playwright.wardens import SyncWarden, Warden

__all__ = ["SyncWarden", "Warden", "supervise"]

"""Tabwarden beside Playwright: supervises a browser that Playwright controls.

``supervise`` connects Tabwarden to the browser behind a Playwright ``Browser`` or ``Page``. It
returns a ``Warden``: a ``Browser`` that also converts refs to Playwright locators and back.
``address`` finds the browser's debugging port, ``asking`` calls both Playwright APIs with the same
code, ``pairing`` maps tabs to pages, and ``guests`` converts elements to Playwright's elements and
back.

To change:

- which tab is which Playwright page: ``pairing.py``
"""

from tabwarden.integrations.playwright.supervising import supervise
from tabwarden.integrations.playwright.wardens import SyncWarden, Warden

__all__ = ["SyncWarden", "Warden", "supervise"]

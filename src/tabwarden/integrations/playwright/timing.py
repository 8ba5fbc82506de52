"""The timeouts of this package."""

AT_ONCE_S = 0.1
"""How long ``locator`` may block its caller. A page that responds takes some milliseconds."""
HANG_PATIENCE = 10.0
"""The minimum ``hang_patience``. Playwright loses the page object if Tabwarden replaces the
page."""
GUEST_MS = 2000
"""How long to wait for Playwright's world in a frame that has just loaded a new document."""

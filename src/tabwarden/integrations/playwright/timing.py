"""How long this package waits."""

AT_ONCE_S = 0.1
"""How long ``locator`` may block its caller. A page that responds takes some milliseconds."""
HANG_PATIENCE = 10.0
"""The least ``hang_patience``. Playwright loses the page object of a page that was replaced."""
GUEST_MS = 2000
"""How long we wait for Playwright's world in a frame that has just got another document."""

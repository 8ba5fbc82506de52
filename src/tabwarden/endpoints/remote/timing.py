"""Time limits of this package, with their reasons."""

LATE_SESSION_MS = 60_000.0
"""How long to wait for a session whose caller has stopped waiting, so that we can release it."""
RELEASE_MS = 10_000.0
"""The budget for releasing one session at its provider."""
LIVE_VIEW_MS = 5_000.0
"""Maximum time for getting the address of the live view, which is optional."""
CANCEL_GRACE_S = 1.0
"""How long a cancelled caller waits for the release of its session."""

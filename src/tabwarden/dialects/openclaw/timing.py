"""How long this package waits, and why."""

WAIT_POLL_S = 0.05
"""The pause between checks of a client's wait condition ``fn``."""
WAIT_EXTRA_MS = 5_000.0
"""How much the default budget of a wait exceeds the wait itself."""

"""How long this package waits, and why."""

WAIT_EXTRA_MS = 5_000.0
"""How much the default budget of a wait exceeds the wait itself."""

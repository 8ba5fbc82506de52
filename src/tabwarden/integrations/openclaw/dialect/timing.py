"""The timeouts of this package, and the reasons for them."""

WAIT_EXTRA_MS = 5_000.0
"""How much longer the default budget of a wait is than the wait itself."""

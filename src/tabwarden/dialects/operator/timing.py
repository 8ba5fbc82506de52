"""How long this package waits, and why."""

READ_MS = 5_000.0
"""The maximum time that a call may spend on waiting for dialogs that the policy answers."""
WAIT_EXTRA_MS = 5_000.0
"""How much longer the budget of ``wait`` is than the wait itself."""

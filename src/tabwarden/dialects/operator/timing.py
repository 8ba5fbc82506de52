"""How long this package waits, and why."""

READ_MS = 5_000.0
"""How long a call may wait until the policy has answered the page's dialogs."""
WAIT_EXTRA_MS = 5_000.0
"""How much the budget of ``wait`` exceeds the wait itself."""

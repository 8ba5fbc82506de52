"""How long this package waits, and why."""

from tabwarden.budget import MAX_TIMEOUT_MS

READ_MS = 5_000.0
"""How long a call may wait until the policy has answered the page's dialogs."""
WAIT_EXTRA_MS = 5_000.0
"""How much the budget of ``wait`` exceeds the wait itself."""
MAX_WAIT_S = (MAX_TIMEOUT_MS - WAIT_EXTRA_MS) / 1000
"""The longest ``wait`` with a valid budget. Operator-Use has no other limit."""

"""The timeouts of this package, and the reasons for them."""

from tabwarden.budget import MAX_TIMEOUT_MS

READ_MS = 5_000.0
"""How long a call may wait until the policy has closed the page's dialogs."""
WAIT_EXTRA_MS = 5_000.0
"""How much longer the budget of ``wait`` is than the wait itself."""
MAX_WAIT_S = (MAX_TIMEOUT_MS - WAIT_EXTRA_MS) / 1000
"""The longest ``wait`` with a valid budget. Operator-Use has no other limit."""

"""How long this package waits, and why."""

SHUTDOWN_S = 10
"""How long requests may take to end after we cancel their budgets."""
RETRY_AFTER_S = 1
"""How long a client should wait while the server runs as many requests as it may: most end soon."""

"""How long this package waits, and why."""

SHUTDOWN_S = 10
"""How long requests may take to end after we cancel their budgets."""

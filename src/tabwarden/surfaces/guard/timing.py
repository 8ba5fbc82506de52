"""How long this package waits, and why."""

SHUTDOWN_S = 10
"""How long requests may take to end after their budgets were cancelled."""

"""How long this package waits or asks callers to wait, and why."""

RETRY_AFTER_S = 5.0
"""When to retry if no more browsers may open: tasks last for minutes, not seconds."""
IDLE_LOOK_S = 30.0
"""Maximum time between checks for idle tasks. The limit may change in the meantime."""
SHORTEST_LOOK_S = 0.05
"""Minimum time between checks for idle tasks, however short the limit is."""

"""How long this package waits or tells callers to wait, and why."""

RETRY_AFTER_S = 5.0
"""When a caller should retry if no more browsers may open. Tasks last for minutes, not seconds."""
IDLE_LOOK_S = 30.0
"""Maximum time between two checks for idle tasks. It is needed because the idle limit may change
meanwhile."""
SHORTEST_LOOK_S = 0.05
"""Minimum time between checks for idle tasks, however short the limit is."""

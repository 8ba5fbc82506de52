"""How long this package waits, or tells callers to wait, and why."""

RETRY_AFTER_S = 5.0
"""When to ask again for a browser, if all places are taken: tasks last for minutes, not seconds."""
IDLE_LOOK_S = 30.0
"""How often to look for idle tasks, at least: the limit may have changed."""
SHORTEST_LOOK_S = 0.05
"""However short the limit is, don't look more often."""

"""How long this package waits, and why."""

BATCH_S = 0.1
"""Changes within this time are sent together."""
IDLE_S = 1800.0
"""If a client sends nothing for this long, its browser is closed."""
NOTIFY_S = 5.0
"""How long a client may take to read a notification."""

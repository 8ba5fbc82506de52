"""How long this package waits, and why."""

DIAL_S = 6.0
"""How long a host may take to respond: a cold browser needs some seconds."""
ASK_AGAIN_S = 0.2
"""The pause after the coordinator did not respond."""
ACQUIRE_HEADROOM_S = 0.2
"""The coordinator ends a wait this much before the caller's budget ends."""

"""How long this package waits, and why."""

DIAL_S = 6.0
"""How long a host may take to answer: a cold browser needs some seconds."""
MOVED_S = 20.0
"""How long one question to the coordinator stays open, until the client asks again."""
ASK_AGAIN_S = 0.2
"""The pause after the coordinator did not answer."""
RELEASE_S = 2.0
"""How long ``close`` waits for the coordinator."""
IDLE_S = 0.3
"""A task that moves must have had no call for this many seconds."""
MOVE_AGAIN_S = 1.0
"""The pause after no other node had a place for a task that should move."""
ACQUIRE_HEADROOM_S = 0.2
"""The coordinator ends a wait this much before the caller's budget ends."""
PING_S = 5.0
"""How often to check a connection to a host that says nothing."""

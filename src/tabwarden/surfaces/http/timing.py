"""How long this package waits, and why."""

BODY_S = 20.0
"""How long a client may take to send a request body."""
RETRY_AFTER_S = 1
"""How long a rejected client should wait."""
WAIT_POLL_S = 0.05
"""The pause between checks of a condition that only the server can check."""
ARMED_MS = 120_000.0
"""How long an answer that was given in advance waits for its prompt by default."""
TRAFFIC_POLL_S = 0.05
"""The pause between checks for a response."""
HEARTBEAT_S = 15.0
"""If no event is sent for this long, the server sends a comment to show that the stream still
works.
"""
STALLED_S = 60.0
"""How long a client may take to read what was sent."""
RETRY_MS = 1_000
"""How long a client waits before it reconnects (the ``retry`` field of server-sent events)."""

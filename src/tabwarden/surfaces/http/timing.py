"""How long this package waits, and why."""

BODY_S = 20.0
"""How long a client may take to send a request body."""
UPLOAD_BYTES_PER_S = 64 * 1024
"""How fast a client must send a file, on average: else many slow ones take all places."""
STREAM_RETRY_AFTER_S = 5.0
"""How long a client should wait for a free event stream: streams last long."""
ARMED_MS = 120_000.0
"""How long prepared files wait for a file chooser, by default."""
TRAFFIC_POLL_S = 0.05
"""The pause between checks whether a response has arrived."""
TICKET_S = 60.0
"""How long a token for a screencast waits for its viewer, as in OpenClaw."""
LOOK_S = 0.5
"""How often a screencast looks whether its tab is still there, and where it is."""
HEARTBEAT_S = 15.0
"""If the server sends no event for this long, it sends a comment to show that the stream works."""
STALLED_S = 60.0
"""How long a client may take to read the data that the server sent."""
RETRY_MS = 1_000
"""How long a client waits before it reconnects (the ``retry`` field of server-sent events)."""

"""How long this package waits, and why."""

CLIENT_GRACE_S = 45.0
"""A task without a connected client ends after this many seconds: its client died. A client tries
to reconnect for 30 s."""
LAUNCH_MS = 20_000.0
"""The budget for starting a browser."""
END_MS = 5_000.0
"""The budget for ending a browser."""
ADMIT_S = 5.0
"""How long a client waits for its browser to start."""
HANDSHAKE_S = 10.0
"""How long a client may take to begin TLS, and as long again to show its ticket."""
OPEN_S = 5.0
"""How long to wait for a connection to a browser on this machine."""
MEASURE_S = 5.0
"""How often to read the memory of the browsers, which takes some milliseconds for each."""
LEAVE_S = 2.0
"""How long the coordinator may take to hear that the host stops."""

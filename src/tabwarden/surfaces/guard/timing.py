"""How long this package waits, and why."""

SHUTDOWN_S = 10
"""How long requests may take to end after we cancel their budgets."""
REQUEST_S = 10.0
"""How long a client without a token may take to send a whole request. Ours send it at once."""
RETRY_AFTER_S = 1
"""How long a client should wait while the server runs as many requests as it may: most end soon."""
LOOK_S = 0.25
"""The pause between checks whether the token of a running request is still valid."""
GRACE_S = 2.0
"""How long a request may take to end after its token was revoked."""
LOCK_S = 5.0
"""How long to wait for another program that changes the tokens."""
LOCK_PAUSE_S = 0.02
"""The pause between attempts to lock the tokens."""
DRAIN_LOOK_S = 0.1
"""How often to look whether the last call has ended, while the server waits to stop."""

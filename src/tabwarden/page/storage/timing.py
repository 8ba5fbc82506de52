"""Time limits of this package, with reasons."""

REQUEST_PAUSED_MS = 5_000.0
"""How long the browser may take to send the origin page's request."""
TAB_ANSWERS_MS = 500.0
"""How long a tab may take to return its sessionStorage. If it takes longer, it counts as hung."""
LOCK_S = 3.0
"""How long to wait for another task that is saving a state with the same name."""
LOCK_POLL_S = 0.02
"""The time between attempts to get the lock. Saving takes a few milliseconds."""

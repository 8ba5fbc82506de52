"""Time limits of this package, with reasons."""

REQUEST_PAUSED_MS = 5_000.0
"""How long the browser may take to send the origin page's request."""
TAB_ANSWERS_MS = 500.0
"""How long a tab may take to tell its sessionStorage. A tab that takes longer hangs."""
LOCK_S = 3.0
"""How long another task may take to save a state under the same name."""
LOCK_POLL_S = 0.02
"""Saving takes a few milliseconds."""

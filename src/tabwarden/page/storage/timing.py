"""Time limits of this package, with reasons."""

REQUEST_PAUSED_MS = 5_000.0
"""How long the browser may take to send the origin page's request."""

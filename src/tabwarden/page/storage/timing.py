"""Time limits of this package, with reasons."""

REQUEST_PAUSED_MS = 5_000.0
"""How long the browser may take to request the page that stands in for an origin."""

"""Time limits of this package, with reasons."""

LONGEST_HOLD_MS = 60_000.0
"""How long a key or a button may be held. A longer hold is two calls."""

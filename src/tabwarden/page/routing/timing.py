"""Time constants of routes."""

LONGEST_DELAY_MS = 600_000
"""Ten minutes is longer than any page or call waits."""
UNMATCHED_S = 60.0
"""A route that has matched nothing for this long is probably wrong, and says so."""

"""Time limits for routes, with reasons."""

LONGEST_DELAY_MS = 600_000
"""The maximum delay. Ten minutes is longer than any page or call waits."""
UNMATCHED_S = 60.0
"""A route that has matched no request for this long probably has a wrong pattern, so it is
reported."""

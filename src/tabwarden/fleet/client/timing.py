"""The timeouts of this package, and the reasons for them."""

DIAL_S = 6.0
"""How long a host may take to respond. If no warm browser is ready, starting a browser takes some
seconds.
"""
ASK_AGAIN_S = 0.2
"""The pause before the next attempt, if the coordinator does not respond."""
ACQUIRE_HEADROOM_S = 0.2
"""The coordinator stops waiting this long before the caller's deadline."""

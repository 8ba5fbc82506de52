"""Time limits of this package, with their reasons."""

PROBE_MS = 10_000.0
"""Limit for testing one of several browsers. On a cold disk or a busy computer a browser may need
longer, so if only one browser is left to test, it gets all of the remaining time.
"""
REFUSAL_HOLDS_S = 3600.0
"""How long a failed test remains valid. After that, we test the browser again, because somebody may
have installed a missing library.
"""
OFFER_MS = 2000.0
"""How long a browser on this computer may take to answer whether it offers debugging. It answers
within milliseconds; another program may never answer.
"""

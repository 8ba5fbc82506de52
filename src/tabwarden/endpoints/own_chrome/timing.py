"""Time limits of this package, with their reasons."""

POLL_S = 0.05
"""The pause between checks whether a browser that we launched offers debugging. A start takes about
a second.
"""

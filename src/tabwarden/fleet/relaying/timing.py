"""How long this package waits, and why."""

STALL_S = 30.0
"""A file transfer fails if no piece arrives for this many seconds."""

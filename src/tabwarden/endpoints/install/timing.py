"""How long this package waits, and why."""

CONNECT_S = 5.0
"""Timeout for connecting to a server. It is short, so that on a blocked network the next source is
tried soon.
"""
STALL_S = 30.0
"""A download that receives nothing for this long has failed."""
ABANDONED_S = 3600.0
"""A staging folder that nothing has written to for this long is left over from a crash."""
INSTALL_MS = 15 * 60_000.0
"""The default budget of an install: enough for 200 MB on a slow line."""

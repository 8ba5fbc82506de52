"""Time limits of this package, with their reasons."""

CONNECT_S = 5.0
"""Timeout for connecting to a server. It is short, so that Tabwarden soon tries the next source if
the network is blocked.
"""
STALL_S = 30.0
"""A download that receives nothing for this long has failed."""
ABANDONED_S = 3600.0
"""A staging folder that has not changed for this long is left over from a crash."""
INSTALL_MS = 15 * 60_000.0
"""The default budget of an install: enough for 200 MB on a slow line."""

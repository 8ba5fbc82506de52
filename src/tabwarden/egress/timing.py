"""Time limits of this package, with their reasons."""

CONNECT_S = 30.0
"""How long the proxy tries to reach a server. Browsers have about the same limit."""
ATTEMPT_DELAY_S = 0.25
"""If a host's address has not answered after this delay, try the next address too (RFC 8305)."""
KERNEL_S = 0.1
"""Timeout for a netlink request. The kernel answers at once unless something is broken."""
HANDSHAKE_S = 10.0
"""The proxy disconnects a client that has not sent its request within this time."""
HALF_CLOSED_S = 30.0
"""How long the proxy waits for the server's remaining data after the browser has finished sending.
Browsers wait about as long.
"""

"""How long this package waits, and why."""

CONNECT_S = 30.0
"""How long the proxy tries to reach a server. Browsers use about the same limit."""
ATTEMPT_DELAY_S = 0.25
"""The proxy tries a host's next address after this delay (RFC 8305)."""
KERNEL_S = 0.1
"""Timeout for a netlink request. The kernel answers at once, so reaching this limit means a fault.
"""
HANDSHAKE_S = 10.0
"""The proxy disconnects a client that has not sent its request within this time."""
HALF_CLOSED_S = 30.0
"""How long the proxy waits for the rest of the data after one side has finished sending; browsers
wait about as long.
"""

"""How long this package waits, and why."""

CLOCK_SLACK_S = 60.0
"""How much a file system's time may differ from the clock's."""
REMOVAL_S = 1.0
"""How long to wait before reporting a folder without an owner, because it may just be in the
process of removal.
"""
SERVER_S = 3.0
"""How long a running server may take to answer."""

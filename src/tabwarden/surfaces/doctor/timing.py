"""How long this package waits, and why."""

CLOCK_SLACK_S = 60.0
"""How much a file's time may differ from the clock."""
REMOVAL_S = 1.0
"""How long to wait before reporting an ownerless folder, because its removal may be in progress."""
SERVER_S = 3.0
"""How long a running server may take to answer."""

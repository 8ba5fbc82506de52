"""How long this package waits, and why."""

CALL_S = 5.0
"""How long the coordinator may take to answer a call that should not wait."""
SLACK_S = 1.0
"""How much longer than its own limit a waiting call may take before we give up."""
RECONCILE_S = 1.0
"""How often the coordinator looks for new nodes."""
PARENT_S = 0.5
"""How often a host checks that its raylet lives."""
CONNECT_S = 30.0
"""How long a cluster may take to answer at the first connection."""
RAY_START_S = 90.0
"""How long ``ray start`` may take; some machines need half a minute."""
HOST_START_S = 120.0
"""How long ``fleet up`` waits until this node's host has registered."""

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
HOST_STOP_S = 20.0
"""How long a host may take to end its browsers when the fleet stops."""
TERMINATE_S = 3.0
"""How long Ray's processes may take to end by themselves. A head's raylet took over 10 s: its
cluster goes away with it, so waiting longer gains nothing."""
KILL_S = 3.0
"""How long a process may take to end after SIGKILL, and its browsers with it."""
POLL_S = 0.1
"""How often to look whether processes have ended."""
WATCH_S = 1.0
"""How often ``fleet up --block`` checks that Ray lives."""

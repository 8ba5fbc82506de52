"""How long this package waits, and why."""

EXIT_GRACE_S = {"pipe": 3.0, "port": 0.5}
"""How long a browser may take to exit by itself after its wire is closed. Only a browser on a pipe
does so.
"""
AFTER_TERM_S = 1.0
"""How long to wait after SIGTERM before SIGKILL."""
AFTER_KILL_S = 2.0
"""How long the kernel may take to end a killed process on a busy disk."""
CLEANUP_S = 5.0
"""How long removing the scratch folder may take before the janitor finishes it."""
POLL_S = 0.01
"""The pause between checks for the port that Chrome writes to its profile."""

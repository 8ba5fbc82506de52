"""Time limits of this package, with their reasons."""

EXIT_GRACE_S = {"pipe": 3.0, "port": 0.5}
"""How long we let a browser exit by itself after its wire closes. Only browsers on a pipe do."""
AFTER_TERM_S = 1.0
"""How long to wait after SIGTERM before SIGKILL."""
AFTER_KILL_S = 2.0
"""How long the kernel may take to end a killed process while the disk is busy."""
CLEANUP_S = 5.0
"""How long we try to remove the scratch folder. After that, the janitor removes it."""
POLL_S = 0.01
"""The pause between checks for the port that Chrome writes to its profile."""

"""How long this package waits, and why."""

TAKE_MS = 5_000.0
"""A checkpoint that takes longer is skipped: the page or the machine is busy."""
RESTORE_MS = 10_000.0
"""How long a new browser may take to get the cookies and storage of a checkpoint."""
SAVE_EVERY_S = 30.0
"""How much of a session's logins a killed process may lose."""
SAVE_MS = 5_000.0
"""How long one save of a kept state may take. The browser closes after it."""

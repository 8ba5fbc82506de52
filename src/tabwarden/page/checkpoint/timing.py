"""How long this package waits, and why."""

TAKE_MS = 5_000.0
"""A checkpoint that takes longer is skipped: the page or the machine is busy."""
RESTORE_MS = 10_000.0
"""How long a new browser may take to get the cookies and storage of a checkpoint."""

"""Time limits of this package, with reasons."""

ACTIONABLE_MS = 1_000.0
"""How long to wait for obstacles that may go away, such as a cover that fades."""
SUGGEST_MS = 1_000.0
"""How long a ``stale_ref`` error may take to find elements similar to the missing one."""
FRAME_MS = 5_000.0
"""If a frame takes longer to read, the snapshot shows the iframe without its content."""

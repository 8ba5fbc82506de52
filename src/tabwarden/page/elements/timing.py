"""Time limits of this package, with reasons."""

ACTIONABLE_MS = 1_000.0
"""How long to wait for obstacles that may pass, such as a cover that fades."""
SUGGEST_MS = 1_000.0
"""How long ``stale_ref`` may look for elements similar to the missing one."""
FRAME_MS = 5_000.0
"""If a frame takes longer, the snapshot names it but leaves out its content."""

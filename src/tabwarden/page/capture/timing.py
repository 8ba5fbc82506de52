"""Time limits of this package, with reasons."""

ALIVE_MS = 500.0
"""How long to wait for the crash event of a page that could not be printed."""
PATIENCE_MS = 800.0
"""A page that takes longer to answer counts as hung. So does a paused page that takes longer to
draw."""
LARGE_PICTURE_MS = 8_000.0
"""How long a responsive page may take to draw and compress a large image."""
COVER_MS = 1_500.0
"""How long covering the secrets of a page may take. A page that takes longer gives no picture."""

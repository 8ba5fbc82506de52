"""Time limits of this package, with reasons."""

ALIVE_MS = 500.0
"""How long to wait for the crash event of a page after printing it failed."""
PATIENCE_MS = 800.0
"""How long a page may take to respond, or a paused page to draw, before it counts as hung."""
LARGE_PICTURE_MS = 8_000.0
"""How long a responsive page may take to render and compress a large image."""
COVER_MS = 1_500.0
"""How long covering a page's secrets may take. After that, no screenshot is taken."""

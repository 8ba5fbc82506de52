"""Time limits of this package, with reasons."""

LONGEST_HIGHLIGHT_S = 60.0
"""A highlight that stays longer would be forgotten on the page."""
ALIVE_MS = 500.0
"""A page that answers within this time can be printed. A hung page would keep the PDF waiting."""
PATIENCE_MS = 800.0
"""A page that takes longer to answer counts as hung, and so does a paused page that takes longer to
draw."""
LARGE_PICTURE_MS = 8_000.0
"""How long a responsive page may take to draw and compress a large image."""

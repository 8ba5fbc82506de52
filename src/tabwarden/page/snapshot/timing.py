"""Time limits of this package, with reasons."""

LONG_READ_S = 2.0
"""If reading a page took longer, the reading itself may have made the page seem hung."""
REDRAW_MS = 120.0
"""How long a page may show fewer elements while it re-renders: a few frames."""
EFFECT_MS = 100.0
"""How long the page may take to report an input's effect."""

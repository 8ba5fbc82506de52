"""Time limits of this package, with reasons."""

LONG_READ_S = 2.0
"""If reading a page took longer, the reading itself may have made the page seem hung."""

"""Time limits of this package, with their reasons."""

NEVER_BEGUN_S = 60.0
"""An empty scratch folder older than this is a leftover. A launch fills its folder sooner."""

"""Converts each tool's text to the common format (``judges.miniwob.nodes``), one module per
tool."""

"""From each tool's text to the common form (``judges.miniwob.nodes``), one module per tool."""

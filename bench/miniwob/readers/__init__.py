"""From each tool's text to the common form (``bench.miniwob.nodes``), one module per tool."""

"""Time limits of this package, with reasons."""

VIEWER_MS = 4_000.0
"""How long the viewer of a PDF may take to come. The first one of a browser takes up to 2 s."""
PDF_MS = 5_000.0
"""How long a viewer may take to load a PDF and to tell its text: 25 ms for a few pages."""

"""Captures: save a page as an image, a PDF or text.

``screenshot`` takes images and can draw refs on them, ``pdf`` prints, ``scrape`` returns Markdown,
text or HTML, and ``highlight`` marks an element for a person who is watching.

To change:

- how pictures cover secrets: ``covering.py`` finds them, ``page/walker/js/capture/cover_texts.js``
  covers them
"""

from tabwarden.page.capture.covering import may_show
from tabwarden.page.capture.pdf import Paper
from tabwarden.page.capture.picture import Screenshot, size_of, write
from tabwarden.page.capture.scrape import DEFAULT_MAX_CHARS, Format
from tabwarden.page.capture.screenshot import MAX_BYTES, MAX_PIXELS
from tabwarden.page.capture.timing import LONGEST_HIGHLIGHT_S

__all__ = [
    "DEFAULT_MAX_CHARS",
    "LONGEST_HIGHLIGHT_S",
    "MAX_BYTES",
    "MAX_PIXELS",
    "Format",
    "Paper",
    "Screenshot",
    "highlight",
    "may_show",
    "pdf",
    "scrape",
    "screenshot",
    "size_of",
    "write",
]

"""Save a page as an image, a PDF or text.

``screenshot`` takes images and can draw refs on them, ``pdf`` prints, ``scrape`` returns Markdown,
text or HTML, and ``highlight`` marks an element for a person who is watching.

To change:

- how screenshots hide secrets: ``covering.py`` finds the secrets,
  ``page/walker/js/capture/cover_texts.js`` covers them
"""

from tabwarden.page.capture.covering import may_show
from tabwarden.page.capture.picture import Screenshot, size_of, write

__all__ = [
    "Screenshot",
    "highlight",
    "may_show",
    "pdf",
    "scrape",
    "screenshot",
    "size_of",
    "write",
]

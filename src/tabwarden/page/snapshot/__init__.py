"""Show the page as an outline for a model.

``read_page`` reads the frames, ``outline`` writes their lines, ``folding`` shortens a long outline,
and ``changes`` compares the outline with the last snapshot.

To change:

- when a snapshot reads the page, and how it handles a page that hangs: ``read_page.py``
- the lines of a snapshot: ``outline.py`` (in the columns of ``page/text/lines.py``) and
  ``states.py`` (the words after a name); decision 0013 gives the reasons
- the head of a snapshot (title, dialogs, downloads): ``snapshot.py``; a new value from the page
  goes through ``page/walker/js/outline/columns.js``, ``page/walker/walk_records.py``,
  ``page/elements/walk.py`` and ``read_page.py``
- what a snapshot leaves out: ``relevance.py``, ``folding.py``; ``filtering.py`` for ``filter`` and
  ``depth``
- how a diff compares two outlines: ``changes.py``; ``page/text/last_outline.py`` keeps the earlier
  outline
"""

from tabwarden.page.snapshot.outline import DEFAULT_MAX_CHARS
from tabwarden.page.snapshot.read_page import look, unread_frames
from tabwarden.page.snapshot.show import SHOWS, Addition, Show
from tabwarden.page.snapshot.snapshot import heading
from tabwarden.page.snapshot.view import UNCHANGED

__all__ = [
    "DEFAULT_MAX_CHARS",
    "SHOWS",
    "UNCHANGED",
    "Addition",
    "Show",
    "heading",
    "look",
    "show",
    "snapshot",
    "unread_frames",
]

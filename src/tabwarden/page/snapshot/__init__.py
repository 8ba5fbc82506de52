"""Snapshots: the page as an outline for a model.

``read_page`` reads the frames, ``outline`` writes their lines, ``folding`` shortens a long outline,
and ``changes`` compares it with the last snapshot.
"""

from tabwarden.page.snapshot.outline import DEFAULT_MAX_CHARS
from tabwarden.page.snapshot.show import SHOWS, Show
from tabwarden.page.snapshot.snapshot import heading
from tabwarden.page.snapshot.view import UNCHANGED

__all__ = [
    "DEFAULT_MAX_CHARS",
    "SHOWS",
    "UNCHANGED",
    "Show",
    "heading",
    "looking",
    "show",
    "snapshot",
]

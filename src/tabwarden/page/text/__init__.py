"""Text: page text that is safe for a model, and the lines of an outline.

``untrusted_text`` quotes and fences page text, so that it can't pose as our syntax or as an
instruction. ``lines`` holds an outline, ``excerpt`` and ``cursors`` name parts of it, and
``last_outline`` keeps what the agent saw last.
"""

from tabwarden.page.text.cursors import Cursors, Part
from tabwarden.page.text.excerpt import has_changed, place, within
from tabwarden.page.text.last_outline import Known, documents_below, still_known
from tabwarden.page.text.lines import Lines
from tabwarden.page.text.untrusted_text import (
    Line,
    as_json,
    bare,
    cut_json,
    fence,
    is_plain,
    named,
    quoted,
    ranges,
    sentence,
    shortened,
    token,
    without_refs,
    words,
)

__all__ = [
    "Cursors",
    "Known",
    "Line",
    "Lines",
    "Part",
    "as_json",
    "bare",
    "cut_json",
    "documents_below",
    "fence",
    "has_changed",
    "is_plain",
    "named",
    "place",
    "quoted",
    "ranges",
    "sentence",
    "shortened",
    "still_known",
    "token",
    "within",
    "without_refs",
    "words",
]

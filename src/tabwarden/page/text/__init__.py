"""Make page text safe for a model, and store an outline's lines.

``untrusted_text`` quotes and fences page text, so that it can't imitate our syntax or an
instruction. ``lines`` stores an outline. ``parts`` handles parts of an outline. ``last_outline``
decides how much of a tab's last outline is still valid. ``wildcards`` matches URLs.
"""

from tabwarden.page.text.last_outline import LastOutline, documents_below, valid_outline
from tabwarden.page.text.lines import FIELD_ROLES, Lines
from tabwarden.page.text.parts import Cursors, Part, ancestors_line, has_changed, within
from tabwarden.page.text.untrusted_text import (
    Line,
    address,
    as_json,
    bare,
    cut_json,
    fence,
    is_plain,
    quoted,
    ranges,
    role_and_name,
    sentence,
    shortened,
    token,
    without_refs,
    words,
)
from tabwarden.page.text.wildcards import fits_url

__all__ = [
    "FIELD_ROLES",
    "Cursors",
    "LastOutline",
    "Line",
    "Lines",
    "Part",
    "address",
    "ancestors_line",
    "as_json",
    "bare",
    "cut_json",
    "documents_below",
    "fence",
    "fits_url",
    "has_changed",
    "is_plain",
    "quoted",
    "ranges",
    "role_and_name",
    "sentence",
    "shortened",
    "token",
    "valid_outline",
    "within",
    "without_refs",
    "words",
]

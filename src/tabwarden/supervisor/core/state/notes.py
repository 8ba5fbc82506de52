"""Notes: page activity that is not visible in the page."""

from __future__ import annotations

from typing import Literal

import msgspec

RECENT_NOTES = 20

NoteKind = Literal[
    "print", "external", "permission", "credentials", "refused", "password", "window"
]


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A page printed, opened another program, requested a permission or the user's credentials,
    needed a connection or a password that the policy refuses, or tried to open too many windows.
    """

    number: int
    kind: NoteKind
    tab_id: str
    origin: str
    text: str
    at: float

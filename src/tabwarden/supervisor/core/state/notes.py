"""Notes: page activity that is not visible in the page."""

from __future__ import annotations

from typing import Literal

import msgspec

RECENT_NOTES = 20

NoteKind = Literal[
    "print", "external", "permission", "credentials", "declined", "refused", "password", "window",
    "popup", "download", "prompt",
]  # fmt: skip


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A page printed, opened another program, requested a permission or the user's credentials,
    requested something that nobody can choose, needed a connection or a password that the policy
    refuses, tried to open too many windows or a pop-up, or began too many downloads.
    """

    number: int
    kind: NoteKind
    tab_id: str
    origin: str
    text: str
    at: float

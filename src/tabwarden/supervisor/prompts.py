"""What else may wait for an answer, or has happened: frozen values, as part of the state."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "RECENT_DOWNLOADS",
    "RECENT_NOTES",
    "AuthChallenge",
    "Credentials",
    "Download",
    "DownloadStatus",
    "FileChooser",
    "Note",
    "NoteKind",
    "PermissionRule",
    "PermissionSetting",
]

RECENT_DOWNLOADS = 20
RECENT_NOTES = 20

PermissionSetting = Literal["granted", "denied", "prompt"]
NoteKind = Literal["print", "external", "permission", "refused", "password"]
DownloadStatus = Literal["in_progress", "completed", "canceled", "failed"]


class FileChooser(msgspec.Struct, frozen=True, kw_only=True):
    """A page asked for files; it goes on meanwhile."""

    id: str
    """``f-1``, ``f-2``, ..."""
    tab_id: str
    session_id: str
    frame_id: str | None
    multiple: bool
    backend_node_id: int | None
    """The file input; None for ``showOpenFilePicker``, which can't be answered."""
    opened_at: float
    """Seconds since the epoch."""


class AuthChallenge(msgspec.Struct, frozen=True, kw_only=True):
    """A server (or a proxy) wants a user name and a password before it shows a document."""

    id: str
    """``a-1``, ``a-2``, ..."""
    tab_id: str
    session_id: str
    frame_id: str
    request_id: str
    url: str
    origin: str
    realm: str
    scheme: str
    is_proxy: bool
    refused: str
    """Whose credentials the server has just refused: "", "configuration", or "agent"."""
    opened_at: float
    deadline: float
    """Monotonic seconds: when the watchdog cancels it."""
    answered: bool = False


class Credentials(msgspec.Struct, frozen=True):
    """A user name and a password; never shown."""

    username: str
    password: str

    def __repr__(self) -> str:
        return "Credentials(…)"

    __str__ = __repr__


class Download(msgspec.Struct, frozen=True, kw_only=True):
    """A file on its way, or arrived."""

    id: str
    """``dl-1``, ``dl-2``, ..."""
    guid: str
    tab_id: str | None
    url: str
    filename: str
    """As the page or the server suggests it."""
    status: DownloadStatus
    received_bytes: int
    total_bytes: int
    """0 when the server does not tell."""
    path: str | None
    """Where it is once it is completed; None when only the browser's machine knows."""
    reason: str
    started_at: float


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a page did and that no page shows: it printed, called another program, asked
    for a permission, wanted a connection that the network policy refuses, or a password that nobody
    was asked for."""

    number: int
    kind: NoteKind
    tab_id: str
    origin: str
    text: str
    at: float


class PermissionRule(msgspec.Struct, frozen=True, kw_only=True):
    """What is granted or denied, everywhere or at one origin."""

    name: str
    """As ``navigator.permissions.query`` names it."""
    setting: PermissionSetting
    origin: str | None = None

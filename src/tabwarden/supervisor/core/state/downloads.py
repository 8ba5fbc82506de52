"""Downloads, in progress or ended."""

from __future__ import annotations

from typing import Literal, Self

import msgspec

from tabwarden.files.download_folder import StoredFile
from tabwarden.supervisor.core.state.values import replace

RECENT_DOWNLOADS = 20

DownloadStatus = Literal["in_progress", "completed", "canceled", "failed"]


class Download(msgspec.Struct, frozen=True, kw_only=True):
    """A download, started by a page or by the caller (with its URL)."""

    id: str = ""
    """``dl-1``, ``dl-2``, ...; assigned by the state machine."""
    guid: str
    tab_id: str | None = None
    """The tab whose page started the download; None if the caller started it, or the tab is
    unknown.
    """
    url: str
    suggested_filename: str
    """The name that the page or the server suggests."""
    filename: str
    """The file's name; until the file is complete, the intended name."""
    status: DownloadStatus = "in_progress"
    received_bytes: int = 0
    size: int | None = None
    """The file's total size in bytes; None if the server does not report the size."""
    mime_type: str | None = None
    """The type from the server's response or, if a page started the download, from the file name.
    None until the file is complete, or if only the browser's machine has the file.
    """
    sha256: str | None = None
    """The file's SHA-256 hash in hexadecimal; None in the same cases as ``mime_type``."""
    path: str | None = None
    """The path of the completed file; None if only the browser's machine has the file."""
    reason: str = ""
    """Why the download failed or was canceled."""
    started_at: float = 0.0

    def completed(self, file: StoredFile) -> Self:
        """Return this download as completed, with the properties of its file."""
        facts = msgspec.structs.asdict(file)
        return replace(self, status="completed", received_bytes=file.size, **facts)

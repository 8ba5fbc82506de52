"""The window of a task's latest state changes, for callers that poll the state."""

from __future__ import annotations

from typing import Literal

import msgspec

from tabwarden.supervisor.core.state.dialog_values import ClosedDialog
from tabwarden.supervisor.core.state.downloads import Download

CHANGES_KEPT = 64
URL_MAX, DATA_URL_MAX = 2_000, 100
"""The maximum lengths of a URL in the state, in characters. ``data:`` URLs contain whole files."""

ChangeKind = Literal[
    "tab_opened", "tab_closed", "tab_switched", "navigation", "navigation_refused",
    "dialog_answered", "download",
]  # fmt: skip
DownloadStep = Literal["", "blocked", "started", "completed", "failed", "canceled"]


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change of a task's state. It never changes later."""

    sequence: int
    """The change's number. A task's first change has the number 1."""
    kind: ChangeKind
    """``tab_switched``: another tab is the task's active tab. ``navigation``: a tab shows another
    document, which may be the browser's error page. ``navigation_refused``: ``reason`` says why.
    """
    at: float
    """The time, in wall-clock seconds since the epoch."""
    tab_id: str | None = None
    """The tab; None if it is unknown."""
    url: str = ""
    """The URL of the document or of the download; "" for other kinds."""
    reason: Literal["", "policy", "unsupported"] = ""
    """Why a navigation was refused: the network policy forbids the URL, or the URL has a scheme
    that Tabwarden does not open.
    """
    dialog: ClosedDialog | None = None
    """The answered dialog."""
    status: DownloadStep = ""
    """What happened to a download. The browser blocked a ``blocked`` download before it started."""
    download: Download | None = None
    """The download at the time of the change; None if it is ``blocked``."""


class Changes(msgspec.Struct, frozen=True):
    """The last 64 changes, oldest first. ``entries[i].sequence`` is ``dropped + i + 1``."""

    dropped: int = 0
    """How many older changes were dropped."""
    entries: tuple[Change, ...] = ()

    @property
    def sequence(self) -> int:
        """How many changes there have been, which is the number of the latest change."""
        return self.dropped + len(self.entries)

    def after(self, sequence: int) -> tuple[Change, ...]:
        """Return the kept changes with higher numbers than ``sequence``."""
        return self.entries[max(0, sequence - self.dropped) :]

    def adding(self, change: Change) -> Changes:
        """Return the window with one more change, whose number must be the next number."""
        entries = (*self.entries, change)
        return Changes(self.dropped + len(entries[:-CHANGES_KEPT]), entries[-CHANGES_KEPT:])


def kept_url(url: str) -> str:
    """Shorten a URL for the state."""
    return url[: DATA_URL_MAX if url[:5].lower() == "data:" else URL_MAX]

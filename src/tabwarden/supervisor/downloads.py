"""Downloads: begun, on their way, arrived or not, and where.

A browser of ours puts each under its guid into the download folder; the driver gives it its name
there (``Stored``). Elsewhere the browser stores as it is used to, and we only know what it tells.
"""

from __future__ import annotations

import msgspec

from tabwarden.protocol import browser
from tabwarden.supervisor.belonging import context_or_default, is_ours_to_tell
from tabwarden.supervisor.inputs import DownloadTold
from tabwarden.supervisor.notices import DownloadArrived, DownloadProgress
from tabwarden.supervisor.prompts import RECENT_DOWNLOADS, Download, DownloadStatus
from tabwarden.supervisor.state import SupervisorState
from tabwarden.supervisor.turn import Turn
from tabwarden.supervisor.values import replace

__all__ = ["began", "progressed", "set_up", "stored", "told"]

_STATUS: dict[str, DownloadStatus] = {"inProgress": "in_progress", "canceled": "canceled"}


def set_up(state: SupervisorState) -> browser.SetDownloadBehavior:
    """What makes a browser tell of downloads, and where it puts those of the task's context."""
    folder = state.policy.download_dir
    return browser.SetDownloadBehavior(
        behavior="default" if folder is None else "allowAndName",
        browser_context_id=context_or_default(state),
        download_path=folder if folder is not None else msgspec.UNSET,
        events_enabled=True,
    )


def began(turn: Turn, event: browser.DownloadWillBegin, session_id: str | None) -> None:
    """A page, or a link in it, starts a download."""
    _ = session_id
    state = turn.state
    if any(d.guid == event.guid for d in state.downloads):
        return
    if not is_ours_to_tell(state, event.frame_id):
        return
    frame = state.frames.get(event.frame_id)
    tab = state.tab_of_session(frame.session_id) if frame is not None else None
    number = state.next_download
    download = Download(
        id=f"dl-{number}",
        guid=event.guid,
        tab_id=tab.tab_id if tab is not None else None,
        url=event.url,
        filename=event.suggested_filename,
        status="in_progress",
        received_bytes=0,
        total_bytes=0,
        path=None,
        reason="",
        started_at=turn.now.wall,
    )
    kept = (*state.downloads, download)[-RECENT_DOWNLOADS:]
    turn.change(next_download=number + 1, downloads=kept)
    turn.notify(DownloadProgress(tab_id=download.tab_id or "", download=download))


def progressed(turn: Turn, event: browser.DownloadProgress, session_id: str | None) -> None:
    """More bytes, or the end of it."""
    _ = session_id
    download = next((d for d in turn.state.downloads if d.guid == event.guid), None)
    if download is None or download.status != "in_progress":
        return
    moved = replace(
        download,
        received_bytes=int(event.received_bytes),
        total_bytes=int(event.total_bytes),
        status=_STATUS.get(event.state, "in_progress"),
    )
    if event.state == "completed":
        folder = turn.state.policy.download_dir
        if folder is not None:
            _put(turn, moved)
            turn.notify(DownloadArrived(tab_id=moved.tab_id or "", download=moved, folder=folder))
            return
        moved = replace(moved, status="completed", path=event.file_path)
    _put(turn, moved)
    turn.notify(DownloadProgress(tab_id=moved.tab_id or "", download=moved))


def stored(turn: Turn, guid: str, path: str | None, reason: str) -> None:
    """It has its name in the download folder, or could not get it."""
    download = next((d for d in turn.state.downloads if d.guid == guid), None)
    if download is None or download.status != "in_progress":
        return
    status: DownloadStatus = "completed" if path is not None else "failed"
    moved = replace(download, status=status, path=path, reason=reason)
    _put(turn, moved)
    turn.notify(DownloadProgress(tab_id=moved.tab_id or "", download=moved))


def told(turn: Turn, given: DownloadTold) -> None:
    """A download of our own, which no event of the browser tells of; or another name of a file."""
    known = next((d for d in turn.state.downloads if d.guid == given.guid), None)
    number = turn.state.next_download
    download = Download(
        id=known.id if known is not None else f"dl-{number}",
        guid=given.guid,
        tab_id=known.tab_id if known is not None else None,
        url=given.url,
        filename=given.filename,
        status=given.status,
        received_bytes=given.received_bytes,
        total_bytes=given.total_bytes,
        path=given.path,
        reason=given.reason,
        started_at=known.started_at if known is not None else turn.now.wall,
    )
    if known is None:
        kept = (*turn.state.downloads, download)[-RECENT_DOWNLOADS:]
        turn.change(next_download=number + 1, downloads=kept)
    else:
        _put(turn, download)
    turn.notify(DownloadProgress(tab_id=download.tab_id or "", download=download))


def _put(turn: Turn, download: Download) -> None:
    turn.change(
        downloads=tuple(download if d.guid == download.guid else d for d in turn.state.downloads)
    )

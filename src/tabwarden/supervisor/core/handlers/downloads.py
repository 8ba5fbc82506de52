"""Downloads: record their start, progress and end, and the path of each file.

Our own browser stores each file in the download folder under the download's GUID, and the driver
renames the file (``DownloadStored``). Other browsers store files where they normally do, and we
know only what they report.
"""

from __future__ import annotations

import msgspec

from tabwarden.protocol import browser
from tabwarden.supervisor.core.handlers.target_ownership import context_or_default, is_ours_to_tell
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.changes import DownloadStep, kept_url
from tabwarden.supervisor.core.state.downloads import RECENT_DOWNLOADS, Download, DownloadStatus
from tabwarden.supervisor.core.state.notices import DownloadArrived, DownloadProgress
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import replace

_CANCELED = "it was canceled, or the connection to the server broke"
"""Chromium reports a download whose connection broke as canceled, too (153, 156)."""
_STATUS: dict[str, DownloadStatus] = {"inProgress": "in_progress", "canceled": "canceled"}


def set_up(state: SupervisorState) -> browser.SetDownloadBehavior:
    """Return the command that enables download events and sets the folder for the task's
    context.
    """
    folder = state.policy.download_dir
    if folder is not None:
        folder = state.browser_download_dir or folder
    return browser.SetDownloadBehavior(
        behavior="default" if folder is None else "allowAndName",
        browser_context_id=context_or_default(state),
        download_path=folder if folder is not None else msgspec.UNSET,
        events_enabled=True,
    )


MOST_AT_ONCE = 10
"""How many downloads Chromium starts for one click (156)."""
_AT_ONCE_S = 5.0
_MOST_TEXT = (
    f"{MOST_AT_ONCE} began at once. Chromium starts no more for one click, so some may be missing: "
    "click again"
)


def began(turn: Turn, event: browser.DownloadWillBegin, session_id: str | None) -> None:
    _ = session_id
    state = turn.state
    if any(d.guid == event.guid for d in state.downloads):
        return
    if not is_ours_to_tell(state, event.frame_id):
        return
    frame = state.frames.get(event.frame_id)
    tab = state.tab_of_session(frame.session_id) if frame is not None else None
    download = Download(
        guid=event.guid,
        tab_id=tab.tab_id if tab is not None else None,
        url=event.url,
        suggested_filename=event.suggested_filename,
        filename=event.suggested_filename,
    )
    told(turn, inputs.DownloadTold(download))
    since, tab_id = turn.now.wall - _AT_ONCE_S, download.tab_id
    begun = [d for d in turn.state.downloads if d.tab_id == tab_id and d.started_at > since]
    if len(begun) == MOST_AT_ONCE:
        turn.note(tab_id or "", "download", "", _MOST_TEXT)


def progressed(turn: Turn, event: browser.DownloadProgress, session_id: str | None) -> None:
    _ = session_id
    download = _known(turn, event.guid)
    if download is None or download.status != "in_progress":
        return
    moved = replace(
        download,
        reason=_CANCELED if event.state == "canceled" else "",
        received_bytes=int(event.received_bytes),
        size=int(event.total_bytes) or None,
        status=_STATUS.get(event.state, "in_progress"),
    )
    if event.state == "completed":
        folder = turn.state.policy.download_dir
        if folder is not None:
            _put(turn, moved)
            turn.notify(DownloadArrived(tab_id=moved.tab_id or "", download=moved, folder=folder))
            return
        size = int(event.received_bytes)
        moved = replace(moved, status="completed", path=event.file_path, size=size)
    told(turn, inputs.DownloadTold(moved))


def stored(turn: Turn, input_: inputs.DownloadStored) -> None:
    download, file = _known(turn, input_.guid), input_.file
    if download is None or download.status not in ("in_progress", "failed"):
        return
    if file is None:
        moved = replace(download, status="failed", reason=input_.reason)
    else:
        moved = download.completed(file)
    told(turn, inputs.DownloadTold(moved))


def lost(turn: Turn, reason: str) -> None:
    """Record that all downloads have ended, because the browser is gone, or the connection that
    reports its downloads is lost.
    """
    for download in turn.state.downloads:
        if download.status == "in_progress":
            told(turn, inputs.DownloadTold(replace(download, status="failed", reason=reason)))


def told(turn: Turn, input_: inputs.DownloadTold) -> None:
    """Record a download's start, progress, end or new file name, and emit a notice."""
    known = _known(turn, input_.download.guid)
    url = kept_url(input_.download.url)
    if known is None:
        number = turn.state.next_download
        download = replace(input_.download, id=f"dl-{number}", url=url, started_at=turn.now.wall)
        kept = (*turn.state.downloads, download)[-RECENT_DOWNLOADS:]
        turn.change(next_download=number + 1, downloads=kept)
    else:
        download = replace(input_.download, id=known.id, url=url, started_at=known.started_at)
        _put(turn, download)
        # only the file name changed; the end was already recorded
        if known.status != "in_progress":
            return
    if known is None or download.status != "in_progress":
        step: DownloadStep = "started" if download.status == "in_progress" else download.status
        turn.record("download", download.tab_id, url=url, status=step, download=download)
    turn.notify(DownloadProgress(tab_id=download.tab_id or "", download=download))


def _known(turn: Turn, guid: str) -> Download | None:
    return next((d for d in turn.state.downloads if d.guid == guid), None)


def _put(turn: Turn, download: Download) -> None:
    turn.change(
        downloads=tuple(download if d.guid == download.guid else d for d in turn.state.downloads)
    )


EVENTS = ((browser.DownloadWillBegin, began), (browser.DownloadProgress, progressed))
INPUTS = ((inputs.DownloadStored, stored), (inputs.DownloadTold, told))

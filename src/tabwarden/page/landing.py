"""Landing: waiting for a download that a page began, until it is whole or has come to nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tabwarden.page.filenames import checked_filename
from tabwarden.page.result import Done, download_json
from tabwarden.page.task import Task
from tabwarden.supervisor import Download, DownloadTold, Race, SupervisorState, settle_file

__all__ = ["landed"]


async def landed(task: Task, race: Race, after: str | None, filename: str | None) -> Done:
    """Wait for the first download that no wait has told of: it may have begun, or ended, before.

    The value is the download as the state shows it; ``status`` says whether it came.

    Args:
        task: whose; whichever of its tabs began it.
        race: the waiting.
        after: only one that began after this one (``dl-3``).
        filename: what to call the file; None: as the page or the server suggests.

    Raises:
        InvalidArgument, Denied: ``filename`` is no plain name.
    """
    name = None if filename is None else checked_filename(filename)

    last = 0 if after is None else int(after.removeprefix("dl-"))

    def over(state: SupervisorState) -> Download | None:
        new = [
            download
            for download in state.downloads
            if download.guid not in task.met_downloads and int(download.id[3:]) > last
        ]
        return new[0] if new and new[0].status != "in_progress" else None

    with race.doing("waiting for a download to end"):
        await race.until(lambda state: over(state) is not None)
    download = over(task.state)
    assert download is not None
    task.met_downloads.append(download.guid)
    note = ""
    if name is not None and download.status == "completed":
        download, note = await _called(task, download, name)
    task.seen.told(f"{download.id} {download.status}")
    shown: dict[str, Any] = download_json(download)
    return Done(shown, note)


async def _called(task: Task, download: Download, name: str) -> tuple[Download, str]:
    """Give the file its name; one that is taken gets a number."""
    if download.path is None or task.state.policy.download_dir is None:
        # A path of the browser's own choice may be that of any file.
        return download, "The file is where the browser put it; its name stays as it is."
    before = Path(download.path)
    path = before
    if before.name != name:
        path = await asyncio.to_thread(settle_file, before, name)
    task.supervisor.feed(
        DownloadTold(
            guid=download.guid,
            url=download.url,
            filename=path.name,
            status=download.status,
            received_bytes=download.received_bytes,
            total_bytes=download.total_bytes,
            path=str(path),
        )
    )
    taken = "" if path.name == name else f"{name!r} was taken, so it is {path.name!r}."
    known = next((d for d in task.state.downloads if d.guid == download.guid), download)
    return known, taken

"""Store: move a file that the browser has downloaded to its place, from its machine to ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabwarden.download_folder import store_download
from tabwarden.endpoints import BrowserFiles
from tabwarden.supervisor.core.state import DownloadArrived, inputs


async def store(
    arrived: DownloadArrived,
    files: BrowserFiles | None,
    feed: Callable[[inputs.Input], None],
    hide: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    """Store the file, and pass the result to the state machine.

    Args:
        arrived: the download.
        files: brings it from the browser's machine; None if that is this machine.
        feed: passes the result on.
        hide: takes secrets out of the name that the page chose.
    """
    download = arrived.download
    name = hide({"filename": download.filename})["filename"]
    try:
        if files is not None:
            await files.fetch(download.guid, Path(arrived.folder) / download.guid)
        file = await asyncio.to_thread(store_download, Path(arrived.folder), download.guid, name)
    except OSError as error:
        feed(inputs.DownloadStored(download.guid, None, error.strerror or str(error)))
    else:
        feed(inputs.DownloadStored(download.guid, file))

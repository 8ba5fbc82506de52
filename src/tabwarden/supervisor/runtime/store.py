"""Store: move a file that the browser has downloaded to its place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from tabwarden.download_folder import store_download
from tabwarden.supervisor.core.state import DownloadArrived, inputs


async def store(arrived: DownloadArrived, feed: Callable[[inputs.Input], None]) -> None:
    """Store the file, and pass the result to the state machine."""
    download = arrived.download
    try:
        file = await asyncio.to_thread(
            store_download, Path(arrived.folder), download.guid, download.filename
        )
    except OSError as error:
        feed(inputs.DownloadStored(download.guid, None, f"{error.strerror}"))
    else:
        feed(inputs.DownloadStored(download.guid, file))

"""Requests file: writes a tab's recorded requests to a HAR file when the agent asks for one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import PartialFile, StoredFile, checked_filename
from tabwarden.page.logs import network, one_request
from tabwarden.page.task import Call, Done
from tabwarden.recording.har import har_entry, har_log, har_page
from tabwarden.recording.records import Record, request_record

_TYPE = "application/json"


def har_name(filename: str) -> str:
    """Return a checked name for a HAR file; without an ending, it gets ``.har``."""
    name = checked_filename(filename)
    if "." not in name:
        name += ".har"
    if not name.lower().endswith(".har"):
        raise InvalidArgument(
            f"{filename[:200]!r} does not end with .har.",
            "The requests are written as a HAR file: give a name such as requests.har.",
            field="filename",
        )
    return name


async def save_har(
    call: Call,
    wanted: network.Filter,
    folder: Path,
    name: str,
    *,
    bodies: bool,
    overwrite: bool,
) -> Done:
    """Write the tab's requests that match to a HAR file in a folder.

    Args:
        call: the running call.
        wanted: which requests; its ``limit`` does not apply.
        folder: the folder.
        name: a name from ``har_name``.
        bodies: also read the responses' texts, as far as the browser still has them.
        overwrite: replace an existing file; otherwise the name gets a number.

    Raises:
        InvalidArgument: nothing is recorded yet, or the file can't be written.
    """
    note = network.start(call.task)
    if note:
        raise InvalidArgument(
            "No requests are recorded yet. Recording starts now.",
            "Perform an action on the page or reload it, then call again.",
            field="filename",
        )
    requests, _ = network.recorded(call.task, call.tab, wanted)
    entries = []
    for request in requests:
        record: Record = request_record(request, call.tab.tab_id, call.task.journal.secrets)
        contents = await one_request.contents(call, request, bodies=bodies)
        entries.append(har_entry({**record, **call.task.journal.secrets.hide(contents)}))
    opened = call.task.supervisor.opened
    began = call.state.recording_since or min((one.started_at for one in requests), default=0.0)
    title = call.task.journal.secrets.hide(call.tab.title or call.tab.url)
    page = har_page(call.tab.tab_id, title, began)
    har = har_log(opened.product if opened is not None else "", [page], entries)

    def write() -> StoredFile:
        with PartialFile(folder, "output_dir") as file:
            file.write(json.dumps(har, indent=1).encode())
            return file.keep(name, _TYPE, overwrite=overwrite)

    writing = asyncio.ensure_future(asyncio.to_thread(write))
    await call.race.finished(writing)
    stored = writing.result()
    return Done({"path": stored.path, "size": stored.size, "requests": len(entries)})

"""Write a tab's recorded requests to a HAR file for the agent."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden import results
from tabwarden.config import output_folder
from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import PartialFile, StoredFile, checked_filename
from tabwarden.page.logs import network as log
from tabwarden.page.logs import one_request
from tabwarden.page.task import PYTHON_ONLY, Call, Done, ForModels, card
from tabwarden.recording.har import har_entry, har_log, har_page
from tabwarden.recording.records import Record, request_record

_TYPE = "application/json"


def _har_name(filename: str) -> str:
    """Return a checked name for a HAR file, with ``.har`` if it has no extension."""
    name = checked_filename(filename)
    if "." not in name:
        name += ".har"
    if not name.lower().endswith(".har"):
        raise InvalidArgument(
            f"{filename[:200]!r} does not end with .har.",
            "Requests are saved as a HAR file. Use a name such as requests.har.",
            field="filename",
        )
    return name


async def _save_har(
    call: Call, wanted: log.Filter, name: str, *, bodies: bool, overwrite: bool
) -> Done:
    """Write the tab's matching requests to a HAR file in a folder.

    Args:
        call: the running call.
        wanted: the criteria for the requests. The limit in ``wanted`` does not apply.
        name: a name from ``_har_name``.
        bodies: also read the responses' texts that the browser still has.
        overwrite: replace an existing file; otherwise the name gets a number.

    Raises:
        InvalidArgument: there are no recorded requests yet, or the file can't be written.
    """
    note = log.start(call.task)
    if note:
        raise InvalidArgument(
            "No requests are recorded yet. Recording starts now.",
            "Perform an action on the page or reload it, then call again.",
            field="filename",
        )
    requests, _ = log.recorded(call, wanted)
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
        with PartialFile(output_folder(call.task.config), "output_dir") as file:
            file.write(json.dumps(har, indent=1).encode())
            return file.keep(name, _TYPE, overwrite=overwrite)

    writing = asyncio.ensure_future(asyncio.to_thread(write))
    await call.race.finished(writing)
    stored = writing.result()
    return Done({"path": stored.path, "size": stored.size, "requests": len(entries)})


@card(
    "network",
    about="List the tab's requests since this tool's first call.",
    permission="read",
    group="logs",
    gives=(results.NetworkLog, results.NetworkEntry, results.HarFile, results.SavedFile),
    shows=False,
    read_only=True,
    acts=False,
    without_page=True,
)
async def network(
    call: Call,
    *,
    url: Annotated[
        str | None,
        Field(
            description="List only requests whose URL contains this text or matches this * pattern."
        ),
    ] = None,
    resource_type: Annotated[
        str | None,
        ForModels(Literal[log.TYPES] | None, "type"),
        Field(description="List only this resource type."),
    ] = None,
    failed: Annotated[
        bool,
        Field(description="List only failed requests and responses with a status of 400 or more."),
    ] = False,
    since: Annotated[
        str | None, Field(description="List only requests after this one (r-12).")
    ] = None,
    new: Annotated[
        bool,
        Field(description="Only what is new since the last such call."),
    ] = False,
    limit: Annotated[
        int, Field(description="Maximum number of requests. The latest are listed.", ge=1, le=500)
    ] = 50,
    request_id: Annotated[
        str | None,
        Field(
            description="Return the details of this request (r-12): headers, sent data, body, "
            "messages..."
        ),
    ] = None,
    max_chars: Annotated[
        int, Field(description="Maximum body length in characters.", ge=1, le=1_000_000)
    ] = 20_000,
    filename: Annotated[
        str | None,
        Field(
            description="Save to this file: .har for a HAR file, otherwise the list or the "
            "request's body."
        ),
    ] = None,
    content: Annotated[
        Literal["omit", "embed"],
        Field(description="embed: include the text of the response bodies (HAR only)."),
    ] = "omit",
    overwrite: Annotated[bool, Field(description="Replace an existing file.")] = False,
    as_bytes: Annotated[bool, PYTHON_ONLY] = False,
) -> Any:
    """Return the last requests of a tab, at most 500, oldest first. Recording starts in all
    tabs with the first call, or when the browser opens if ``record_network`` is set.

    ``value`` is ``{"recording_since", "requests": [{"id": "r-12", "method", "url", "type",
    "status", "mime_type", "started_at", "duration_ms", "size", "pending", "from_cache",
    "error"}], "left_out", "forgotten"}``. Times are seconds since the epoch, durations are
    milliseconds, sizes are bytes. Values of URL parameters that look like secrets are removed.
    With ``request_id``, ``value`` is this request with ``request_headers``,
    ``response_headers``, ``post_data``, ``timings_ms`` (``blocked``, ``dns``, ``connect``,
    ``ssl``, ``send``, ``wait``, ``receive``), ``initiator``, ``redirects``, ``remote_address``,
    ``protocol``, the last ``messages`` of a WebSocket or EventSource, and the response's
    ``body``, the number of ``bytes`` if the body is not text, or ``body_missing``, the reason
    why the body is missing. Headers and fields with secrets are masked, unless the
    configuration sets ``network_secrets``.

    Args:
        url: only URLs that contain this text. If the text contains ``*`` (a wildcard), the
            whole URL must match it.
        resource_type: ``document``, ``script``, ``xhr``, ``fetch``, ...
        failed: only requests that failed, or got a status of 400 or above.
        since: only requests that started after this request (``r-12``).
        new: only requests that began or ended since the last call with ``new`` for this tab.
            ``forgotten`` then counts the requests since that call.
        limit: maximum number of requests; the latest are returned.
        request_id: return only this request, with all details.
        max_chars: maximum length of the body, and of the data that the request sent.
        filename: write all matching requests to a HAR file with this name in the output folder
            instead; ``value`` is ``{"path", "size", "requests"}``.
        content: for a HAR file: ``embed`` includes the responses' texts that the browser still
            has.
        overwrite: replace an existing HAR file; otherwise the name gets a number.
        as_bytes: with ``request_id``, ``body`` is the whole body, as bytes.

    Raises:
        InvalidArgument: the type or the request does not exist, or there are no recorded
            requests for a file yet.
    """
    log.checked_filter(resource_type, since, request_id)
    wanted = log.Filter(url, resource_type, failed, since, limit, new)
    if new and (filename is not None or request_id is not None):
        raise InvalidArgument(
            "new lists requests, so it can't be combined with a HAR file or with request_id.",
            "Omit new.",
            field="new",
        )
    if filename is None:
        return await log.listed(
            call, wanted, request_id=request_id, max_chars=max_chars, as_bytes=as_bytes
        )
    if request_id is not None:
        raise InvalidArgument(
            "A HAR file contains all matching requests, so request_id can't be combined with it.",
            "Omit request_id or filename.",
            field="request_id",
        )
    bodies = content == "embed"
    return await _save_har(call, wanted, _har_name(filename), bodies=bodies, overwrite=overwrite)

"""Routes that save a file in the download folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from tabwarden.actions import ACTIONS, Performed
from tabwarden.control_api import camel_keys, outcome, shape
from tabwarden.errors import InvalidArgument, PageUnreachable
from tabwarden.surfaces.http.files import route_to
from tabwarden.surfaces.http.pipeline import ActionRoute, TaskCall, json_response, service_of

_PATH = {"path": "filename"}
_GIVES = {
    "download": {
        "type": "object",
        "description": "The fields of every download: id, tabId, url, suggestedFilename, filename, "
        "status, receivedBytes, size, mimeType, sha256, path, reason, startedAt. route is the one "
        "that gets the file, if it is in the download folder.",
    }
}


async def _download(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Download a URL, or the file that a click on an element starts to download."""
    ref = arguments.pop("ref", None)
    if (ref is None) == (arguments.get("url") is None):
        raise InvalidArgument(
            "Give either url or the ref of the element to click.",
            "path must be a plain file name.",
            field="url",
        )
    if ref is None:
        return await call.run(ACTIONS["browser_download"], arguments)
    if arguments.get("overwrite"):
        raise InvalidArgument(
            "overwrite works only with url. A page's download gets a number if the name exists.",
            field="overwrite",
        )
    tab = {"tab_id": arguments.get("tab_id")}
    clicked = await call.run(ACTIONS["browser_click"], {**tab, "ref": ref})
    if clicked.result.interrupted or clicked.before is None:
        return clicked
    known = clicked.before.downloads
    after = known[-1].id if known else True
    return await _landed(call, {**arguments, "download": after})


async def _next_download(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    return await _landed(call, {**arguments, "download": True})


async def _landed(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Wait for a download. Raise PageUnreachable if the download fails."""
    done = await call.run(ACTIONS["browser_wait"], arguments)
    if done.result.interrupted:
        return done
    download = done.result.value["download"]
    if download["status"] != "completed":
        why = download["reason"] or download["status"]
        raise PageUnreachable(
            f"The download of {download['filename']!r} failed: {why}.",
            "Try again. POST /download with the file's url resumes an interrupted download.",
            download=download,
        )
    return done


async def _downloaded(request: Request, done: Performed) -> Response:
    value = done.result.value
    if value is not None and "download" in value:  # a download that was waited for
        value = value["download"]
    download = value and {**camel_keys(value), **_route(request, value.get("path"))}
    return json_response({**outcome(done), "download": download})


def _route(request: Request, path: str | None) -> dict[str, str]:
    route = route_to(service_of(request).config, path)
    return {} if route is None else {"route": route}


async def _printed(request: Request, done: Performed) -> Response:
    """Return the PDF if the client accepts it (``Accept: application/pdf``), else its path."""
    value = done.result.value
    if value and request.headers.get("accept", "").startswith("application/pdf"):
        return FileResponse(Path(value["path"]), media_type="application/pdf")
    value = value or {}
    return json_response(
        {**outcome(done), **camel_keys(value), **_route(request, value.get("path"))}
    )


FILES = (
    ActionRoute(
        shape=shape(
            "POST /download",
            "browser_download",
            more={
                "url": (
                    Annotated[
                        str | None,
                        Field(description="The file's URL: http(s), data, or a blob of this page."),
                    ],
                    None,
                ),
                "ref": (
                    Annotated[
                        str | None,
                        Field(description="Instead of url: the element whose click starts the "
                                          "download."),
                    ],
                    None,
                ),
            },
            aliases=_PATH,
        ),
        answer=_downloaded,
        work=_download,
        words="Download a URL, or the file that a click on ref downloads, to the download folder. "
            "Waits until the download is complete.",
        gives=_GIVES,
    ),
    ActionRoute(
        shape=shape(
            "POST /wait/download",
            "browser_wait",
            without=(
                "time_s", "text", "text_gone", "selector", "url", "load_state", "download",
                "snapshot", "script", "frame_id", "ref", "state", "has_text", "any_of",
            ),
            aliases=_PATH,
        ),
        answer=_downloaded,
        work=_next_download,
        words="Wait until a download that a page started is complete. This is the first download "
            "that no such request has reported yet, even if it started or ended earlier.",
        gives=_GIVES,
    ),
    ActionRoute(
        shape=shape("POST /pdf", "browser_pdf"),
        answer=_printed,
        gives={
            "path": {"type": "string"},
            "filename": {"type": "string"},
            "route": {"type": "string", "description": "The one that gets the file."},
        },
    ),
)  # fmt: skip

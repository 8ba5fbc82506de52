"""Routes that leave a file in the download folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from tabwarden.actions import ACTIONS
from tabwarden.errors import EndpointUnreachable, InvalidArgument
from tabwarden.surfaces.http.answers import camel_keys, json_response, outcome
from tabwarden.surfaces.http.calls import Call, Done, run
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import shape

__all__ = ["FILES"]

_PATH = {"path": "filename"}
_GIVES = {
    "download": {
        "type": "object",
        "description": "The file: path, filename (suggestedFilename is the same), size or "
        "receivedBytes, url.",
    }
}


async def _download(call: Call, arguments: dict[str, Any]) -> Done:
    """Download a URL, or what a click on an element begins to download."""
    ref = arguments.pop("ref", None)
    if (ref is None) == (arguments.get("url") is None):
        raise InvalidArgument(
            "Give url, or the ref of what to click: one of them.",
            "path is only what the file is to be called.",
            field="url",
        )
    if ref is None:
        return await run(call, ACTIONS["browser_download"], arguments)
    if arguments.get("overwrite"):
        raise InvalidArgument(
            "overwrite is for a url: what a page downloads gets a number where a name is taken.",
            field="overwrite",
        )
    tab = {"tab_id": arguments.get("tab_id")}
    clicked = await run(call, ACTIONS["browser_click"], {**tab, "ref": ref})
    if clicked.result.interrupted or clicked.before is None:
        return clicked
    known = clicked.before.downloads
    after = known[-1].id if known else True
    return await _landed(call, {**arguments, "download": after})


async def _next_download(call: Call, arguments: dict[str, Any]) -> Done:
    return await _landed(call, {**arguments, "download": True})


async def _landed(call: Call, arguments: dict[str, Any]) -> Done:
    """Wait for a download.

    Raises:
        EndpointUnreachable: it came to nothing.
    """
    done = await run(call, ACTIONS["browser_wait"], arguments)
    value = done.result.value
    if not done.result.interrupted and value["status"] != "completed":
        why = value["reason"] or value["status"]
        raise EndpointUnreachable(
            f"The download of {value['filename']!r} came to nothing: {why}.",
            "Try again; POST /download with its url takes a broken connection up again.",
            download=value,
        )
    return done


def _downloaded(request: Request, done: Done) -> Response:
    _ = request
    told = camel_keys(done.result.value)
    if told:
        told["suggestedFilename"] = told["filename"]  # where clients of such APIs look for it
    return json_response({**outcome(done), "download": told})


def _printed(request: Request, done: Done) -> Response:
    """The PDF itself for those who ask for one (``Accept: application/pdf``), else where it is."""
    value = done.result.value
    if value and request.headers.get("accept", "").startswith("application/pdf"):
        return FileResponse(Path(value["path"]), media_type="application/pdf")
    return json_response({**outcome(done), **camel_keys(value or {})})


FILES = (
    Served(
        shape=shape(
            "POST /download",
            "browser_download",
            more={
                "url": (
                    Annotated[
                        str | None,
                        Field(description="The file's URL: http(s), data, or a blob of the page."),
                    ],
                    None,
                ),
                "ref": (
                    Annotated[
                        str | None,
                        Field(description="Instead: what to click for the page to download it."),
                    ],
                    None,
                ),
            },
            aliases=_PATH,
        ),
        answer=_downloaded,
        work=_download,
        words="Download a URL, or what a click on ref downloads, into the download folder, and "
        "wait until it is whole.",
        gives=_GIVES,
    ),
    Served(
        shape=shape(
            "POST /wait/download",
            "browser_wait",
            without=(
                "time_s", "text", "text_gone", "selector", "url", "load_state", "download",
                "snapshot",
            ),
            aliases=_PATH,
        ),
        answer=_downloaded,
        work=_next_download,
        words="Wait until a download that a page began is whole: the first that no such request "
        "was told of, which may have begun or ended before.",
        gives=_GIVES,
    ),
    Served(
        shape=shape("POST /pdf", "browser_pdf"),
        answer=_printed,
        gives={
            "path": {"type": "string"},
            "filename": {"type": "string"},
        },
    ),
)  # fmt: skip

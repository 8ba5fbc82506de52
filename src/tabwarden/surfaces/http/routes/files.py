"""Routes that save a file in the download folder, and routes to the files in all served folders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from tabwarden.actions import ACTIONS, Performed
from tabwarden.control_api import camel_keys, outcome
from tabwarden.errors import InvalidArgument, PageUnreachable
from tabwarden.surfaces.http.files import (
    FOLDERS,
    MB,
    OpenedFile,
    ServedFolder,
    check_headers,
    delete_file,
    list_files,
    open_file,
    receive_file,
    route_to,
)
from tabwarden.surfaces.http.pipeline import (
    TaskCall,
    action_route,
    json_response,
    optional,
    required,
    service_of,
    task_of,
)
from tabwarden.surfaces.http.plain_routes import RouteRequest, StatusRoute, plain_route

_PATH = {"path": "filename"}
_GIVES = {
    "download": {
        "type": "object",
        "description": "Each download has these fields: id, tabId, url, suggestedFilename, "
        "filename, "
        "status, receivedBytes, size, mimeType, sha256, path, reason, startedAt. If the "
        "file is in the download folder, `route` is the path to request it from.",
    }
}


async def _download(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Download a URL, or the file that a click on an element starts to download."""
    ref = arguments.pop("ref", None)
    if (ref is None) == (arguments.get("url") is None):
        raise InvalidArgument(
            "Send either `url`, or the `ref` of the element to click.",
            "`path` must be a plain file name.",
            field="url",
        )
    if ref is None:
        return await call.run(ACTIONS["browser_download"], arguments)
    if arguments.get("overwrite"):
        raise InvalidArgument(
            "`overwrite` works only with `url`. If the file name exists, a page's download gets "
            "a number.",
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
            "Retry. To resume an interrupted download, send POST /download with the file's URL.",
            download=download,
        )
    return done


async def _downloaded(request: Request, done: Performed) -> Response:
    value = done.result.value
    if value is not None and "download" in value:  # a download for which the client waited
        value = value["download"]
    download = value and {**camel_keys(value), **_route(request, value.get("path"))}
    return json_response({**outcome(done), "download": download})


def _route(request: Request, path: str | None) -> dict[str, str]:
    route = route_to(service_of(request).config, path)
    return {} if route is None else {"route": route}


async def _printed(request: Request, done: Performed) -> Response:
    """Return the PDF if the client accepts it (``Accept: application/pdf``), otherwise return its
    path.
    """
    value = done.result.value
    if value and request.headers.get("accept", "").startswith("application/pdf"):
        return FileResponse(Path(value["path"]), media_type="application/pdf")
    value = value or {}
    return json_response(
        {**outcome(done), **camel_keys(value), **_route(request, value.get("path"))}
    )


FILES = (
    action_route(
        "POST /download",
        "browser_download",
        more={
            "url": optional(str, "The file's URL: http(s), data, or a blob of this page."),
            "ref": optional(str, "Instead of `url`: the element to click to start the download."),
        },
        aliases=_PATH,
        answer=_downloaded,
        work=_download,
        words="Download a URL to the download folder, or click the element `ref` and save the "
        "file that the click downloads. The response is sent when the download is complete.",
        gives=_GIVES,
    ),
    action_route(
        "POST /wait/download",
        "browser_wait",
        without=(
            "time_s",
            "text",
            "text_gone",
            "selector",
            "url",
            "load_state",
            "download",
            "snapshot",
            "script",
            "frame_id",
            "ref",
            "state",
            "has_text",
            "any_of",
        ),
        aliases=_PATH,
        answer=_downloaded,
        work=_next_download,
        words="Wait until a download that a page started is complete. The response contains the "
        "first download that this route has not reported yet, even one that started or ended "
        "earlier.",
        gives=_GIVES,
    ),
    action_route(
        "POST /pdf",
        "browser_pdf",
        answer=_printed,
        gives={
            "path": {"type": "string"},
            "filename": {"type": "string"},
            "route": {"type": "string", "description": "The path to request the file from."},
        },
    ),
)


_NAME = required(str, "The file's name, without a path.")
_HASHES = optional(
    bool, "Whether to read each file and also return its SHA-256 hash (`sha256`).", default=False
)
_FILE = {
    "filename": {"type": "string"},
    "size": {"type": "integer", "description": "The size in bytes."},
    "mimeType": {"type": "string", "description": "The media type for the file name's extension."},
    "sha256": {"type": "string"},
}
_LIST = {
    "files": {
        "type": "array",
        "description": "Up to 1000 files, newest first. `modifiedAt` is a Unix timestamp in "
        "seconds.",
        "items": {
            "type": "object",
            "properties": {**_FILE, "modifiedAt": {"type": "number"}},
            "required": ["filename", "size", "mimeType", "modifiedAt"],
        },
    },
    "total": {"type": "integer", "description": "The number of files in the folder."},
}


def _list(served: ServedFolder, words: str) -> StatusRoute:
    @plain_route(
        f"GET /files/{served.name}", needs="files", words=words, sha256=_HASHES, gives=_LIST
    )
    async def serve(request: RouteRequest) -> Response:
        task_of(request.request)
        folder = served.of(request.service.config)
        sha256 = request.fields.get("sha256", False)
        return json_response(
            {"ok": True, **await asyncio.to_thread(list_files, folder, served, sha256=sha256)}
        )

    return serve


def _get(served: ServedFolder) -> StatusRoute:
    @plain_route(
        f"GET /files/{served.name}/{{name}}",
        needs="files",
        words="Get a file, or a part of it (Range). Browsers save the file and never show it.",
        name=_NAME,
        media_type="application/octet-stream",
    )
    async def serve(request: RouteRequest) -> Response:
        task_of(request.request)
        name = request.request.path_params["name"]
        folder = served.of(request.service.config)
        return OpenedFile(await asyncio.to_thread(open_file, folder, name, served), name)

    return serve


def _delete(served: ServedFolder) -> StatusRoute:
    @plain_route(
        f"DELETE /files/{served.name}/{{name}}",
        needs="files",
        words="Delete a file.",
        name=_NAME,
        gives={"filename": {"type": "string"}, "deleted": {"type": "boolean"}},
    )
    async def serve(request: RouteRequest) -> Response:
        task_of(request.request)
        name = request.request.path_params["name"]
        folder = served.of(request.service.config)
        await asyncio.to_thread(delete_file, folder, name, served)
        return json_response({"ok": True, "filename": name, "deleted": True})

    return serve


@plain_route(
    "PUT /files/uploads/{name}",
    needs="files",
    words="Store a file in the upload folder, replacing any file with the same name. The body "
    "is the file itself, of at most server.max_upload_mb MB. To give the file to a page, send "
    "its name to POST /hooks/file-chooser.",
    name=_NAME,
    gives=_FILE,
    takes_file=True,
)
async def _put(request: RouteRequest) -> Response:
    task_of(request.request)
    service, served = request.service, FOLDERS["uploads"]
    most = int(service.max_upload_mb * MB)
    check_headers(request.request.headers, most)
    name = request.request.path_params["name"]
    stored = await receive_file(
        request.request.stream(), served.of(service.config), name, served, most=most
    )
    about = {"ok": True, "filename": stored.filename, "size": stored.size}
    return json_response({**about, "mimeType": stored.mime_type, "sha256": stored.sha256})


def _all() -> Iterator[StatusRoute]:
    uploads = FOLDERS["uploads"]
    yield _list(uploads, "The files that may be uploaded to pages (POST /hooks/file-chooser).")
    yield _put
    yield _delete(uploads)
    for name, words in (
        ("downloads", "The files that pages and actions saved: downloads, PDFs."),
        ("screenshots", "The newest images from POST /screenshot."),
        ("traces", "The saved recordings."),
        ("outputs", "The results that calls saved to a file."),
    ):
        yield _list(FOLDERS[name], words)
        yield _get(FOLDERS[name])
        yield _delete(FOLDERS[name])


STORED_FILES = tuple(_all())

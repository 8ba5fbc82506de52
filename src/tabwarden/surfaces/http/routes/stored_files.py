"""Routes to the files of the folders: list, get and delete them, and put files to upload."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.control_api import form
from tabwarden.surfaces.http.files import (
    FOLDERS,
    OpenedFile,
    ServedFolder,
    check_headers,
    delete_file,
    list_files,
    open_file,
    receive_file,
)
from tabwarden.surfaces.http.pipeline import json_response, service_of, task_of
from tabwarden.surfaces.http.routes.status import StatusRoute

_NAME = (Annotated[str, Field(description="The file's name, not a path.")], ...)
_HASHES = (
    Annotated[bool, Field(description="Also read each file, and tell its SHA-256 (sha256).")],
    False,
)
_FILE = {
    "filename": {"type": "string"},
    "size": {"type": "integer", "description": "In bytes."},
    "mimeType": {"type": "string", "description": "What the name implies."},
    "sha256": {"type": "string"},
}
_LIST = {
    "files": {
        "type": "array",
        "description": "The newest first, at most 1000. modifiedAt is in seconds since 1970.",
        "items": {
            "type": "object",
            "properties": {**_FILE, "modifiedAt": {"type": "number"}},
            "required": ["filename", "size", "mimeType", "modifiedAt"],
        },
    },
    "total": {"type": "integer", "description": "How many files there are."},
}
_MB = 1024 * 1024


def _list(served: ServedFolder, words: str) -> StatusRoute:
    async def serve(request: Request, given: dict[str, Any]) -> Response:
        task_of(request)
        folder = served.of(service_of(request).config)
        sha256 = given.get("sha256", False)
        return json_response(
            {"ok": True, **await asyncio.to_thread(list_files, folder, served, sha256=sha256)}
        )

    return StatusRoute(
        form=form(f"GET /files/{served.name}", sha256=_HASHES),
        needs="files",
        words=words,
        serve=serve,
        gives=_LIST,
    )


def _get(served: ServedFolder) -> StatusRoute:
    async def serve(request: Request, given: dict[str, Any]) -> Response:
        _ = given
        task_of(request)
        name = request.path_params["name"]
        folder = served.of(service_of(request).config)
        return OpenedFile(await asyncio.to_thread(open_file, folder, name, served), name)

    return StatusRoute(
        form=form(f"GET /files/{served.name}/{{name}}", name=_NAME),
        needs="files",
        words="Get a file, or a part of it (Range). A browser saves it and never shows it.",
        serve=serve,
        media_type="application/octet-stream",
    )


def _delete(served: ServedFolder) -> StatusRoute:
    async def serve(request: Request, given: dict[str, Any]) -> Response:
        _ = given
        task_of(request)
        name = request.path_params["name"]
        folder = served.of(service_of(request).config)
        await asyncio.to_thread(delete_file, folder, name, served)
        return json_response({"ok": True, "filename": name, "deleted": True})

    return StatusRoute(
        form=form(f"DELETE /files/{served.name}/{{name}}", name=_NAME),
        needs="files",
        words="Delete a file.",
        serve=serve,
        gives={"filename": {"type": "string"}, "deleted": {"type": "boolean"}},
    )


async def _put(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    task_of(request)
    service, served = service_of(request), FOLDERS["uploads"]
    most = int(service.max_upload_mb * _MB)
    check_headers(request.headers, most)
    name = request.path_params["name"]
    stored = await receive_file(
        request.stream(), served.of(service.config), name, served, most=most
    )
    return json_response(
        {
            "ok": True,
            "filename": stored.filename,
            "size": stored.size,
            "mimeType": stored.mime_type,
            "sha256": stored.sha256,
        }
    )


def _all() -> Iterator[StatusRoute]:
    uploads = FOLDERS["uploads"]
    yield _list(uploads, "The files that may be uploaded to pages (POST /hooks/file-chooser).")
    yield StatusRoute(
        form=form("PUT /files/uploads/{name}", name=_NAME),
        needs="files",
        words="Put a file into the upload folder, in place of one of the same name. The body is "
        "the file itself, of at most server.max_upload_mb. Then POST /hooks/file-chooser takes "
        "its name.",
        serve=_put,
        gives=_FILE,
        takes_file=True,
    )
    yield _delete(uploads)
    for name, words in (
        ("downloads", "The files that pages and actions saved: downloads, PDFs."),
        ("screenshots", "The newest pictures of POST /screenshot."),
        ("traces", "The recordings that were saved."),
        ("outputs", "The results that calls saved (filename)."),
    ):
        yield _list(FOLDERS[name], words)
        yield _get(FOLDERS[name])
        yield _delete(FOLDERS[name])


STORED_FILES = tuple(_all())

"""Code for the tools ``network`` and ``init_script``, in addition to the ``Browser`` methods."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import msgspec

from tabwarden.actions.registry import Run, by_tool
from tabwarden.actions.saving import saved
from tabwarden.browser import Browser
from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import checked_filename, with_extension
from tabwarden.page.input import file_in

__all__: list[str] = []


@by_tool("init_script")
async def init_script(
    browser: Browser, act: Run, *, path: str | None = None, **arguments: Any
) -> Any:
    """Run ``init_script``, but allow only files that pages may read."""
    if path is not None:
        path = file_in(browser.upload_folders, path, "path")
    return await act(browser, path=path, **arguments)


@by_tool("network")
async def network(
    browser: Browser,
    act: Run,
    *,
    filename: str | None = None,
    request_id: str | None = None,
    content: str = "omit",
    overwrite: bool = False,
    **arguments: Any,
) -> Any:
    """Save one response's body, or the list of all matching requests as JSON."""
    ending = PurePath(filename or "").suffix.lower()
    if filename is None or (request_id is None and ending in ("", ".har")):
        arguments |= {"filename": filename, "content": content, "overwrite": overwrite}
        return await act(browser, request_id=request_id, **arguments)
    if content != "omit":
        raise InvalidArgument(
            "`content` applies only to HAR files.",
            "Omit it, or use a file name such as a.har.",
            field="content",
        )
    checked_filename(filename, "output")
    arguments = {**arguments, "limit": 500, "max_chars": 20_000}
    result = await act(browser, request_id=request_id, as_bytes=True, **arguments)
    if request_id is None or result.interrupted:
        return await saved(browser.config, result, filename, overwrite=overwrite)
    one = result.value
    if "body" not in one:
        why = one.get("body_missing", "a WebSocket has messages, but no body")
        raise InvalidArgument(
            f"{request_id} has no body to save: {why}.",
            "Omit filename to see the request's other data.",
            field="request_id",
        )
    body = msgspec.structs.replace(result, value=one["body"])
    name = with_extension(filename, one["mime_type"])
    return await saved(browser.config, body, name, overwrite=overwrite)

"""Write an action's whole result to a file in the output folder instead of showing it.

``action(..., saves=...)`` adds the parameters ``filename`` and ``overwrite`` to an action.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
from collections.abc import Awaitable, Callable, Mapping
from pathlib import PurePath
from typing import Annotated, Any

import msgspec
from pydantic import Field

from tabwarden.actions.result_text import as_data, snapshot_words
from tabwarden.browser import Browser
from tabwarden.config import BrowserConfig, output_folder
from tabwarden.errors import InvalidArgument
from tabwarden.files.download_folder import PartialFile, checked_filename
from tabwarden.hints import tool_call
from tabwarden.page import ActionResult, Screenshot, Snapshot
from tabwarden.results import SavedFile

Run = Callable[..., Awaitable[Any]]
SAVES = "Save the whole result to this file and return only its first lines."
FILENAME = Annotated[
    str | None,
    Field(description=SAVES),
]
_PICTURES = {"image/png": "png", "image/jpeg": "jpeg", "image/webp": "webp"}
_LINES = 10
_WIDTH = 160


def saving(run: Run, whole: Mapping[str, Any], *, is_picture: bool) -> Run:
    """Return an action that has the additional parameters ``filename`` and ``overwrite``.

    Args:
        run: the action without these parameters.
        whole: the arguments that prevent the truncation of saved results.
        is_picture: whether the result is a picture, in the format of the file's extension.
    """

    async def run_and_save(
        browser: Browser, *, filename: str | None = None, overwrite: bool = False, **arguments: Any
    ) -> Any:
        if filename is None:
            if overwrite:
                raise InvalidArgument(
                    "`overwrite` works only with `filename`.", "Omit it.", field="overwrite"
                )
            return await run(browser, **arguments)
        checked_filename(filename, "output")
        if is_picture:
            filename, arguments = _in_format(filename, arguments)
        result = await run(browser, **{**whole, **arguments})
        return await saved(browser.config, result, filename, overwrite=overwrite)

    return run_and_save


async def saved(
    config: BrowserConfig, result: Any, filename: str, *, overwrite: bool = False
) -> Any:
    """Save a result, and return a result with a ``SavedFile`` as its value.

    An interrupted result is returned unchanged.

    Raises:
        InvalidArgument: the output folder can't be written to.
    """
    if isinstance(result, ActionResult) and result.interrupted:
        return result
    content = result.data if isinstance(result, Screenshot) else _bytes(result, filename)
    file = await asyncio.to_thread(_written, config, content, filename, overwrite=overwrite)
    if isinstance(result, ActionResult):
        return msgspec.structs.replace(result, value=file)
    if isinstance(result, Snapshot):
        return ActionResult(
            action="snapshot",
            value=file,
            tab_id=result.tab_id,
            url=result.url,
            title=result.title,
            new_since_last=result.new_since_last,
        )
    return ActionResult(action="screenshot", value=file, note=result.note)


def _in_format(filename: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the file name with an extension, and the arguments with the format that the extension
    means."""
    kind = mimetypes.guess_type(filename, strict=False)[0]
    known = _PICTURES.get(kind or "")
    wanted = arguments.get("format") or known or "png"
    if kind is None:
        filename = f"{filename}.{wanted}"
    elif known != wanted:
        raise InvalidArgument(
            f"The extension of {filename!r} means {kind}, but the screenshot's format is {wanted}.",
            "Use the extension .png, .jpg or .webp and omit format. The extension sets the format.",
            field="filename",
        )
    return filename, {**arguments, "format": wanted}


def _bytes(result: Any, filename: str) -> bytes:
    if isinstance(result.value if isinstance(result, ActionResult) else None, bytes):
        return bytes(result.value)
    # A lone surrogate is replaced by its escape.
    return _text(result, filename).encode("utf-8", "backslashreplace")


def _text(result: Any, filename: str) -> str:
    """Return the file's content: the text that a model would see, or JSON."""
    if isinstance(result, Snapshot):
        return snapshot_words(result, tool_call) + "\n"
    value = as_data(result.value, tool_call)
    is_json = PurePath(filename).suffix == ".json"
    if isinstance(value, dict) and isinstance(value.get("text"), str) and not is_json:
        return str(value["text"])
    if isinstance(value, str) and not is_json:
        return value
    if isinstance(value, list):  # one item per line
        return "[\n" + ",\n".join(_json(one) for one in value) + "\n]\n"
    return _json(value, indent=1) + "\n"


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, default=str, indent=indent)


def _written(config: BrowserConfig, content: bytes, filename: str, *, overwrite: bool) -> SavedFile:
    kind = mimetypes.guess_type(filename)[0] or "application/octet-stream"
    with PartialFile(output_folder(config), "output_dir") as file:
        file.write(content)
        kept = file.keep(filename, kind, overwrite=overwrite)
    text = "" if kind.startswith("image/") or b"\0" in content else content.decode(errors="replace")
    lines = text.splitlines()
    first = tuple(line if len(line) <= _WIDTH else f"{line[:_WIDTH]}…" for line in lines[:_LINES])
    return SavedFile(kept.path, kept.filename, kept.size, len(lines), first)

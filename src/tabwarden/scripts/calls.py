"""Calls: what a recording says of each call, as far as scripts and replays need it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from tabwarden.errors import InvalidArgument

CALLS = "tabwarden.jsonl"
"""The file in a recording that has its calls."""
SECRET = "(secret)"
"""What a recording has in place of a secret."""


class RecordedCall(msgspec.Struct, kw_only=True):
    """One line of a recording. The fields are those of ``journal.Entry``."""

    number: int
    action: str
    arguments: dict[str, Any] = {}
    began: float = 0.0
    within: int | None = None
    tab_id: str | None = None
    element: dict[str, Any] | None = None
    locators: list[dict[str, Any]] = []
    came: str = ""
    status: str = "ok"
    message: str = ""
    url: str = ""
    title: str = ""
    result: Any = None


class Recording(msgspec.Struct, kw_only=True):
    calls: list[RecordedCall]
    viewport: tuple[int, int] | None = None


def read_recording(path: Path) -> Recording:
    """Read a trace file or folder, or its ``tabwarden.jsonl``.

    Raises:
        InvalidArgument: the file can't be read, or is no recording.
    """
    try:
        with _lines_of(path) as lines:
            records = [msgspec.json.decode(line) for line in lines if line.strip()]
        told = [one for one in records if isinstance(one, dict)]
        calls = [msgspec.convert(one, RecordedCall) for one in told if one.get("type") == "call"]
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, msgspec.MsgspecError) as error:
        raise InvalidArgument(
            f"{str(path)!r} is not a recording of Tabwarden: {error}.",
            "Give a trace that `tabwarden trace save` or --record wrote.",
            field="file",
        ) from None
    if not calls:
        raise InvalidArgument(
            f"{str(path)!r} is not a recording of Tabwarden: it has no calls.",
            "Give a trace that `tabwarden trace save` or --record wrote.",
            field="file",
        )
    calls.sort(key=lambda call: call.number)
    return Recording(calls=calls, viewport=next(_viewports(told), None))


def _lines_of(path: Path) -> IO[bytes]:
    if path.is_dir():
        return (path / CALLS).open("rb")
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return io.BytesIO(archive.read(CALLS))
    return path.open("rb")


def _viewports(records: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    for one in records:
        size = one.get("viewport")
        if isinstance(size, dict) and {"width", "height"} <= size.keys():
            yield int(size["width"]), int(size["height"])

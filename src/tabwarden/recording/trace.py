"""A recording's records and screenshots, in memory or read from a file."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import msgspec

from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.recording.records import Record

RECORDS = "tabwarden.jsonl"
"""The file in a trace that contains its records, one per line."""
VERSION = 1
_LARGEST = 500_000_000
"""Maximum size of a file in a trace. Larger files are not from Tabwarden."""


@contextmanager
def as_trace(path: str | Path) -> Iterator[None]:
    """Convert any error in the block to an error about the trace at ``path``, because an untrusted
    person may have written that file. The block must only read the file or its content.

    Raises:
        InvalidArgument: the block raised an error.
    """
    try:
        yield
    except TabwardenError:
        raise
    except Exception as error:  # noqa: BLE001 - zipfile, zlib and json raise nearly any error
        raise InvalidArgument(
            f"{str(path)[:300]!r} is not a trace that Tabwarden can read: {_why(error)}.",
            "List the traces with `tabwarden trace list`.",
            field="file",
        ) from None


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """All recorded data about a task. Times are in seconds since 1970."""

    about: Record
    """``{"task", "browser", "began", "ended", "reason", "viewport", "launch"}``."""
    calls: list[Record] = []
    """The agent's calls, in the order in which they started. Each has the fields of ``Entry``,
    without secrets."""
    notices: list[Record] = []
    """Events in the browser: ``{"at", "kind", "tab_id", ...}``."""
    console: list[Record] = []
    requests: list[Record] = []
    pictures: list[Record] = []
    """``{"at", "tab_id", "file", "width", "height"}``."""
    images: Mapping[str, bytes] = {}
    """The image files, keyed by name."""

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Read a trace that Tabwarden wrote.

        Args:
            path: the zip file.

        Raises:
            InvalidArgument: the file can't be read, or Tabwarden did not write it.
        """
        with as_trace(path):
            if not Path(path).is_file() and Path(path).exists():  # a pipe might never end
                raise ValueError("it is not a regular file")
            with zipfile.ZipFile(path) as archive:
                if archive.getinfo(RECORDS).file_size > _LARGEST:
                    raise ValueError("it is too large")
                lines = archive.read(RECORDS).decode("utf-8").splitlines()
                records = [json.loads(line) for line in lines]
                named = {one["file"] for one in records if one.get("type") == "picture"}
                images = {name: archive.read(name) for name in archive.namelist() if name in named}
            return cls.of(records, images)

    @classmethod
    def of(cls, records: Iterable[Record], images: Mapping[str, bytes]) -> Self:
        """Group records by their type, and sort them by time. The first ``recording`` describes all
        of them."""
        by_type: dict[str, list[Record]] = {}
        for record in records:
            by_type.setdefault(record["type"], []).append(record)
        return cls(
            about=by_type["recording"][0],
            calls=sorted(by_type.get("call", []), key=lambda one: int(one["number"])),
            notices=sorted(by_type.get("notice", []), key=_at),
            console=sorted(by_type.get("console", []), key=_at),
            requests=sorted(by_type.get("request", []), key=lambda one: int(one["number"])),
            pictures=sorted(by_type.get("picture", []), key=_at),
            images=images,
        )

    @property
    def records(self) -> list[Record]:
        """All records, in the order in which they are in the file."""
        return [
            {**self.about, "type": "recording", "version": VERSION},
            *self.calls,
            *self.notices,
            *self.console,
            *self.requests,
            *self.pictures,
        ]

    @property
    def tab_ids(self) -> list[str]:
        """The tabs that have recorded events."""
        seen = [*self.calls, *self.pictures, *self.console, *self.requests, *self.notices]
        return list(dict.fromkeys(one["tab_id"] for one in seen if one.get("tab_id")))


def _at(record: Record) -> float:
    return float(record["at"])


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, LookupError):
        return f"it lacks {str(error)[:200]}"
    return str(error)[:200] or type(error).__name__

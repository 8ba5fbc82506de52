"""Malformed files for each command that reads a file."""

from __future__ import annotations

import io
import json
import os
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tabwarden.recording import Trace
from tabwarden.recording.playwright_trace import write_zip

__all__ = ["ODD", "ODD_ARCHIVES", "ODD_TRACES", "nobody"]

_NOBODY = 65534
_DEEP = "[" * 200_000
_ABOUT = {"type": "recording", "task": "t", "began": 1.0, "ended": 2.0, "viewport": None}
_CALL = {
    "type": "call", "number": 1, "action": "click", "began": 1.0, "ended": 2.0, "tab_id": "t1",
    "status": "ok", "code": "", "message": "", "arguments": {},
}  # fmt: skip


def _trace(*lines: str) -> Callable[[Path], object]:
    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("tabwarden.jsonl", "\n".join(lines))

    return write


def _records(*records: object) -> Callable[[Path], object]:
    return _trace(*map(json.dumps, records))


def _cut(path: Path) -> None:
    with path.open("wb") as file:
        write_zip(Trace.of([_ABOUT], {}), file)
        file.truncate(file.tell() // 2)


def _damaged(path: Path) -> None:
    """Write a trace whose packed records were modified."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tabwarden.jsonl", json.dumps(_ABOUT))
    with path.open("r+b") as file:
        file.seek(len(b"PK\3\4" + bytes(26) + b"tabwarden.jsonl"))
        file.write(b"\xff" * 20)


def _encrypted(path: Path) -> None:
    """Write a zip whose only file is marked as encrypted, in both headers."""
    _records(_ABOUT)(path)
    written = bytearray(path.read_bytes())
    for head, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        written[written.index(head) + flags] |= 1
    path.write_bytes(written)


def _tar_xz(path: Path) -> None:
    content = "".join(map(str, range(100_000))).encode()
    with tarfile.open(path, "w:xz") as archive:
        member = tarfile.TarInfo("folder/file")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))


def _cut_tar_xz(path: Path) -> None:
    _tar_xz(path)
    os.truncate(path, path.stat().st_size // 2)


def _damaged_tar_xz(path: Path) -> None:
    _tar_xz(path)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 20)


def _closed(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0)


ODD: Mapping[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "empty": Path.touch,
    "folder": Path.mkdir,
    "pipe": os.mkfifo,
    "link to itself": lambda path: path.symlink_to(path),
    "closed to us": _closed,
    "bytes": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "not UTF-8": lambda path: path.write_bytes(b"key: \xff\xfe\n"),
    "number": lambda path: path.write_text("1"),
    "deep YAML": lambda path: path.write_text("[" * 400),
    "deep JSON": lambda path: path.write_text(_DEEP),
    "cut zip": _cut,
    "damaged zip": _damaged,
    "encrypted zip": _encrypted,
    "10 MB": lambda path: path.write_bytes(b"1" * 10_000_000),
    "another zip": lambda path: zipfile.ZipFile(path, "w").close(),
    "trace of deep JSON": _trace(_DEEP),
    "trace without records": _trace(""),
    "trace of numbers": _records(1, 2),
}
"""The content to write at a path, by the kind of file."""
ODD_ARCHIVES: Mapping[str, Callable[[Path], object]] = {
    "tar.xz without a browser": _tar_xz,
    "cut tar.xz": _cut_tar_xz,
    "damaged tar.xz": _damaged_tar_xz,
}
"""The same for archives that install no browser."""
ODD_TRACES: Mapping[str, Callable[[Path], object]] = {
    "trace of names": _records({"type": "recording"}, {"type": "call", "number": 1}),
    "trace of other types": _records(
        _ABOUT | {"ended": "late", "viewport": 7}, _CALL | {"began": None, "arguments": 3}
    ),
    "trace of a far future": _records(_ABOUT, _CALL | {"began": 1e300, "element": {"name": 5}}),
    "trace of not a number": _records(_ABOUT, _CALL | {"began": float("nan")}),
    "trace of an unknown call": _records(_ABOUT, _CALL | {"action": "__init_subclass__"}),
    "trace of half a character": _records(_ABOUT, _CALL | {"message": "\ud800", "title": "\ud800"}),
}
"""The same for readable traces with malformed contents."""


@contextmanager
def nobody() -> Iterator[None]:
    """Drop root privileges, so that file permissions apply."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)

"""Read the text of a downloaded file: of a PDF, or of a text file such as CSV or YAML."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
from pathlib import Path

import msgspec

from tabwarden.config import download_folder
from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.hints import MORE_TIME, Hint, Next
from tabwarden.page.downloads import pdf_reader
from tabwarden.page.task import Call
from tabwarden.page.text import quoted
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.state import SupervisorState

_SHARE = 0.8
"""The share of the remaining budget that reading a PDF may take."""
_CHARS = 5_000_000
"""The maximum length of the text, and the number of bytes that are read of a text file."""
_BOMS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class StoredText(msgspec.Struct, frozen=True):
    parts: tuple[str | None, ...]
    """The text of each page of a PDF, or of the whole file. None: the page can't be read."""
    pages: int = 0
    """The number of a PDF's pages; 0 for a text file."""
    title: str = ""
    """A PDF's title; may be empty."""


class _Head(msgspec.Struct):
    pages: int = 0
    title: str = ""
    locked: bool = False
    broken: bool = False


async def stored_text(call: Call, download_id: str, password: str) -> StoredText:
    """Wait until a download is complete, and return the text of its file.

    Args:
        download_id: ``dl-1``.
        password: the password of a PDF; "" for none.

    Raises:
        InvalidArgument: there is no such download, it failed, its file is not on this computer, or
            it is neither a PDF nor a text file. Or the PDF is broken, or needs another password.
        BudgetExceeded: the download or the reading takes longer than the call allows.
    """
    with call.race.doing(f"waiting for the download {quoted(download_id[:40])} to end"):
        await call.race.until(lambda state: not _is_under_way(state, download_id))
    download = next((one for one in call.state.downloads if one.id == download_id), None)
    if download is None:
        known = ", ".join(one.id for one in call.state.downloads)
        raise InvalidArgument(
            f"There is no download {quoted(download_id[:40])}.",
            f"The downloads are {known}." if known else "Nothing has been downloaded yet.",
            field="download",
        )
    path = _path(call, download)
    with path.open("rb") as file:
        begins = file.read(1024)
    if b"%PDF-" in begins:
        return await _pdf_text(call, path, password, download)
    text = await asyncio.to_thread(_plain_text, path)
    if text is None:
        raise InvalidArgument(
            f"{download.id} ({quoted(download.filename)}) is neither a PDF nor a text file.",
            f"The file is {quoted(download.path or '')}.",
            field="download",
        )
    return StoredText((text,))


def _is_under_way(state: SupervisorState, download_id: str) -> bool:
    return any(one.id == download_id and one.status == "in_progress" for one in state.downloads)


def _path(call: Call, download: Download) -> Path:
    """Return the path of a complete file in our own folder. A browser that chooses the folder
    itself could report the path of any file."""
    if download.status != "completed":
        raise InvalidArgument(
            f"{download.id} has no file: {download.status} ({download.reason}).", field="download"
        )
    own = {download_folder(call.task.config).resolve()}
    if call.state.policy.download_dir is not None:
        own.add(Path(call.state.policy.download_dir).resolve())
    path = Path(download.path or "")
    if download.path is None or path.resolve().parent not in own:
        raise InvalidArgument(
            f"The browser keeps the file of {download.id} in its own folder.",
            Hint("Save the file in Tabwarden's folder", Next("download", url="..."), "."),
            field="download",
        )
    if not path.is_file():
        raise InvalidArgument(f"The file of {download.id} is gone.", field="download")
    return path


def _plain_text(path: Path) -> str | None:
    """Return the text of a file; None if it is not a text file."""
    with path.open("rb") as file:
        data = file.read(_CHARS)
    named = next((name for bom, name in _BOMS.items() if data.startswith(bom)), None)
    if named is None and b"\0" in data:
        return None
    try:
        return data.decode(named or "utf-8", "strict" if named is None else "replace")
    except UnicodeDecodeError as error:
        is_cut = len(data) == _CHARS and error.start > _CHARS - 4
        return data.decode("utf-8" if is_cut else "cp1252", "replace")


async def _pdf_text(call: Call, path: Path, password: str, download: Download) -> StoredText:
    seconds = call.race.budget.remaining_s() * _SHARE
    work = asyncio.create_task(asyncio.to_thread(_read, path, password, seconds))
    await call.race.finished(work)
    lines, is_late = work.result()
    head = msgspec.json.decode(lines[0], type=_Head) if lines else _Head(broken=not is_late)
    if head.locked:
        raise InvalidArgument(
            f"{download.id} ({quoted(download.filename)}) is a PDF that needs "
            f"{'another' if password else 'a'} password.",
            Hint(
                "Read it",
                Next("scrape", download=download.id, password="..."),
                ". If you don't know the password, ask the person whom you work for.",
            ),
            field="password",
        )
    if head.broken:
        raise InvalidArgument(
            f"{download.id} ({quoted(download.filename)}) is a PDF that can't be read.",
            f"The file is {quoted(download.path or '')}.",
            field="download",
        )
    parts = tuple(msgspec.json.decode(line, type=str | None) for line in lines[1:])
    if is_late and not parts:
        raise BudgetExceeded(
            f"{download.id} was not read in time.", Hint("Call again and ", MORE_TIME, ".")
        )
    return StoredText(parts, head.pages, head.title)


def _read(path: Path, password: str, seconds: float) -> tuple[list[bytes], bool]:
    """Return the complete lines of ``pdf_reader``, and whether it was stopped."""
    asked = {
        "path": str(path),
        "password": password,
        "chars": _CHARS,
        "seconds": math.ceil(seconds) + 1,
    }
    command = [sys.executable, "-P", str(Path(pdf_reader.__file__))]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(asked).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
        output, is_late = done.stdout, False
    except subprocess.TimeoutExpired as late:
        output, is_late = late.stdout or b"", True
    return output.split(b"\n")[:-1], is_late

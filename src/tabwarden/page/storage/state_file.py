"""Storage state files: all in one folder, readable only by this user, and written atomically."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabwarden.errors import Denied, InvalidArgument
from tabwarden.page.storage.storage_state import StorageState, checked_state, read
from tabwarden.page.task import Call

_LARGEST = 64 * 1024 * 1024


def state_path(folder: Path, filename: str) -> Path:
    """Return the path of a named state file. Raise ``Denied`` if it is outside the folder."""
    if not isinstance(filename, str) or not filename.strip() or "\0" in filename:
        raise InvalidArgument(f"{filename!r} is not a valid file name.", field="filename")
    root = folder.resolve()
    try:
        path = (root / filename).resolve()
        if not path.suffix:
            path = path.with_suffix(".json").resolve()  # the new name may be a link
    except (ValueError, OSError) as error:  # a lone surrogate, a long name, or a link loop
        raise InvalidArgument(
            f"{filename[:200]!r} is not a valid file name here: {error}.", field="filename"
        ) from None
    if not path.is_relative_to(root) or path == root:
        raise Denied(
            f"{filename[:200]!r} is outside the folder for storage states.",
            f"Storage states are kept in {root} (configuration: state_dir).",
            field="filename",
        )
    return path


async def save(call: Call, path: Path, origins: list[str]) -> dict[str, Any]:
    """Write the state of a tab's browser context to a file. Return a summary without secrets."""
    state = await read(call, origins)
    text = json.dumps(state, ensure_ascii=True, indent=1)
    work = asyncio.ensure_future(asyncio.to_thread(_written, path, text))
    await call.race.finished(work)
    try:
        work.result()
    except OSError as error:
        raise InvalidArgument(
            f"The state can't be written to {str(path)!r}: {error.strerror}.",
            "Name another file (configuration: state_dir).",
            field="filename",
        ) from None
    return {
        "path": str(path),
        "cookies": len(state["cookies"]),
        "origins": [one["origin"] for one in state["origins"]],
    }


async def given(folder: Path, state: str | Mapping[str, Any]) -> StorageState:
    """Return a state from a mapping, or from a file if ``state`` is a file name.

    Raises:
        InvalidArgument: the file is missing or is not a valid state.
        Denied: the file is outside the folder.
    """
    if not isinstance(state, str):
        return checked_state(state)
    path = state_path(folder, state)
    try:
        text = await asyncio.to_thread(_text_of, path)
        return checked_state(json.loads(text))
    except OSError as error:
        there = await asyncio.to_thread(_names_in, folder)
        raise InvalidArgument(
            f"The state {state[:200]!r} can't be read: {error.strerror}.",
            f"Existing states: {', '.join(there) or 'none'}.",
            field="filename",
        ) from None
    except ValueError:
        raise InvalidArgument(f"{path.name!r} is not valid JSON.", field="filename") from None


def _written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, beside = tempfile.mkstemp(prefix=".state-", dir=path.parent)  # 0600
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.json"))[:20]


def _text_of(path: Path) -> str:
    if not path.is_file():  # reading a pipe would block
        raise FileNotFoundError(2, "there is no such file")
    if path.stat().st_size > _LARGEST:
        raise OSError(27, f"it is larger than {_LARGEST} bytes")
    return path.read_text("utf-8")

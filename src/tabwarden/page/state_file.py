"""Files of storage states: in one folder, for this user alone, written whole or not at all."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabwarden.errors import Denied, InvalidArgument
from tabwarden.page.storage_state import StorageState, checked_state, read
from tabwarden.page.task import Task
from tabwarden.supervisor import Race, Tab

__all__ = ["given", "save", "state_path"]

_LARGEST = 64 * 1024 * 1024


def state_path(folder: Path, filename: str) -> Path:
    """The file that is meant.

    Raises:
        InvalidArgument: not a name. Denied: it leads out of the folder.
    """
    if not isinstance(filename, str) or not filename.strip() or "\0" in filename:
        raise InvalidArgument(f"{filename!r} is not a file's name.", field="filename")
    root = folder.resolve()
    try:
        path = (root / filename).resolve()
        if not path.suffix:
            path = path.with_suffix(".json").resolve()  # it may be a link, too
    except (ValueError, OSError) as error:  # half a character, too long, links in a circle
        raise InvalidArgument(
            f"{filename[:200]!r} can't be a file's name here: {error}.", field="filename"
        ) from None
    if not path.is_relative_to(root) or path == root:
        raise Denied(
            f"{filename[:200]!r} lies outside the folder of storage states.",
            f"They are kept in {root} (configuration: state_dir).",
            field="filename",
        )
    return path


async def save(task: Task, race: Race, tab: Tab, path: Path, origins: list[str]) -> dict[str, Any]:
    """Write the state of a tab's browser context; what is told of it is not secret.

    Raises:
        InvalidArgument: it can't be written there.
    """
    state = await read(task, race, tab, origins)
    text = json.dumps(state, ensure_ascii=True, indent=1)
    work = asyncio.ensure_future(asyncio.to_thread(_written, path, text))
    await race.finished(work)
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
    """A state that was handed over, or that is in a file.

    Raises:
        InvalidArgument: no such file, or no state. Denied: it lies outside the folder.
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
            f"There is: {', '.join(there) or 'none'}.",
            field="filename",
        ) from None
    except ValueError:
        raise InvalidArgument(f"{path.name!r} is not JSON.", field="filename") from None


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
    if not path.is_file():  # a pipe would be waited for
        raise FileNotFoundError(2, "there is no such file")
    if path.stat().st_size > _LARGEST:
        raise OSError(27, f"it has more than {_LARGEST} bytes")
    return path.read_text("utf-8")

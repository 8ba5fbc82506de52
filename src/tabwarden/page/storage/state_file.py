"""Storage state files. They are in one folder, readable only by this user, and written
atomically."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import shlex
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tabwarden.config import state_folder
from tabwarden.errors import Denied, InvalidArgument
from tabwarden.files.inbox import is_in_inbox
from tabwarden.files.locks import try_lock
from tabwarden.files.plain_file import read_plain_file, real_path
from tabwarden.files.private_folder import make_private_folder
from tabwarden.page.storage.cookie_files import netscape, state_of
from tabwarden.page.storage.state_format import StorageState, checked_state
from tabwarden.page.storage.storage_state import read
from tabwarden.page.storage.timing import LOCK_POLL_S, LOCK_S
from tabwarden.page.task import Call, Done, Task

log = logging.getLogger("tabwarden.state")

_LARGEST = 64 * 1024 * 1024


def folder_of(task: Task, name: object) -> Path:
    """Return the folder of a named state. If the name is a path in the commands' inbox, that is the
    inbox."""
    inboxes = [one for one in task.lent_folders if is_in_inbox(one)]
    is_copy = isinstance(name, str) and is_in_inbox(name)
    return inboxes[0] if inboxes and is_copy else state_folder(task.config)


def state_path(folder: Path, filename: str) -> Path:
    """Return the path of a named state file. Raise ``Denied`` if it is outside the folder."""
    if not isinstance(filename, str) or not filename.strip() or "\0" in filename:
        raise InvalidArgument(f"{filename!r} is not a valid file name.", field="filename")
    root = real_path(folder)
    try:
        path = real_path(root / filename)
        if not path.suffix:
            path = real_path(path.with_suffix(".json"))  # the new name may be a link
    except (ValueError, OSError) as error:  # a lone surrogate, a long name, or a link loop
        raise InvalidArgument(
            f"{filename[:200]!r} is not a valid file name here: {error}.", field="filename"
        ) from None
    if not path.is_relative_to(root) or path == root:
        raise Denied(
            f"{filename[:200]!r} is outside the folder for storage states.",
            f"Use a file in {root} (configuration: state_dir).",
            field="filename",
        )
    return path


async def save(call: Call, path: Path, origins: list[str]) -> Done:
    """Write the state of a tab's browser context to a file. Return a summary without secrets."""
    state, _, notes = await read(call, origins)
    if is_cookie_file(path):
        left_out = len(state["origins"])
        done = await save_cookies(call, path, state["cookies"])
        note = (
            f"A cookie file can't contain storage, so the storage of {left_out} origins was "
            "left out."
        )
        return Done(
            {**done.value, "origins": []}, f"{done.note} {note if left_out else ''}".strip()
        )
    await _write(call, path, json.dumps(state, ensure_ascii=True, indent=1))
    value = {
        "path": str(path),
        "cookies": len(state["cookies"]),
        "origins": [one["origin"] for one in state["origins"]],
    }
    if passkeys := state.get("passkeys"):
        value["passkeys"] = len(passkeys)
    return Done(value, " ".join(notes))


async def save_cookies(call: Call, path: Path, cookies: list[dict[str, Any]]) -> Done:
    """Write cookies to a Netscape cookie file. Return ``{"path", "cookies"}``."""
    whole = [one for one in cookies if "partitionKey" not in one]
    await _write(call, path, netscape(whole))
    left_out = len(cookies) - len(whole)
    note = f"{left_out} partitioned cookies were left out." if left_out else ""
    return Done({"path": str(path), "cookies": len(whole)}, note)


def is_cookie_file(path: Path) -> bool:
    """Whether a file has the extension of a Netscape cookie file."""
    return path.suffix.lower() in (".txt", ".cookies")


async def _write(call: Call, path: Path, text: str) -> None:
    work = asyncio.ensure_future(asyncio.to_thread(_written, path, text))
    await call.race.finished(work)
    try:
        work.result()
    except OSError as error:
        raise InvalidArgument(
            f"The state can't be written to {str(path)!r}: {error.strerror}.",
            "Use another file name or folder (configuration: state_dir).",
            field="filename",
        ) from None


async def given(folder: Path, state: str | Mapping[str, Any]) -> StorageState:
    """Return a state from a mapping or, if ``state`` is a file name, from a storage state file, a
    Netscape cookie file or a curl command.

    Raises:
        InvalidArgument: the file is missing or has none of these formats.
        Denied: the file is outside the folder.
    """
    if not isinstance(state, str):
        return checked_state(state)
    path = state_path(folder, state)
    try:
        text = await asyncio.to_thread(_text_of, path)
    except OSError as error:
        names = await asyncio.to_thread(_names_in, folder)
        name = shlex.quote(path.stem)
        raise InvalidArgument(
            f"The state {state[:200]!r} can't be read: {error.strerror}.",
            f"Existing states: {', '.join(names) or 'none'}. Only a person can create a state "
            "from the login cookies in their own browser. Ask them to run `tabwarden "
            f"import-cookies --from chrome --to {name}` in a terminal.",
            field="filename",
        ) from None
    except UnicodeDecodeError:
        raise InvalidArgument(
            f"{path.name!r} is not UTF-8 text.",
            "Give a storage state as JSON, a Netscape cookie file or a curl command.",
            field="filename",
        ) from None
    return state_of(text, "filename", repr(path.name))


def found(path: Path) -> dict[str, Any] | Path | None:
    """Read a state for a browser that is opening. Return None if there is no file. If the file is
    not a state, move it aside and return its new path.

    Raises:
        InvalidArgument: the file can't be read or moved.
    """
    try:
        state: dict[str, Any] = json.loads(_text_of(path))
        checked_state(state)
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError, InvalidArgument):
        aside = _moved_aside(path)
        log.warning("%s is not a storage state; moved it to %s", path, aside)
        return aside
    except OSError as error:
        raise InvalidArgument(
            f"The saved state {path} can't be read: {error.strerror}.",
            "Make the file readable, or restore a state with another name.",
            field="restore",
        ) from None
    return state


def changed(path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Replace a state by ``change(state)`` under a lock. A missing file counts as an empty state. A
    file that is not a state is moved aside.

    Raises:
        OSError: the file can't be written, or another task has locked it for too long.
    """
    make_private_folder(path.parent)
    fd = os.open(path.with_name(f".{path.stem}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        until = time.monotonic() + LOCK_S
        while not try_lock(fd):
            if time.monotonic() > until:
                raise OSError(errno.EBUSY, "another task is saving the state")
            time.sleep(LOCK_POLL_S)
        existing = found(path)
        state = existing if isinstance(existing, dict) else {}
        text = json.dumps(change(state), ensure_ascii=True, indent=1)
        if len(text) > _LARGEST:
            raise OSError(errno.EFBIG, f"the state would be larger than {_LARGEST} bytes")
        _written(path, text)
    finally:
        os.close(fd)


def _moved_aside(path: Path) -> Path:
    aside = path.with_name(f"{path.name}.broken")
    number = 1
    while aside.exists():  # keep files that were moved aside earlier
        number += 1
        aside = path.with_name(f"{path.name}.broken-{number}")
    os.replace(path, aside)
    return aside


def _written(path: Path, text: str) -> None:
    make_private_folder(path.parent)
    descriptor, beside = tempfile.mkstemp(prefix=".state-", dir=path.parent)  # 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.*") if path.name[0] != ".")[:20]


def _text_of(path: Path) -> str:
    return read_plain_file(path, _LARGEST).decode()

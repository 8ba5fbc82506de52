"""The registry of the user's running servers, a folder that only the user can open. Each server
writes a file with its address and key. Like the server's token, the file gives access to the
server's tasks.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from platformdirs import user_state_path

from tabwarden.digits import whole_number
from tabwarden.files.plain_file import read_plain_file
from tabwarden.files.private_folder import make_private_folder


class Server(msgspec.Struct, frozen=True, kw_only=True):
    """A server that has a live view."""

    id: str
    title: str
    url: str
    """The server's URL: ``http://host:port``."""
    key: str
    """A bearer token for its live view."""
    pid: int


def registry_folder() -> Path:
    return user_state_path("tabwarden") / "live"


@contextmanager
def registered(server: Server) -> Iterator[None]:
    """Register a server until the block ends. If the folder can't be written, the server runs
    unregistered.
    """
    path: Path | None = None
    with suppress(OSError):
        path = _write(server)
    try:
        yield
    finally:
        if path is not None:
            path.unlink(missing_ok=True)


def servers() -> list[Server]:
    """Return this user's running servers. Remove the files of crashed servers."""
    found = []
    try:
        paths = sorted(registry_folder().glob("*.json"))
    except OSError:
        return []
    for path in paths:
        try:
            server = msgspec.convert(json.loads(read_plain_file(path)), Server)
        except (OSError, ValueError, RecursionError, msgspec.ValidationError):
            continue
        if runs(server.pid):
            found.append(server)
        else:
            with suppress(OSError):
                path.unlink()
    return found


def made_folder() -> Path:
    """Return the registry's folder. Create it for this user only, if it is missing."""
    folder = registry_folder()
    make_private_folder(folder)
    os.chmod(folder, 0o700)
    return folder


def pid_of(path: Path) -> int:
    """Return the ID of the process to which a file belongs; 0 if the file's name has another
    format.
    """
    return whole_number(path.name.partition("-")[0]) or 0


def _write(server: Server) -> Path:
    folder = made_folder()
    handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")  # mode 0600
    with open(handle, "w", encoding="utf-8") as file:
        description: dict[str, Any] = msgspec.to_builtins(server)
        json.dump(description, file)
    path = folder / f"{server.pid}-{server.id}.json"
    os.replace(name, path)
    return path


def runs(pid: int) -> bool:
    """Whether a process is running."""
    if pid <= 0:
        return False
    if os.name == "nt":
        return True  # there is no cheap check; connecting to a process that has exited will fail
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True

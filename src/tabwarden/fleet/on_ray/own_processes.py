"""Find and terminate the processes that this user's fleet started on this machine. A mark in their
environment identifies them.

Ray's own ``ray stop`` would stop every Ray on the machine. Child processes inherit the mark, and
the mark disappears with its process. No other Ray process has it, not even another Ray of this user
or one in a container.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil
from platformdirs import user_state_path

from tabwarden.errors import InvalidArgument
from tabwarden.files.secret_file import kept_secret

POLL_S = 0.1
"""How often to check whether processes have exited."""


WATCH_S = 1.0
"""How often ``fleet up --block`` checks that Ray is running."""
KILL_S = 3.0
"""How long a process and its browsers may take to exit after SIGKILL."""
TERMINATE_S = 3.0
"""How long Ray's processes may take to exit on their own. A head's raylet took over 10 s, but its
cluster stops anyway when the head stops, so a longer wait is useless.
"""
_VARIABLE = "TABWARDEN_FLEET_MARK"
_PARTS = ("raylet", "gcs_server")
"""The processes without which a node does not work. The head has both of them."""


class Raylet(NamedTuple):
    """A Ray node on this machine.

    Attributes:
        gcs: its cluster's ``HOST:PORT``.
        node_id: the node's ID in Ray.
        temporary: Ray's folder.
    """

    gcs: str
    node_id: str
    temporary: str


def marked() -> dict[str, str]:
    """Return the environment variable for processes that this user's fleet starts.

    Raises:
        InvalidArgument: the file with the mark can't be read or written.
    """
    file = user_state_path("tabwarden") / "fleet.mark"
    try:
        mark = kept_secret(file, lambda: secrets.token_hex(16).encode())
    except OSError as error:
        raise _unusable(file, error.strerror or str(error)) from None
    if not mark.isalnum():
        raise _unusable(file, "it contains characters other than letters and digits")
    return {_VARIABLE: mark.decode()}


def _unusable(file: Path, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The file that identifies the fleet's processes can't be used: {file}: {why}.",
        "If no part of a fleet runs on this machine, delete the file.",
        field=str(file),
    )


def own_processes() -> set[psutil.Process]:
    """Return the processes that the fleet started on this machine, without their child
    processes.
    """
    mark = marked()[_VARIABLE]
    ours = {process for process in psutil.process_iter() if _mark_of(process) == mark}
    ids = {process.pid for process in ours}
    return {process for process in ours if _parent_of(process) not in ids}


def raylets(processes: Iterable[psutil.Process]) -> Iterator[Raylet]:
    """Return the Ray nodes to which these processes belong."""
    for process in processes:
        with suppress(psutil.Error):
            program, *words = process.cmdline() or [""]
            if Path(program).stem == "raylet":
                options = dict(word.split("=", 1) for word in words if "=" in word)
                yield Raylet(
                    options.get("--gcs-address", ""),
                    options.get("--node_id", ""),
                    options.get("--temp_dir", ""),
                )


def await_end_of_ray(is_over: threading.Event) -> bool:
    """Wait until ``is_over`` is set, or until this fleet's Ray on this machine exits; return
    whether Ray is still running.
    """
    parts = {process for process in own_processes() if _name_of(process) in _PARTS}
    if not any(_name_of(process) == "raylet" for process in parts):
        return False  # the process has already exited
    while all(map(_lives, parts)):
        if is_over.wait(WATCH_S):
            return True
    return False


def end(roots: set[psutil.Process]) -> bool:
    """Terminate processes and their descendants; return whether all of them have exited.

    Ray's processes get SIGTERM, then SIGKILL. The browsers' watchdogs and janitors then have time
    to kill the browsers and to remove their folders. Any process that remains gets SIGKILL too.
    """
    everything = _with_children(roots)
    for process in roots:
        with suppress(psutil.Error):
            process.terminate()
    if _await_end(everything, TERMINATE_S):
        return True
    _kill(roots)
    if _await_end(everything, KILL_S):
        return True
    _kill(_with_children(everything))
    return _await_end(everything, KILL_S)


def _kill(processes: Iterable[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.kill()


def _await_end(processes: set[psutil.Process], within_s: float) -> bool:
    """Wait until the processes, and any processes that they start meanwhile, have exited."""
    deadline = time.monotonic() + within_s
    while True:
        processes |= _with_children(own_processes())
        if not any(map(_lives, processes)):
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)


def _with_children(roots: Iterable[psutil.Process]) -> set[psutil.Process]:
    processes = set(roots)
    for root in roots:
        with suppress(psutil.Error):
            processes.update(root.children(recursive=True))
    return processes


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _name_of(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return ""


def _mark_of(process: psutil.Process) -> str | None:
    try:
        return process.environ().get(_VARIABLE)
    except (psutil.Error, OSError):  # the process has exited, or belongs to another user
        return None


def _parent_of(process: psutil.Process) -> int | None:
    try:
        return process.ppid()
    except psutil.Error:
        return None

"""Starting a daemon: a process of its own that outlives the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from platformdirs import user_state_path

from tabwarden.errors import BudgetExceeded, LaunchFailed, TabwardenError
from tabwarden.surfaces.daemon.places import Place

__all__ = ["log_file", "start"]

_LONGEST_LOG = 1_000_000


def log_file(session: str) -> Path:
    """Where a session's daemon logs to."""
    return user_state_path("tabwarden") / "daemon" / f"{session}.log"


def start(place: Place, launch: Mapping[str, Any], until: float) -> None:
    """Start a session's daemon and wait until it listens.

    Args:
        place: the session's.
        launch: how: see ``tabwarden.surfaces.cli.options.LAUNCH``. They go through a pipe, as
            addresses may hold secrets, and what a process was called with can be seen by all.
        until: when to give up waiting, on ``time.monotonic()``.

    Raises:
        InvalidArgument, ...: what the daemon could not start with.
        LaunchFailed: it ended at once. BudgetExceeded: it is not there yet.
    """
    log, written = _log(place)
    # -P: nothing is imported from the folder that the command was called in.
    command = [sys.executable, "-P", "-m", "tabwarden.surfaces.daemon", place.session]
    with written:
        daemon = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=written,
            **_apart(),
        )
    assert daemon.stdin is not None
    assert daemon.stdout is not None
    try:
        with daemon.stdin as stdin:
            stdin.write(json.dumps(launch).encode())
    except BrokenPipeError:
        pass  # it has ended: what it said is read below
    line = _line(daemon.stdout, until)
    if line is None:
        daemon.returncode = 0  # left alone: it ends when it finds us gone
        raise BudgetExceeded(
            "The daemon was still starting when the time was over.",
            "Call again, and allow more time (--timeout-ms).",
        )
    if not line:
        status = daemon.wait()
        raise LaunchFailed(
            f"The daemon of session {place.session!r} could not be started (status {status}).",
            f"Its log says why: {log}.",
        )
    said = json.loads(line)
    if "error" in said:
        daemon.wait()
        raise _error(said["error"])
    daemon.stdout.close()
    daemon.returncode = 0  # it lives on without us


def _log(place: Place) -> tuple[Path, IO[bytes]]:
    """The log, to be appended to; beside the socket where the usual folder can't be written."""
    usual = log_file(place.session)
    try:
        usual.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return usual, _appended(usual)
    except OSError:
        other = Path(place.folder, f"{place.session}.log")
        return other, _appended(other)


def _appended(log: Path) -> IO[bytes]:
    if log.exists() and log.stat().st_size > _LONGEST_LOG:
        log.replace(log.with_suffix(".log.1"))
    return os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def _apart() -> dict[str, Any]:
    """A terminal that is closed, or its Ctrl-C, is no daemon's business."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
        return {"creationflags": flags}
    return {"start_new_session": True}


def _line(stdout: IO[bytes], until: float) -> bytes | None:
    """The first line of a process; b"": it has ended; None: it said nothing in time."""
    lines: list[bytes] = []
    reader = threading.Thread(target=lambda: lines.append(stdout.readline()), daemon=True)
    reader.start()
    reader.join(max(0.0, until - time.monotonic()))
    return lines[0] if lines else None


def _error(told: Mapping[str, Any]) -> TabwardenError:
    """The error that a daemon told as JSON."""
    kinds = {kind.code: kind for kind in TabwardenError.__subclasses__()}
    kind = kinds.get(told["code"], TabwardenError)
    return kind(told["message"], told["hint"], **told["data"])

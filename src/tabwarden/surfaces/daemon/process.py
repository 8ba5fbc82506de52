"""Start a daemon, a process that outlives the command, and kill a daemon that is not responding."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from platformdirs import user_state_path

from tabwarden.errors import BudgetExceeded, EndpointUnreachable, LaunchFailed, TabwardenError
from tabwarden.files.private_folder import make_private_folder
from tabwarden.surfaces.daemon.locks import FileLock
from tabwarden.surfaces.daemon.paths import SessionPaths

TERM_S = 15.0
"""How long to wait between SIGTERM and SIGKILL. The daemon closes its browser in this time."""
KILL_S = 5.0
"""How long a killed process may take to disappear."""

_LONGEST_LOG = 1_000_000


def log_file(session: str) -> Path:
    return user_state_path("tabwarden") / "daemon" / f"{session}.log"


def start(place: SessionPaths, launch: Mapping[str, Any], until: float) -> None:
    """Start a session's daemon and wait until it listens.

    Args:
        launch: the options (``LAUNCH`` in the command-line client). The daemon receives them
            through a pipe, because they may contain secrets, and all users can see a process's
            arguments.
        until: when to stop waiting, on the clock of ``time.monotonic()``.

    Raises:
        TabwardenError: the daemon reported an error, such as an invalid option.
        LaunchFailed: the daemon exited without a message.
        BudgetExceeded: the daemon is not ready yet.
    """
    log, written = _log(place)
    # -P keeps Python from importing modules from the current directory.
    command = [sys.executable, "-P", "-m", "tabwarden.surfaces.daemon", place.session]
    with written:
        daemon = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=written, **_apart()
        )
    assert daemon.stdin is not None
    assert daemon.stdout is not None
    try:
        with daemon.stdin as stdin:
            stdin.write(json.dumps(launch).encode())
    except BrokenPipeError:
        pass  # the daemon has exited; its output is read below
    line = _line(daemon.stdout, until)
    if line is None:
        daemon.returncode = 0  # avoids a warning: the daemon exits once its first write fails
        raise BudgetExceeded(
            "The time limit passed while the daemon was still starting.",
            "Retry with a longer time limit (--timeout-ms).",
        )
    if not line:
        status = daemon.wait()
        raise LaunchFailed(
            f"The daemon of session {place.session!r} could not be started (status {status}).",
            f"For the reason, see the log: {log}.",
        )
    message = json.loads(line)
    if "error" in message:
        daemon.wait()
        raise _error(message["error"])
    daemon.stdout.close()
    daemon.returncode = 0  # avoids a warning: the daemon outlives this process


def _log(place: SessionPaths) -> tuple[Path, IO[bytes]]:
    """Open the log for appending. If the default folder isn't writable, use the socket's folder."""
    usual = log_file(place.session)
    try:
        make_private_folder(usual.parent)
        return usual, _appended(usual)
    except OSError:
        other = Path(place.folder, f"{place.session}.log")
        return other, _appended(other)


def _appended(log: Path) -> IO[bytes]:
    if log.exists() and log.stat().st_size > _LONGEST_LOG:
        log.replace(log.with_suffix(".log.1"))
    return os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def _apart() -> dict[str, Any]:
    """Return options that detach the process from the terminal and its Ctrl-C."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
        return {"creationflags": flags}
    return {"start_new_session": True}


def _line(stdout: IO[bytes], until: float) -> bytes | None:
    """Return a process's first line of output; b"" if it exited; None on timeout."""
    lines: list[bytes] = []
    reader = threading.Thread(target=lambda: lines.append(stdout.readline()), daemon=True)
    reader.start()
    reader.join(max(0.0, until - time.monotonic()))
    return lines[0] if lines else None


def _error(error: Mapping[str, Any]) -> TabwardenError:
    """Recreate the error that a daemon sent as JSON."""
    kinds = {kind.code: kind for kind in TabwardenError.__subclasses__()}
    kind = kinds.get(error["code"], TabwardenError)
    return kind(error["message"], error["hint"], **error["data"])


def kill(pid: int, place: SessionPaths) -> None:
    """Terminate the daemon: the process ``pid``, which has the session's ``life`` lock.

    Raises:
        EndpointUnreachable: the process did not exit.
    """
    if sys.platform == "win32":
        steps = [([signal.SIGTERM], KILL_S)]
    else:
        steps = [([signal.SIGTERM, signal.SIGCONT], TERM_S), ([signal.SIGKILL], KILL_S)]
    for signals, wait_s in steps:
        for number in signals:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        lock = FileLock(place.life)
        if lock.take(time.monotonic() + wait_s):
            lock.release()
            return
    raise EndpointUnreachable(
        f"The daemon of session {place.session!r} (process {pid}) could not be killed.",
        "The process may be stuck in a system call. Inspect it with ps.",
    )

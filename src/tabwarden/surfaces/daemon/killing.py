"""Kill a daemon that does not answer. Its browser then exits too, because their pipe breaks."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress

from tabwarden.errors import EndpointUnreachable
from tabwarden.surfaces.daemon.locks import FileLock
from tabwarden.surfaces.daemon.paths import SessionPaths
from tabwarden.surfaces.daemon.timing import KILL_S, TERM_S


def kill(pid: int, place: SessionPaths) -> None:
    """End the daemon: the process ``pid``, which holds the session's ``life`` lock.

    Raises:
        EndpointUnreachable: the process did not end.
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
        "It may be stuck in a system call: inspect it with ps.",
    )

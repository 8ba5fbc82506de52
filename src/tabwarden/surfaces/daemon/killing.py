"""Ending a daemon that does not answer. Its browser, whose pipe breaks with it, ends too."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress

from tabwarden.errors import EndpointUnreachable
from tabwarden.surfaces.daemon.locks import FileLock
from tabwarden.surfaces.daemon.places import Place

__all__ = ["kill"]

_POLITE_S = 15.0
_FORCED_S = 5.0


def kill(pid: int, place: Place) -> None:
    """End the process that holds a session's life lock; politely first.

    Raises:
        EndpointUnreachable: it can't be ended.
    """
    if sys.platform == "win32":
        steps = [([signal.SIGTERM], _FORCED_S)]
    else:
        steps = [([signal.SIGTERM, signal.SIGCONT], _POLITE_S), ([signal.SIGKILL], _FORCED_S)]
    for signals, wait_s in steps:
        for number in signals:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        lock = FileLock(place.life)
        if lock.take(time.monotonic() + wait_s):
            lock.release()
            return
    raise EndpointUnreachable(
        f"The daemon of session {place.session!r} (process {pid}) can't be ended.",
        "It may be stuck in the system: look at it with ps.",
    )

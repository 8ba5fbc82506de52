"""How late the machine itself is: a process of its own that wants to wake up every few ms.

On a virtual machine whose processors others use, too, everything stands still now and then for as
long as a call may be late. What is measured there is told with how long this process stood still
meanwhile. It shares nothing with ours, so that what keeps us busy does not count for the machine's.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Metronome", "metronome"]

_BEAT_S = 0.004
_STILL_S = 0.001
"""Any wake is a little late."""
_KEPT = 2_000


class Metronome:
    """Made by ``metronome``."""

    def __init__(self, ends: Any, lasted: Any) -> None:
        self._ends, self._lasted = ends, lasted

    def stood_still_ms(self, since: float) -> float:
        """How much of the time since then (``time.monotonic()``) the machine stood still."""
        time.sleep(2 * _BEAT_S)  # it may be about to tell
        stills = zip(self._ends, self._lasted, strict=True)
        return 1000 * sum(min(lasted, end - since) for end, lasted in stills if end > since)


@contextmanager
def metronome() -> Iterator[Metronome]:
    """One that beats while this lasts."""
    context = multiprocessing.get_context("spawn")
    shared = [context.Array("d", _KEPT, lock=False) for _ in range(2)]
    process = context.Process(target=_beat, args=shared, daemon=True)
    process.start()
    try:
        yield Metronome(*shared)
    finally:
        process.kill()
        process.join()


def _beat(ends: Any, lasted: Any) -> None:
    count = 0
    while True:
        began = time.monotonic()
        time.sleep(_BEAT_S)
        now = time.monotonic()
        late = now - began - _BEAT_S
        if late > _STILL_S:
            lasted[count % _KEPT] = late
            ends[count % _KEPT] = now
            count += 1

"""How late the machine itself is: a process on each processor that wants to wake up every few ms.

On a virtual machine whose processors others use, too, each stands still now and then for as long as
a call may be late. What is measured there is told with how long they stood still meanwhile. These
processes share nothing with ours, so that what keeps us busy does not count for the machine's.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Metronome", "metronome"]

_BEAT_S = 0.004
_STILL_S = 0.005
"""A wake-up this late is normal on a busy processor."""
_KEPT = 2_000


class Metronome:
    """Created by ``metronome``."""

    def __init__(self, heard: list[tuple[Any, Any]]) -> None:
        self._heard = heard

    def stood_still_ms(self, since: float) -> float:
        """How much of the time since then (``time.monotonic()``) the processors stood still: all of
        them together, since each holds up one of those that work on the call."""
        time.sleep(2 * _BEAT_S)  # one may be about to report
        stills = [still for ends, lasted in self._heard for still in zip(ends, lasted, strict=True)]
        return 1000 * sum(min(lasted, end - since) for end, lasted in stills if end > since)


@contextmanager
def metronome() -> Iterator[Metronome]:
    """A metronome that runs during the block."""
    context = multiprocessing.get_context("spawn")
    heard, processes = [], []
    for processor in sorted(os.sched_getaffinity(0)):
        ends, lasted = (context.Array("d", _KEPT, lock=False) for _ in range(2))
        process = context.Process(target=_beat, args=(processor, ends, lasted), daemon=True)
        process.start()
        heard.append((ends, lasted))
        processes.append(process)
    try:
        yield Metronome(heard)
    finally:
        for process in processes:
            process.kill()
            process.join()


def _beat(processor: int, ends: Any, lasted: Any) -> None:
    os.sched_setaffinity(0, {processor})
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

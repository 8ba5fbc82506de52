"""How late the machine itself is: a process of its own that wants to wake up every few ms.

On a virtual machine whose processors others use, too, everything stops now and then for as long as
a call may be late. What is measured there is told with how late this process was meanwhile. It
shares nothing with ours, so that what keeps us busy does not count for the machine's fault.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Metronome", "metronome"]

_BEAT_S = 0.004


class Metronome:
    """Made by ``metronome``."""

    def __init__(self, late_ms: Any) -> None:
        self._late_ms = late_ms

    def begin(self) -> None:
        """Count from now on."""
        self._late_ms.value = 0.0

    def late_ms(self) -> float:
        """How late it was since then, at the most."""
        time.sleep(2 * _BEAT_S)  # it may be about to tell
        return float(self._late_ms.value)


@contextmanager
def metronome() -> Iterator[Metronome]:
    """One that beats while this lasts."""
    context = multiprocessing.get_context("spawn")
    late_ms = context.Value("d", 0.0, lock=False)
    process = context.Process(target=_beat, args=(late_ms,), daemon=True)
    process.start()
    try:
        yield Metronome(late_ms)
    finally:
        process.kill()
        process.join()


def _beat(late_ms: Any) -> None:
    while True:
        began = time.monotonic()
        time.sleep(_BEAT_S)
        late = (time.monotonic() - began - _BEAT_S) * 1000
        late_ms.value = max(late_ms.value, late)

"""Time limits that are derived from how slow this machine is while a test runs.

``in_time`` is for what Tabwarden promises: a call ends within its budget, and half a second on an
idle machine. While the block runs, a process of its own takes laps: it sleeps a little, then does a
fixed piece of work. Where a lap takes four times as long as on an idle machine, so may the half
second. What keeps us busy does not count as the machine's slowness: the laps are not ours.

``allow`` is for the time that a call needs to succeed, ``long_before`` for what must not wait for
all of a patience.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = [
    "OVERRUN_S",
    "allow",
    "in_time",
    "lately",
    "long_before",
    "patience_of_slow_machines",
    "slowness",
]

OVERRUN_S = 0.5
"""How much later than its budget a call may end on an idle machine (``docs/chaos.md``)."""
_REST_S = 0.02
_WORK = 250_000
"""The longest time that a busy machine gives a process without interruption."""
_IDLE_S = 0.006
"""A lap's duration on an idle machine of the kind on which the half second was measured."""
_FEWEST_LAPS = 8
_LATELY_S = 20.0
_LONGEST_MS = 60_000.0
"""A test is limited to 120 s."""
_PATIENCE = "TABWARDEN_BROWSER__HANG_PATIENCE"
_IS_SLOW = 1.5
_MOST_PATIENT = 4.0
"""An unrecoverable page costs some seconds per unit of slowness."""

_last = (0.0, 1.0)
"""The time of the last slowness measurement, and its value."""


@contextmanager
def in_time(promise_s: float, overrun_s: float = OVERRUN_S) -> Iterator[None]:
    """Fail if the block takes longer than this plus, at this machine's pace, ``overrun_s``."""
    with _laps() as laps:
        began = time.monotonic()
        yield
        took_s = time.monotonic() - began
        if took_s > promise_s + overrun_s:
            times = max(_last[1], _told(laps))
            limit_s = promise_s + overrun_s * times
            assert took_s <= limit_s, (
                f"{took_s:.2f} s instead of {promise_s:g}: more than {limit_s:.2f} s,"
                f" on a machine that is {times:.1f} times as slow as an idle one"
            )


@contextmanager
def long_before(patience_s: float) -> Iterator[None]:
    """Fail if the block takes half of a time that it must not wait for."""
    began = time.monotonic()
    yield
    took_s = time.monotonic() - began
    assert took_s < patience_s / 2, f"{took_s:.2f} s, where {patience_s:g} s is to wait in vain"


def allow(ms: float) -> float:
    """A call's ``timeout_ms`` that is long enough on an idle machine, at this machine's pace."""
    return min(ms * lately(), max(ms, _LONGEST_MS))


@contextmanager
def patience_of_slow_machines(*, wanted: bool = True) -> Iterator[None]:
    """On a slow machine, browsers get the setting that users of slow machines have: no page may
    count as hung because something else has the processors."""
    if not wanted or _PATIENCE in os.environ or (times := lately()) < _IS_SLOW:
        yield
        return
    os.environ[_PATIENCE] = f"{min(times, _MOST_PATIENT):.1f}"
    try:
        yield
    finally:
        del os.environ[_PATIENCE]


def slowness() -> float:
    """How many times longer work takes here now than on an idle machine: at least 1."""
    global _last
    with _laps() as laps:
        _last = (time.monotonic(), _told(laps))
    return _last[1]


def lately() -> float:
    """``slowness``, measured again if the last value is old."""
    return _last[1] if _last[0] > time.monotonic() - _LATELY_S else slowness()


@contextmanager
def _laps() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-I", "-S", __file__],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as laps:  # fmt: skip
        try:
            yield laps
        finally:
            laps.kill()


def _told(laps: subprocess.Popen[bytes]) -> float:
    said, _ = laps.communicate()  # closes its stdin
    return max(1.0, float(said))


def _take_laps() -> None:
    """Until stdin is closed; then say what the slower half took, in times of an idle machine's."""
    took: list[float] = []
    while len(took) < _FEWEST_LAPS or not select.select([sys.stdin], [], [], 0)[0]:
        due = time.monotonic() + _REST_S
        time.sleep(_REST_S)
        sum(range(_WORK))
        took.append(time.monotonic() - due)
    slower = sorted(took)[len(took) // 2 :]
    sys.stdout.write(str(sum(slower) / len(slower) / _IDLE_S))


if __name__ == "__main__":
    _take_laps()

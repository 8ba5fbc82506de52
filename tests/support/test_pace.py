"""Limits that grow with the machine's slowness, and only with that."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest

from support.pace import in_time, long_before, slowness


@pytest.mark.long
def test_time_limit_fails_with_a_reason_only_if_its_block_is_too_slow() -> None:
    with in_time(0.0, 60.0):
        pass
    with pytest.raises(AssertionError, match="times as slow as"), in_time(0.0, 0.001):
        time.sleep(2)
    with pytest.raises(AssertionError, match="to wait in vain"), long_before(0.2):
        time.sleep(0.1)


def test_in_time_does_not_mask_an_error_raised_in_its_block() -> None:
    with pytest.raises(KeyError), in_time(0.0, 0.0):
        raise KeyError


def test_slowness_factor_rises_while_other_processes_use_the_cpu() -> None:
    with ExitStack() as busy:
        for _ in range(4 * len(os.sched_getaffinity(0))):
            loop = busy.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            busy.callback(loop.kill)
        assert slowness() > 2


@pytest.mark.long
def test_own_cpu_work_does_not_extend_a_time_limit() -> None:
    with pytest.raises(AssertionError, match="times as slow as"), in_time(0.0, 0.001):
        sum(range(100_000_000))

"""How many browsers a machine can run."""

from __future__ import annotations

import os

from tabwarden.fleet.hosting import default_max_tasks
from tabwarden.fleet.hosting.capacity import tasks_for


def test_default_max_tasks_follows_the_scarcer_of_memory_and_processors() -> None:
    assert tasks_for(free_mb=4_000, processors=16) == 10
    assert tasks_for(free_mb=64_000, processors=2) == 8
    assert tasks_for(free_mb=None, processors=2) == 8


def test_default_max_tasks_is_at_least_one() -> None:
    assert tasks_for(free_mb=0, processors=4) == 1
    assert tasks_for(free_mb=399, processors=None) == 1
    assert tasks_for(free_mb=None, processors=None) == 4


def test_default_max_tasks_is_plausible_on_this_machine() -> None:
    assert 1 <= default_max_tasks() <= (os.cpu_count() or 1) * 4

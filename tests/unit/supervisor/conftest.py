"""Makes the builders importable, and names the Hypothesis profiles."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).resolve().parent))

from machine_kit import Play
from memory_wire import MemoryWire
from support.fuzzing import FUZZ

settings.register_profile(
    "supervisor",
    max_examples=FUZZ or 250,
    stateful_step_count=60,
    deadline=None,
    derandomize=not FUZZ,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.fixture
def play() -> Play:
    """A connected machine with nothing attached."""
    return Play.connected()


@pytest.fixture
def one_tab() -> Play:
    """A connected machine with one ready tab: t1, target T1, session S1, at https://a.test/."""
    play = Play.connected()
    play.open_page()
    return play


@pytest.fixture
def wire() -> MemoryWire:
    """A browser made of tables: what a driver writes to and hears from."""
    return MemoryWire()

"""A state machine for tests, and the Hypothesis profile of its random histories."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from support.cases import ALL
from support.fuzzing import FUZZ
from support.machine_kit import Play

settings.register_profile(
    "supervisor",
    max_examples=FUZZ or (400 if ALL else 30),
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

"""Connections that break immediately share one budget; stable ones get a new one each."""

from __future__ import annotations

import pytest

from tabwarden.supervisor.link.backoff import ReconnectLimit


def test_backoff_retries_a_repeatedly_lost_connection_more_slowly_and_then_stops() -> None:
    flapping, now, pauses = ReconnectLimit(), 100.0, []
    while not flapping.lost(now):
        pauses.append(flapping.pause_s)
        now += flapping.pause_s + 0.1
        flapping.regained(now)
        now += 0.1
    assert 30 <= now - 100 < 35
    assert pauses[0] == 0
    assert pauses == sorted(pauses)
    assert pauses[-1] == 3.0


@pytest.mark.parametrize("told_when_it_was_made", [True, False])
def test_stable_connection_resets_the_backoff(told_when_it_was_made: bool) -> None:
    flapping, now = ReconnectLimit(), 100.0
    if told_when_it_was_made:
        flapping.regained(now)
    for _ in range(50):
        assert not flapping.lost(now)
        assert flapping.pause_s == 0
        flapping.regained(now)
        now += 2.5

"""The history checker finds each planted fault, and none in a valid history."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.fleet_history import Acquired, Event, History, Owned, Released, Used, violations


def acquired(generation: int, host: str, at: float, *, took: float = 0.1, task: str = "t") -> Event:
    return Acquired(
        task=task, generation=generation, host_id=host, asked_at=at, answered_at=at + took
    )


def owned(
    generation: int, host: str, since: float, until: float | None, *, task: str = "t"
) -> Event:
    return Owned(task=task, generation=generation, host_id=host, since=since, until=until)


def used(
    generation: int, host: str, at: float, *, took: float = 0.1, accepted: bool = True
) -> Event:
    return Used(
        task="t",
        generation=generation,
        host_id=host,
        asked_at=at,
        answered_at=at + took,
        accepted=accepted,
    )


GOOD: list[Event] = [
    acquired(1, "a", 0.0),
    owned(1, "a", 0.2, 2.5),
    used(1, "a", 1.0),
    used(1, "a", 0.15),  # it waited for the browser
    used(1, "a", 2.45, took=1.0),  # the host acted in time and answered late
    used(1, "a", 3.0, accepted=False),
    acquired(3, "b", 0.5, took=3.0),  # it waited until the first lease had run out
    acquired(2, "a", 0.4, task="other"),
    owned(3, "b", 3.0, None),
    used(3, "b", 4.0),
    acquired(3, "b", 4.0),  # a second client of the task
    Released(task="t", generation=3, asked_at=5.0, answered_at=5.1),
    acquired(3, "b", 5.05),  # asked before the release was answered
]


def test_history_checker_finds_no_faults_in_a_valid_history() -> None:
    assert violations(History(GOOD)) == []


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ([owned(4, "c", 3.5, 3.6)], "t: two owners from 3.500 to 3.600: b as 3, and c as 4"),
        ([owned(3, "c", 3.5, 3.6)], "generation 3 is t on b, and t on c"),
        ([owned(2, "a", 2.0, 2.2)], "t: two owners from 2.000 to 2.200: a as 1, and a as 2"),
        ([owned(1, "a", 9.0, 9.5)], "t: a began 1 after 3"),
        ([acquired(3, "b", 6.0, task="other")], "generation 3 is t on b, and other on b"),
        ([acquired(3, "b", 6.0)], "t: 3 was given at 6.000, after it was released"),
        ([acquired(1, "a", 4.5)], "t: 1 was given at 4.500, after 3"),
        ([used(1, "a", 3.5)], "t: a acted on the old generation 1 at 3.500"),
        ([used(1, "a", 2.6, took=0.1)], "t: a acted on 1 without its lease at 2.600"),
        ([used(3, "b", 2.6, took=0.1)], "t: b acted on 3 without its lease at 2.600"),
    ],
)
def test_history_checker_finds_each_planted_fault(planted: list[Event], told: str) -> None:
    assert told in violations(History([*GOOD, *planted]))


def test_history_merges_the_files_of_several_processes(tmp_path: Path) -> None:
    History(GOOD[:4]).write(tmp_path / "a.jsonl")
    History(GOOD[4:]).write(tmp_path / "b.jsonl")
    assert History.read(tmp_path / "a.jsonl", tmp_path / "b.jsonl").events == GOOD

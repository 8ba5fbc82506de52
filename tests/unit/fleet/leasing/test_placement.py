"""A task's host: one with a prelaunched browser, or the one with the most free slots."""

from __future__ import annotations

import pytest

from tabwarden.fleet.leasing.placement import Place, Ranking


def place(
    host_id: str,
    *,
    free: int = 2,
    max_tasks: int = 4,
    warm: int = 0,
    free_memory_mb: int | None = None,
    is_late: bool = False,
) -> Place:
    return Place(
        host_id=host_id,
        free=free,
        max_tasks=max_tasks,
        warm=warm,
        free_memory_mb=free_memory_mb,
        placed=0,
        is_late=is_late,
    )


@pytest.mark.parametrize(
    ("places", "taken"),
    [
        ([], [None]),
        ([place("a", free=0)], [None]),
        ([place("a", free=1), place("b", free=2)], ["b", "a", "b", None]),
        ([place("a", free=4, max_tasks=16), place("b", free=2)], ["b", "a", "b", "a", "a"]),
        ([place("a"), place("b", free=1, warm=1)], ["b", "a", "a", None]),
        ([place("a"), place("b", warm=1)], ["b", "a", "a", "b", None]),
        ([place("b"), place("a")], ["a", "b", "a", "b", None]),
        ([place("a", warm=1, is_late=True), place("b", free=1)], ["b", "a", "a", None]),
        ([place("a", free_memory_mb=511), place("b", free=1)], ["b", None]),
        # 950 MB allow three browsers of 200 MB each before less than 512 MB are free.
        ([place("a", free=9, free_memory_mb=950)], ["a", "a", "a", None]),
    ],
)
def test_placement_prefers_hosts_with_prelaunched_browsers_and_fewer_tasks(
    places: list[Place], taken: list[str | None]
) -> None:
    ranking = Ranking(places, min_free_memory_mb=512)
    assert [ranking.take() for _ in taken] == taken

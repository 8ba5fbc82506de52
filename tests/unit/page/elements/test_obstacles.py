"""How long to wait for an obstacle."""

from __future__ import annotations

import pytest

from tabwarden.page.elements.obstacles import Obstacle, obstacle_of, patience_ms


@pytest.mark.parametrize(
    ("obstacle", "waited_ms", "left_ms"),
    [
        (Obstacle(), 0, 1_000),
        (Obstacle(), 1_000, 0),
        (Obstacle(busy=True, is_opened=True), 1_000, 4_000),
        (Obstacle(fades=True, is_closable=True), 1_000, 4_000),
        (Obstacle(is_opened=True, covers=True, age_ms=0), 0, 0),
        (Obstacle(is_closable=True, covers=True, age_ms=0), 0, 0),
        (Obstacle(covers=True, age_ms=3_500), 1_600, 3_400),
        (Obstacle(covers=True, age_ms=3_500), 1_000, 0),
        (Obstacle(age_ms=500), 0, 1_500),
    ],
)
def test_obstacle_wait_time_depends_on_the_kind_of_obstacle(
    obstacle: Obstacle, waited_ms: float, left_ms: float
) -> None:
    assert patience_ms(obstacle, waited_ms) == left_ms


@pytest.mark.parametrize(("document_ms", "left_ms"), [(9_000, 4_000), (11_000, 0)])
def test_pending_requests_extend_the_obstacle_wait_only_on_a_new_page(
    document_ms: float, left_ms: float
) -> None:
    obstacle = Obstacle(document_ms=document_ms)
    assert patience_ms(obstacle, 1_000, requests=True) == left_ms


@pytest.mark.parametrize(
    ("name", "is_closable"), [("Accept all", True), ("OK", True), ("Read more", False)]
)
def test_obstacle_is_closable_only_with_a_button_such_as_accept(
    name: str, is_closable: bool
) -> None:
    hit = {"by": {"buttons": [{"name": name}]}}
    assert obstacle_of(hit).is_closable is is_closable

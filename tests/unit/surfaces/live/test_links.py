"""Links to the live view, and the views that they become."""

from __future__ import annotations

from tabwarden.surfaces.live.links import Links, Scope
from tabwarden.surfaces.live.timing import LINK_S, VIEW_S


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_link_works_once() -> None:
    links = Links()
    token = links.create(Scope(task="a", read_only=True))
    view = links.enter(token)
    assert view is not None
    assert view.scope == Scope(task="a", read_only=True)
    assert links.enter(token) is None


def test_a_link_works_for_a_short_time() -> None:
    clock = Clock()
    links = Links(clock)
    token = links.create(Scope())
    clock.now += LINK_S + 1
    assert links.enter(token) is None


def test_a_view_needs_both_secrets_and_lasts_while_it_is_used() -> None:
    clock = Clock()
    links = Links(clock)
    view = links.enter(links.create(Scope()))
    assert view is not None
    assert links.scope_of(view.cookie, "other") is None
    assert links.scope_of("other", view.key) is None
    for _ in range(3):
        clock.now += VIEW_S - 1
        assert links.scope_of(view.cookie, view.key) == Scope()
    clock.now += VIEW_S + 1
    assert links.scope_of(view.cookie, view.key) is None


def test_a_view_ends() -> None:
    links = Links()
    view = links.enter(links.create(Scope()))
    assert view is not None
    links.leave(view.cookie)
    assert links.scope_of(view.cookie, view.key) is None


def test_links_are_bounded() -> None:
    links = Links()
    first = links.create(Scope())
    for _ in range(300):
        last = links.create(Scope())
    assert links.enter(first) is None
    assert links.enter(last) is not None

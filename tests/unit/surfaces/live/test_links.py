"""Links to the live view, and the logins that they become."""

from __future__ import annotations

from tabwarden.surfaces.live.links import Links, Scope
from tabwarden.surfaces.live.timing import LINK_S, LOGIN_S


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_link_works_once() -> None:
    links = Links()
    token = links.create(Scope(task="a", read_only=True))
    login = links.enter(token)
    assert login is not None
    assert login.scope == Scope(task="a", read_only=True)
    assert links.enter(token) is None


def test_a_link_works_for_a_short_time() -> None:
    clock = Clock()
    links = Links(clock)
    token = links.create(Scope())
    clock.now += LINK_S + 1
    assert links.enter(token) is None


def test_a_login_needs_both_secrets_and_lasts_from_its_link() -> None:
    clock = Clock()
    links = Links(clock)
    login = links.enter(links.create(Scope()))
    assert login is not None
    assert links.scope_of(login.cookie, "other") is None
    assert links.scope_of("other", login.key) is None
    clock.now += LOGIN_S - 1
    assert links.scope_of(login.cookie, login.key) == Scope()
    clock.now += 2
    assert links.scope_of(login.cookie, login.key) is None


def test_links_are_bounded() -> None:
    links = Links()
    first = links.create(Scope())
    for _ in range(300):
        last = links.create(Scope())
    assert links.enter(first) is None
    assert links.enter(last) is not None

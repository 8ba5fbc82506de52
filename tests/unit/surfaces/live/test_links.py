"""Links to the live view, and the logins that they create."""

from __future__ import annotations

from typing import Any

import pytest

from tabwarden.config import Permission
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.principal import OPERATOR, Principal
from tabwarden.surfaces.live.live import LINK_S, LOGIN_S, Links, Scope, scope_of


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_live_view_link_works_once() -> None:
    links = Links()
    token = links.create(Scope(task="a", read_only=True))
    login = links.enter(token)
    assert login is not None
    assert login.scope == Scope(task="a", read_only=True)
    assert links.enter(token) is None


def test_live_view_link_expires_after_a_short_time() -> None:
    clock = Clock()
    links = Links(clock)
    token = links.create(Scope())
    clock.now += LINK_S + 1
    assert links.enter(token) is None


def test_live_view_login_requires_both_secrets_and_expires() -> None:
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


def test_number_of_live_view_links_is_limited() -> None:
    links = Links()
    first = links.create(Scope())
    for _ in range(300):
        last = links.create(Scope())
    assert links.enter(first) is None
    assert links.enter(last) is not None


@pytest.mark.threat
def test_tenants_live_view_links_and_logins_displace_only_its_own() -> None:
    links = Links()
    unused = links.create(Scope())
    others = links.create(Scope(tenant="other"))
    login = links.enter(links.create(Scope()))
    first = links.create(Scope(tenant="acme"))
    for _ in range(300):
        assert links.enter(links.create(Scope(tenant="acme"))) is not None
        links.create(Scope(tenant="acme"))
    assert links.enter(first) is None
    assert login is not None
    assert links.scope_of(login.cookie, login.key) == Scope()
    assert links.enter(unused) is not None
    assert links.enter(others) is not None


@pytest.mark.threat
def test_live_view_link_and_its_logins_end_with_the_token_that_created_them() -> None:
    valid = [True]
    links = Links()
    unused = links.create(Scope(), lambda: valid[0])
    login = links.enter(links.create(Scope(), lambda: valid[0]))
    others = links.enter(links.create(Scope()))
    assert login is not None
    assert others is not None
    assert links.scope_of(login.cookie, login.key) == Scope()
    assert links.validity_of(login.cookie)()
    valid[0] = False
    assert links.enter(unused) is None
    assert links.scope_of(login.cookie, login.key) is None
    assert not links.validity_of(login.cookie)()
    assert links.scope_of(others.cookie, others.key) == Scope()


def principal(*permissions: Permission, tenant: str | None = "acme") -> Principal:
    return Principal(name="it", tenant=tenant, permissions=frozenset(permissions))


@pytest.mark.parametrize(
    ("asked", "scope"),
    [
        ({}, Scope(tenant="acme")),
        ({"task": "a3"}, Scope(task="acme~a3", tenant="acme")),
        ({"name": "Ann"}, Scope(tenant="acme", name="Ann")),
        ({"read_only": True}, Scope(tenant="acme", read_only=True)),
    ],
)
def test_tenant_can_create_live_view_links_to_its_own_tasks(
    asked: dict[str, Any], scope: Scope
) -> None:
    assert scope_of(asked, principal("live", "act")) == scope


@pytest.mark.threat
def test_tenants_link_cannot_show_other_tenants_tasks_or_exceed_its_permissions() -> None:
    with pytest.raises(InvalidArgument):
        scope_of({"task": "other~a3"}, principal("live", "act"))
    assert scope_of({"read_only": False}, principal("live", "read")).read_only


def test_operators_live_view_link_can_show_every_task() -> None:
    assert scope_of({"task": "acme~a3"}, OPERATOR) == Scope(task="acme~a3")
    assert scope_of({}, OPERATOR) == Scope()


@pytest.mark.threat
@pytest.mark.parametrize(
    "given",
    [
        {"tasks": "a1"},
        {"tenant": "other"},
        {"readonly": True},
        {"read_only": "yes"},
        {"read_only": 1},
        {"read_only": None},
        {"task": 1},
        {"task": ["a1"]},
        {"name": {}},
    ],
)
def test_link_request_with_a_misspelled_field_is_rejected(given: dict[str, object]) -> None:
    """Its defaults would show all tasks, with control."""
    with pytest.raises(InvalidArgument) as refused:
        scope_of(given, OPERATOR)
    assert next(iter(given)) in refused.value.message

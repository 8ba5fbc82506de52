"""The tokens of screencasts."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tabwarden.surfaces.http import screencast
from tabwarden.surfaces.http.screencast import Ticket, Tickets


def ticket(tenant: str | None) -> Ticket:
    return Ticket(cast(Any, None), "t1", 1280, tenant, lambda: True)


def test_screencast_token_works_once() -> None:
    tickets = Tickets()
    token = tickets.issue(ticket("a"))
    assert tickets.redeem(token) is not None
    assert tickets.redeem(token) is None


def test_screencast_token_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screencast, "TICKET_S", 0.0)
    tickets = Tickets()
    assert tickets.redeem(tickets.issue(ticket(None))) is None


def test_tenants_screencast_tokens_displace_only_its_own_tokens() -> None:
    tickets = Tickets()
    others = [tickets.issue(ticket(tenant)) for tenant in (None, "b")]
    own = [tickets.issue(ticket("a")) for _ in range(300)]
    kept = [token for token in own if tickets.redeem(token) is not None]
    assert kept == own[-200:]
    assert all(tickets.redeem(token) is not None for token in others)

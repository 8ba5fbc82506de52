"""Helpers for tests of hosted browsers."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest

from support.providers import APIS, Gate, Provider
from tabwarden.budget import Budget
from tabwarden.endpoints import OpenedEndpoint
from tabwarden.errors import TabwardenError
from tabwarden.wire import Connection, Wire

__all__ = ["asked", "end", "failure", "stub"]


def stub(scheme: str, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Provider:
    """A stub of a provider that environment variables select."""
    provider = Provider(APIS[scheme], gate)
    for name, value in provider.environment.items():
        monkeypatch.setenv(name, value)
    return provider


async def asked(wire: Wire) -> bool:
    """Whether a browser responds there."""
    connection = Connection(wire, lambda event: None, lambda reason: None)
    connection.start()
    reply = await connection.call("Browser.getVersion")
    return reply.result is not None


async def end(opened: OpenedEndpoint) -> None:
    """Connect like a supervisor."""
    await opened.wire.aclose()
    await opened.end(Budget(5_000))


async def failure(opening: Awaitable[object]) -> TabwardenError:
    """The error that it raises."""
    with pytest.raises(TabwardenError) as caught:
        await opening
    return caught.value

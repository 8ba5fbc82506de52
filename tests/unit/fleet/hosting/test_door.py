"""Clients without a ticket cannot lock out clients with one."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tabwarden.fleet.hosting.host import fresh_certificate
from tabwarden.fleet.hosting.hosted_task import HostedTask, TaskOver
from tabwarden.fleet.hosting.relay import Relay
from tabwarden.fleet.relaying.handshake import path_of, ticket_for

pytestmark = pytest.mark.anyio

KEY = b"key"
MOST = 8


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Started:
    """A relay whose clients wait until ``goes_on``, and then learn that the lease is over."""

    def __init__(self) -> None:
        self.asked, self.goes_on = asyncio.Event(), asyncio.Event()
        context = fresh_certificate().context
        self.relay = Relay("127.0.0.1", context, KEY, self._admit, lambda task: True)
        self.url = ""
        self._writers: list[asyncio.StreamWriter] = []

    async def _admit(self, task: str, generation: int) -> HostedTask:
        self.asked.set()
        await self.goes_on.wait()
        raise TaskOver(generation, "it is over")

    async def silent(self, count: int) -> list[asyncio.StreamReader]:
        """Open this many connections, and send nothing."""
        port = int(self.url.rpartition(":")[2])
        pairs = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
        self._writers += [writer for _, writer in pairs]
        return [reader for reader, _ in pairs]

    async def end(self) -> None:
        for writer in self._writers:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        await self.relay.close()

    async def answer(self) -> int:
        """The status that a client with a ticket gets."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        headers = {"Authorization": f"Bearer {ticket_for(KEY, 'a', 1)}"}
        url = self.url + path_of("browser", "a", 1)
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, ssl=context, additional_headers=headers)
        return refused.value.response.status_code


@pytest.fixture
async def started(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Started]:
    monkeypatch.setattr("tabwarden.fleet.hosting.relay.MOST_WAITING", MOST)
    started = Started()
    started.url = await started.relay.start()
    yield started
    await started.end()


@pytest.mark.threat
async def test_relay_closes_the_oldest_connection_without_a_ticket_beyond_the_limit(
    started: Started,
) -> None:
    started.goes_on.set()
    silent = await started.silent(MOST + 3)
    async with asyncio.timeout(20):
        assert [await reader.read() for reader in silent[:3]] == [b""] * 3
    assert await started.answer() == 410
    assert not any(reader.at_eof() for reader in silent[4:])


@pytest.mark.threat
async def test_connections_without_tickets_do_not_displace_a_client_with_a_ticket(
    started: Started,
) -> None:
    answer = asyncio.create_task(started.answer())
    await started.asked.wait()
    silent = await started.silent(MOST * 2)
    async with asyncio.timeout(20):
        assert await silent[0].read() == b""
    started.goes_on.set()
    assert await answer == 410


@pytest.mark.threat
async def test_relay_closes_an_idle_connection_after_the_handshake_timeout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tabwarden.fleet.hosting.relay.HANDSHAKE_S", 0.2)
    started = Started()
    started.url = await started.relay.start()
    [silent] = await started.silent(1)
    async with asyncio.timeout(20):
        assert await silent.read() == b""
    await started.end()

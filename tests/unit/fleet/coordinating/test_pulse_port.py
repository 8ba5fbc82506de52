"""Packets to the coordinator's pulse port get no unauthorized answer and block nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest
from support.memory_store import MemoryStore

from tabwarden.fleet.coordinating import Coordinator
from tabwarden.fleet.coordinating.pulse_port import PulsePort
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.fleet.leasing.values import Heartbeat, Host, Load
from tabwarden.fleet.watchdog import answer, pulse, pulse_key

pytestmark = pytest.mark.anyio

KEY = pulse_key(b"key")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def host() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as host:
        host.setblocking(False)
        yield host


def sent(host: socket.socket, port: PulsePort, count: int) -> None:
    address, _, number = port.address.rpartition(":")
    for _ in range(count):
        host.sendto(b"x", (address, int(number)))


@pytest.mark.threat
async def test_flood_of_pulses_does_not_block_the_event_loop(host: socket.socket) -> None:
    taken: list[bytes] = []
    others: list[int] = []
    loop, all_taken = asyncio.get_running_loop(), asyncio.Event()

    def take(data: bytes) -> None:
        if not taken:
            loop.call_soon(lambda: others.append(len(taken)))
        taken.append(data)
        if len(taken) == 200:
            all_taken.set()

    port = PulsePort("127.0.0.1", take)
    sent(host, port, 200)
    async with asyncio.timeout(20):
        await all_taken.wait()
    assert others[0] <= 50
    port.close()


@pytest.mark.threat
async def test_pulse_port_reads_all_received_pulses(host: socket.socket) -> None:
    taken: list[bytes] = []
    port = PulsePort("127.0.0.1", lambda data: taken.append(data))
    sent(host, port, 200)
    port.read()
    assert len(taken) == 200
    port.close()


@pytest.mark.threat
async def test_coordinator_answers_only_new_valid_pulses_with_smaller_packets() -> None:
    coordinator = Coordinator(MemoryStore(), TableSettings())
    await coordinator.start()
    for name in ("n1", "a b", "n2"):
        await coordinator.register(
            Host(host_id=name, node=name, url="", certificate="", ticket_key=b"key", max_tasks=1)
        )
    for name in ("n1", "a b"):
        await coordinator.heartbeat(
            Heartbeat(host_id=name, number=1, load=Load(), running=[], ended=[])
        )
    right = pulse(KEY, "n1", 3)
    mac = right.split()[-1].decode()
    wrong = [
        b"", b" ", b"  ", b"\xff" * 1_000, b"x" * 1_000, b"n1 3", right[:-1], right + b"0",
        right + b"\n", b" " + right, right.upper(), pulse(pulse_key(b"other"), "n1", 3),
        pulse(KEY, "n1", -3), pulse(KEY, "n9", 3), pulse(KEY, "n" * 900, 3), answer(KEY, 3),
        pulse(KEY, "n2", 3),  # the coordinator does not know yet what it runs
        *(f"n1 {number} {mac}".encode() for number in ("+3", "03", "٣", "3_0", "9" * 900, "3.0")),
    ]  # fmt: skip
    assert [data for data in wrong if coordinator.pulse(data) is not None] == []
    for question in (right, pulse(KEY, "n1", 5), pulse(KEY, "a b", 1)):
        answering = coordinator.pulse(question)
        assert answering is not None
        assert len(await answering) < len(question)
        assert coordinator.pulse(question) is None, "it comes again"
    assert coordinator.pulse(pulse(KEY, "n1", 4)) is None, "a newer one came before it"

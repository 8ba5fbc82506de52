"""The egress proxy: it forwards allowed bytes unchanged, and nothing else."""

from __future__ import annotations

import asyncio
import os
import random
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from typing import Any

import pytest
from support.canary import Only, request
from support.eventually import eventually_async
from support.needs import needs

from tabwarden.egress import proxy as proxies
from tabwarden.egress.addresses import Address
from tabwarden.egress.gate import Gate, NetworkPolicy, Why
from tabwarden.egress.origins import Place
from tabwarden.egress.outside import Outside, is_this_machine
from tabwarden.egress.proxy import EgressProxy, Failure

pytestmark = pytest.mark.anyio

PUBLIC = "93.184.216.34"
CLAIM = """import sys
from tabwarden.own_ports import PortClaim
with PortClaim(%d):
    print(flush=True)
    sys.stdin.read()
"""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    writer.close()


class Setup:
    """A proxy, and one server in place of the whole internet."""

    def __init__(self, proxy: EgressProxy, outside: Only) -> None:
        self.proxy, self.outside = proxy, outside
        self.failures: list[Failure] = []
        proxy.judge = Gate()
        proxy.on_failed = self.failures.append

    async def greeted(self) -> Streams:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.proxy.port)
        writer.write(b"\x05\x01\x00")
        assert await reader.readexactly(2) == b"\x05\x00"
        return reader, writer

    async def asked(self, host: str = PUBLIC, port: int = 80) -> tuple[int, Streams]:
        reader, writer = await self.greeted()
        writer.write(request(host, port))
        answer = await reader.readexactly(10)
        return answer[1], (reader, writer)

    async def connected(self, host: str = PUBLIC, port: int = 80) -> Streams:
        code, streams = await self.asked(host, port)
        assert code == 0
        return streams


@asynccontextmanager
async def setup(serve: Serve = echo) -> AsyncIterator[Setup]:
    """At the end the proxy has no tasks and no sockets."""
    before = len(os.listdir("/proc/self/fd"))
    tasks = asyncio.all_tasks()
    serving: set[asyncio.Task[Any]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            await serve(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    canary = await asyncio.start_server(handle, "127.0.0.1", 0)
    outside = Only(canary.sockets[0].getsockname()[1])
    proxy = await EgressProxy.start(outside)
    try:
        yield Setup(proxy, outside)
    finally:
        await proxy.aclose()
        assert proxy.open_tunnels == 0
        canary.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
    # Sockets close in later turns of the event loop.
    await eventually_async(
        lambda: len(os.listdir("/proc/self/fd")) <= before and not asyncio.all_tasks() - tasks
    )


async def closed(streams: Streams) -> None:
    """Wait until the peer has closed the connection, and close it too."""
    reader, writer = streams
    try:
        async with asyncio.timeout(60):
            while await reader.read(65_536):
                pass
    except ConnectionError:
        pass
    writer.close()


async def test_proxy_forwards_bytes_unchanged_in_both_directions() -> None:
    payload = random.Random(7).randbytes(3_000_000)
    async with setup() as it:
        reader, writer = await it.connected()
        writer.write(payload)
        assert await reader.readexactly(len(payload)) == payload
        writer.close()
        assert it.outside.dialled == [(Place(PUBLIC, 80), (PUBLIC,))]


async def test_proxy_forwards_a_half_close_and_the_servers_response() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.read()  # to the end
        writer.write(b"answer to " + asked)

    async with setup(serve) as it:
        reader, writer = await it.connected()
        writer.write(b"question")
        writer.write_eof()
        assert await reader.read() == b"answer to question"
        writer.close()


async def test_proxy_forwards_data_from_a_server_that_sends_first() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        await reader.read()

    async with setup(serve) as it:
        for _ in range(20):
            reader, writer = await it.connected()
            assert await reader.readline() == b"220 hello\r\n"
            writer.close()


async def test_proxy_resets_the_browser_connection_when_the_server_resets() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        writer.write(b"HTTP/1.1 200 OK\r\n")
        await writer.drain()
        await reader.readexactly(1)
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        writer.transport.abort()

    async with setup(serve) as it:
        reader, writer = await it.connected()
        writer.write(b"1")
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        writer.write(b"2")
        with pytest.raises(ConnectionResetError):
            await reader.read()
        writer.close()


async def test_proxy_closes_the_server_connection_when_the_browser_closes() -> None:
    over = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _ = writer
        await reader.read()
        over.set()

    async with setup(serve) as it:
        _, writer = await it.connected()
        writer.close()
        async with asyncio.timeout(60):
            await over.wait()


async def test_slow_reader_slows_only_its_own_proxy_tunnel() -> None:
    sent = 0
    full = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        word = await reader.readexactly(1)
        if word == b"e":
            writer.write(b"e")
            await reader.read()
            return
        while sent < 100_000_000:
            writer.write(b"x" * 100_000)
            try:
                async with asyncio.timeout(0.3):
                    await writer.drain()
            except TimeoutError:
                full.set()
                await writer.drain()
            sent += 100_000

    async with setup(serve) as it:
        slow = await it.connected()
        slow[1].write(b"s")
        slow[1].transport.pause_reading()  # type: ignore[attr-defined]
        async with asyncio.timeout(60):
            await full.wait()
        assert sent < 60_000_000
        reader, writer = await it.connected()
        writer.write(b"e")
        assert await reader.readexactly(1) == b"e"
        writer.close()
        slow[1].transport.abort()


async def test_proxy_serves_a_hundred_concurrent_tunnels() -> None:
    async def talk(it: Setup, number: int) -> None:
        reader, writer = await it.connected(port=1000 + number)
        payload = bytes([number]) * 20_000
        for _ in range(3):
            writer.write(payload)
            assert await reader.readexactly(len(payload)) == payload
        writer.close()

    async with setup() as it:
        await asyncio.gather(*(talk(it, number) for number in range(100)))
        assert len(it.outside.dialled) == 100


@pytest.mark.parametrize(
    "said",
    [
        b"GET http://10.0.0.1/ HTTP/1.1\r\n\r\n",
        b"CONNECT 10.0.0.1:80 HTTP/1.1\r\n\r\n",
        b"\x04\x01\x00\x50\x0a\x00\x00\x01\x00",
        b"\x05\x01\x02",
        b"\x05\x01\x00" + request(PUBLIC, 80).replace(b"\x05\x01", b"\x05\x02"),
        b"\x05\x01\x00" + request(PUBLIC, 80).replace(b"\x05\x01", b"\x05\x03"),
        b"\x05\x01\x00\x05\x01\x00\x09\x00",
        b"\x05\x01\x00" + request(PUBLIC, 80) + b"GET / HTTP/1.1\r\n",
        b"\x05\xff" + b"\x01" * 255,
        bytes(range(64)),
    ],
)
@pytest.mark.threat
async def test_proxy_closes_a_connection_without_a_valid_request(said: bytes) -> None:
    async with setup() as it:
        reader, writer = await asyncio.open_connection("127.0.0.1", it.proxy.port)
        writer.write(said)
        await closed((reader, writer))
        assert it.outside.dialled == []


async def test_proxy_closes_a_client_whose_handshake_is_too_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proxies, "HANDSHAKE_S", 0.05)
    async with setup() as it:
        silent = await asyncio.open_connection("127.0.0.1", it.proxy.port)
        half = await it.greeted()
        half[1].write(request(PUBLIC, 80)[:5])
        await closed(silent)
        await closed(half)


async def test_proxy_accepts_a_request_that_arrives_byte_by_byte() -> None:
    async with setup() as it:
        reader, writer = await asyncio.open_connection("127.0.0.1", it.proxy.port)
        for byte in b"\x05\x01\x00" + request("localhost", 80):
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)
        answer = await reader.readexactly(12)
        assert answer[3] == 2  # denied: no caller's URL named it
        await closed((reader, writer))


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("10.0.0.1", "private"), ("127.0.0.1", "loopback"), ("localhost", "loopback"),
        ("::1", "loopback"), ("::ffff:10.0.0.1", "private"), ("0.0.0.0", "reserved"),
        ("169.254.169.254", "metadata"), ("METADATA.google.internal.", "metadata"),
        ("private.example", "private"), ("mixed.example", "private"), ("0x7f.1", "loopback"),
        ("a b", "invalid_host"), ("user@10.0.0.1", "invalid_host"),
    ],
)  # fmt: skip
async def test_proxy_reports_a_denied_host_and_does_not_connect_to_it(host: str, why: str) -> None:
    async with setup() as it:
        it.outside.names = {"private.example": ["10.0.0.9"], "mixed.example": [PUBLIC, "10.0.0.9"]}
        code, streams = await it.asked(host)
        assert code == 2
        await closed(streams)
        assert [failure.why for failure in it.failures] == [why]
        assert it.outside.dialled == []


@pytest.mark.threat
async def test_proxy_checks_a_host_by_the_address_it_connects_to() -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"], [PUBLIC]])
    async with setup() as it:
        it.outside.names = {"flips.example": lambda: next(answers, ["127.0.0.1"])}
        codes = []
        for _ in range(3):
            code, (_, writer) = await it.asked("flips.example")
            codes.append(code)
            writer.close()
        assert codes == [0, 2, 0]
        assert [addresses for _, addresses in it.outside.dialled] == [(PUBLIC,), (PUBLIC,)]


@pytest.mark.threat
async def test_proxy_connects_to_the_checked_address_when_dns_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with setup() as it:
        there = ("127.9.9.9", it.outside.canary)
        told = [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", there)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: told)
        place = Place("flips.example", it.outside.canary)
        with await Outside().connect(place, [ip_address("127.0.0.1")]) as connection:
            assert connection.getpeername() == ("127.0.0.1", it.outside.canary)


@pytest.mark.threat
async def test_proxy_denies_connections_to_itself() -> None:
    async with setup() as it:
        it.proxy.judge = Gate(NetworkPolicy(private_networks=True))
        for host in ("127.0.0.1", "localhost", "::ffff:127.0.0.1"):
            code, streams = await it.asked(host, it.proxy.port)
            assert code == 2
            await closed(streams)


@pytest.mark.threat
async def test_proxy_denies_ports_that_a_tabwarden_process_claims() -> None:
    """Neither a port of this process nor of another, under any address of this machine."""
    async with setup() as it:
        it.proxy.judge = Gate(NetworkPolicy(private_networks=True))
        for host in ("127.0.0.1", "localhost"):
            code, streams = await it.asked(host, it.outside.canary)
            assert code == 0, "it is open as long as nobody claims it"
            streams[1].close()
        other = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CLAIM % it.outside.canary,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        try:
            assert other.stdout is not None
            await other.stdout.readline()
            for host in ("127.0.0.1", "localhost", "::ffff:127.0.0.1"):
                code, streams = await it.asked(host, it.outside.canary)
                assert code == 2
                await closed(streams)
        finally:
            other.kill()
            await other.communicate()
        code, streams = await it.asked("127.0.0.1", it.outside.canary)
        assert code == 0, "a process that was killed claims nothing"
        streams[1].close()


@pytest.mark.threat
async def test_address_of_this_machine_counts_as_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    class Asked(Gate):
        def refuses_address(self, place: Place, address: Address) -> Why | None:
            asked.append(str(address))
            return None

    monkeypatch.setattr(proxies, "is_this_machine", lambda address: str(address) == "10.1.1.1")
    async with setup() as it:
        it.proxy.judge = Asked()
        it.outside.names = {"a.example": ["10.1.1.1"], "b.example": ["10.1.1.2"]}
        for host in it.outside.names:
            _, (_, writer) = await it.asked(host, 80)
            writer.close()
    assert asked[0] == "127.0.0.1"
    assert asked[-1] == "10.1.1.2"


def test_only_interface_addresses_count_as_addresses_of_this_machine() -> None:
    """No packets are sent; other addresses are documentation addresses (RFC 5737, 3849)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):  # a machine without a network has only loopback
            probe.connect(("198.51.100.1", 9))
        own = probe.getsockname()[0]
    assert is_this_machine(ip_address("127.0.0.1"))
    assert own == "0.0.0.0" or is_this_machine(ip_address(own))
    for other in ("198.51.100.1", "2001:db8::1", "0.0.0.0"):
        assert not is_this_machine(ip_address(other))


async def test_proxy_without_a_policy_denies_every_connection() -> None:
    async with setup() as it:
        it.proxy.judge = None
        code, streams = await it.asked()
        assert code == 2
        await closed(streams)


async def test_changed_policy_closes_only_the_connections_that_it_denies() -> None:
    async with setup() as it:
        it.outside.names = {"a.example": [PUBLIC], "b.example": [PUBLIC]}
        kept, cut = await it.connected("a.example"), await it.connected("b.example")
        it.proxy.judge = Gate(NetworkPolicy.of([], ["b.example"], private_networks=False))
        it.proxy.cut_refused()
        with pytest.raises(ConnectionResetError):
            await cut[0].read()
        kept[1].write(b"still here")
        assert await kept[0].readexactly(10) == b"still here"
        for _, writer in (kept, cut):
            writer.close()


async def test_policy_change_during_connect_denies_the_connection() -> None:
    async with setup() as it:
        dial = it.outside.connect

        async def connect(place: Place, addresses: Any) -> socket.socket:
            connection = await dial(place, addresses)
            it.proxy.judge = Gate(NetworkPolicy.of([], [PUBLIC], private_networks=False))
            return connection

        it.outside.connect = connect  # type: ignore[method-assign]
        code, streams = await it.asked()
        assert code != 0
        await closed(streams)


async def test_proxy_reports_an_unreachable_server_with_chromiums_error() -> None:
    async with setup() as it:
        it.outside.canary = 1
        code, streams = await it.asked()
        await closed(streams)
        code, streams = await it.asked("nowhere.example")
        await closed(streams)
        assert code == 1
        assert [(failure.why, failure.error) for failure in it.failures] == [
            (None, "net::ERR_CONNECTION_REFUSED"),
            (None, "net::ERR_NAME_NOT_RESOLVED"),
        ]


async def test_proxy_cleans_up_when_the_browser_disconnects_during_connect() -> None:
    asked = asyncio.Event()

    class Never(Outside):
        async def connect(self, place: Place, addresses: Any) -> socket.socket:
            _ = place, addresses
            asked.set()
            return await asyncio.get_running_loop().create_future()

        async def upstream(self, place: Place) -> str | None:
            _ = place

    async with setup() as it:
        it.proxy._outside = Never()
        _, writer = await it.greeted()
        writer.write(request(PUBLIC, 80))
        await asked.wait()
        writer.close()


async def test_aclose_closes_open_tunnels_and_the_listening_socket() -> None:
    async with setup() as it:
        streams = await it.connected()
        half = await it.greeted()
        await it.proxy.aclose()
        await closed(streams)
        await closed(half)
        with pytest.raises(ConnectionError):
            await asyncio.open_connection("127.0.0.1", it.proxy.port)


async def test_egress_proxy_connects_through_the_users_own_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[bytes] = []

    async def corporate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await echo(reader, writer)

    async with setup(corporate) as it:
        it.proxy._outside = Outside()
        for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
            monkeypatch.delenv(name.upper(), raising=False)
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{it.outside.canary}")
        reader, writer = await it.connected(PUBLIC, 443)
        writer.write(b"hello")
        assert await reader.readexactly(5) == b"hello"
        writer.close()
        assert heard[0].startswith(f"CONNECT {PUBLIC}:443 HTTP/1.1\r\n".encode())
        code, streams = await it.asked("10.0.0.1", 443)
        assert code == 2  # the policy applies there too
        await closed(streams)


async def test_proxy_connects_to_loopback_without_the_users_own_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    outside = Outside()
    assert await outside.upstream(Place("example.com", 80)) == "http://127.0.0.1:9"
    for host in ("localhost", "app.localhost", "127.0.0.1", "::1"):
        assert await outside.upstream(Place(host, 80)) is None


@needs("linux", "root")
@pytest.mark.threat
async def test_proxy_closes_connections_from_another_users_process() -> None:
    script = (
        "import os, socket, sys; 'x'.encode('idna'); os.setuid(65534);"
        "c = socket.create_connection(('127.0.0.1', int(sys.argv[1])));"
        "c.sendall(bytes([5, 1, 0])); c.settimeout(10);"
        "\ntry: print(len(c.recv(2)))"
        "\nexcept ConnectionResetError: print(0)"
    )
    async with setup() as it:
        for user, heard in (("os.setuid(65534);", b"0"), ("", b"2")):
            command = script.replace("os.setuid(65534);", user)
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", command, str(it.proxy.port), stdout=asyncio.subprocess.PIPE
            )
            said, _ = await process.communicate()
            assert said.strip() == heard
            del process

"""The egress proxy, through which a browser sends all its requests.

For each connection, the proxy asks a ``Judge``, first about the name, then about every address that
the name resolves to. It connects only to an address that the judge has allowed. Most requests take
no extra time, because browsers reuse connections.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import sys
from collections.abc import Callable
from typing import NamedTuple, Protocol

from tabwarden.egress.addresses import LOOPBACK, Address, reach_of
from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place, canonical_host
from tabwarden.egress.outside import Outside, Unreachable, is_this_machine
from tabwarden.egress.socks import (
    GENERAL_FAILURE,
    GRANTED,
    NOT_ALLOWED,
    Greeting,
    Malformed,
    Request,
)
from tabwarden.egress.tunnel import Tunnel
from tabwarden.egress.upstream import Upstream
from tabwarden.own_ports import PortClaim, is_own_port

KERNEL_S = 0.1
"""Timeout for a netlink request. The kernel normally responds immediately."""
_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_NLM_F_REQUEST = 1
_ALL_STATES = 0xFFFFFFFF
_NO_COOKIE = b"\xff" * 8
_HEADER = struct.Struct("=IHHII")
"""``struct nlmsghdr``: length, type, flags, sequence, port."""
_UID_AT = _HEADER.size + 4 + 48 + 12
"""The offset of ``idiag_uid`` in ``struct inet_diag_msg``."""


def is_another_users(connection: socket.socket) -> bool:
    """Whether a process of another user opened this connection to our port on 127.0.0.1; False if
    unknown.

    On Linux, netlink (``man 7 sock_diag``) responds in 0.02 ms; reading /proc/net/tcp took 5 ms.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        user = _user_of(connection.getpeername(), connection.getsockname())
    except OSError:
        return False
    return user is not None and user != os.geteuid()


def _user_of(peer: tuple[str, int], here: tuple[str, int]) -> int | None:
    """Return the user who owns the socket with the address ``peer``; None if unknown."""
    ports = struct.pack("!HH", peer[1], here[1])
    hosts = b"".join(socket.inet_aton(host).ljust(16, b"\0") for host, _ in (peer, here))
    wanted = ports + hosts + struct.pack("=I", 0) + _NO_COOKIE
    body = struct.pack("=BBBBI", socket.AF_INET, socket.IPPROTO_TCP, 0, 0, _ALL_STATES) + wanted
    length = _HEADER.size + len(body)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as kernel:
        kernel.settimeout(KERNEL_S)
        kernel.send(_HEADER.pack(length, _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST, 1, 0) + body)
        answer = kernel.recv(4096)
    if len(answer) < _UID_AT + 4 or _HEADER.unpack_from(answer)[1] != _SOCK_DIAG_BY_FAMILY:
        return None
    (user,) = struct.unpack_from("=I", answer, _UID_AT)
    return int(user)


HANDSHAKE_S = 10.0
"""The proxy disconnects a client that has not sent its request within this time."""
BYPASS_LIST = "<-loopback>"
"""Without this entry, Chromium bypasses any proxy for loopback and link-local addresses."""
_MOST_CLIENTS = 1024


class Judge(Protocol):
    """Decides which connections are allowed."""

    @property
    def gate(self) -> Gate:
        """The current gate, which a proxy on another machine applies."""
        ...

    def refuses_name(self, place: Place) -> Why | None:
        """Return the reason to refuse a place because of its name; None if the place is allowed."""
        ...

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        """Return the reason to refuse this address of a place; None if the address is allowed."""
        ...


class Failure(NamedTuple):
    """A connection that failed or was refused."""

    place: Place
    why: Why | None
    """Why the connection was refused; None if the connection was allowed but failed."""
    error: str
    """Chromium's error name, such as ``net::ERR_CONNECTION_REFUSED``."""


class Egress(Protocol):
    """The interface of the proxy for all requests from a browser: an ``EgressProxy`` in this
    process or on the browser's machine. The proxy refuses everything until it has a ``judge``.
    """

    judge: Judge | None
    on_failed: Callable[[Failure], None] | None

    def cut_refused(self) -> None:
        """Close the connections that the judge no longer allows."""
        ...

    async def aclose(self) -> None:
        """Close all connections. Safe to call twice."""
        ...


class EgressProxy:
    """A SOCKS 5 proxy on a loopback port. The proxy refuses everything until it has a ``judge``.
    Use it only on the event loop that started it.
    """

    def __init__(self, server: asyncio.Server, outside: Outside) -> None:
        self.judge: Judge | None = None
        self.on_failed: Callable[[Failure], None] | None = None
        """Called for each connection that fails or is refused."""
        self.may_send: Callable[[], bool] = lambda: True
        """Whether the browser's data may be sent now, regardless of the judge. A fleet's host
        checks its lease here, because a process that was suspended may find data from a browser
        that ended long ago.
        """
        self.port: int = server.sockets[0].getsockname()[1]
        self._claim = PortClaim(self.port)
        self._server = server
        self._outside = outside
        self._clients: set[_Client] = set()
        self._tunnels: set[Tunnel] = set()
        self._idle = asyncio.Event()
        self._idle.set()

    @classmethod
    async def start(cls, outside: Outside | Upstream | None = None) -> EgressProxy:
        """Listen on a free port of 127.0.0.1; raise ``OSError`` if no port is free.

        ``outside`` connects to servers. It may also be just the user's own proxy, or None for the
        system's proxy settings.
        """
        if isinstance(outside, Upstream):
            outside = Outside(outside)
        started: list[EgressProxy] = []
        server = await asyncio.get_running_loop().create_server(
            lambda: _Client(started[0]), "127.0.0.1", 0, backlog=256
        )
        started.append(cls(server, outside or Outside()))
        return started[0]

    @property
    def url(self) -> str:
        """The proxy's URL for a browser: ``socks5://127.0.0.1:port``."""
        return f"socks5://127.0.0.1:{self.port}"

    @property
    def open_tunnels(self) -> int:
        return len(self._tunnels)

    def cut_refused(self) -> None:
        """Close the tunnels that the judge no longer allows."""
        for tunnel in list(self._tunnels):
            if self._refuses(tunnel.place, [tunnel.address] if tunnel.address else []) is not None:
                tunnel.cut()

    async def aclose(self) -> None:
        """Stop listening and close all connections. Safe to call twice."""
        self._server.close()
        self._claim.close()
        for client in list(self._clients):
            client.end()
        for tunnel in list(self._tunnels):
            tunnel.cut()
        await self._idle.wait()

    # -- one connection ----------------------------------------------------------------------

    async def _connected(self, target: Place) -> Tunnel:
        """Open a tunnel and connect it to the server.

        Raises:
            _Refused: the judge refused. Unreachable: the connection failed.
        """
        host = canonical_host(target.host)
        place = Place(host or target.host, target.port)
        why: Why | None = "invalid_host" if host is None else self._refuses(place, [])
        if why is not None:
            raise _Refused(place, why)
        try:
            return await self._tunnelled(place)
        except Unreachable as unreachable:
            self._failed(place, None, str(unreachable))
            raise

    async def _tunnelled(self, place: Place) -> Tunnel:
        upstream = await self._outside.upstream(place)
        try:
            addresses = await self._outside.addresses(place)
        except Unreachable:
            if upstream is None:
                raise
            addresses = []  # the user's proxy may be able to resolve names that this computer can't
        why = self._refuses(place, addresses)
        if why is not None:
            raise _Refused(place, why)
        if isinstance(upstream, Upstream) and upstream.is_judged:
            known = await self._outside.addresses(upstream.place)
            why = self._refuses(upstream.place, known)
            if why is not None:
                raise _Refused(upstream.place, why)
            connection = await self._outside.connect_by(upstream, place, known[0])
        elif upstream is not None:
            connection = await self._outside.connect_by(upstream, place)
        else:
            connection = await self._outside.connect(place, addresses)
        peer = connection.getpeername()[:1]  # empty if the proxy uses TLS
        address = next((a for a in addresses if (str(a),) == peer), None)
        tunnel = Tunnel(place, address, self.may_send, self._tunnel_ended)
        self._tunnels.add(tunnel)
        self._idle.clear()
        try:
            await asyncio.get_running_loop().create_connection(lambda: tunnel.far, sock=connection)
        except BaseException:
            connection.close()
            self._tunnel_ended(tunnel)
            raise
        if self._refuses(place, [address] if address is not None else []) is not None:
            tunnel.cut()  # the policy changed while we connected
            raise Unreachable("net::ERR_CONNECTION_RESET")
        return tunnel

    def _refuses(self, place: Place, addresses: list[Address]) -> Why | None:
        """Ask the judge about every address, because a resolver can return both allowed and
        forbidden addresses.
        """
        if self.judge is None or not self.may_send():
            return "not_allowed"
        why = self.judge.refuses_name(place)
        if why is not None:
            return why
        for address in map(_as_loopback, addresses):
            if reach_of(address) == "loopback" and is_own_port(place.port):
                return "own"
            why = self.judge.refuses_address(place, address)
            if why is not None:
                return why
        return None

    def _failed(self, place: Place, why: Why | None, error: str) -> None:
        if self.on_failed is not None:
            self.on_failed(Failure(place, why, error))

    # -- bookkeeping -------------------------------------------------------------------------

    def _add_client(self, client: _Client) -> bool:
        self._clients.add(client)
        self._idle.clear()
        return len(self._clients) <= _MOST_CLIENTS and self._server.is_serving()

    def _client_went(self, client: _Client) -> None:
        self._clients.discard(client)
        self._tell_idle()

    def _tunnel_ended(self, tunnel: Tunnel) -> None:
        self._tunnels.discard(tunnel)
        self._tell_idle()

    def _tell_idle(self) -> None:
        if not self._clients and not self._tunnels:
            self._idle.set()

    async def serve(self, client: _Client, target: Place) -> None:
        """Connect a client to its target and start to pass bytes between them."""
        try:
            tunnel = await self._connected(target)
        except _Refused as refused:
            self._failed(refused.place, refused.why, "net::ERR_BLOCKED_BY_CLIENT")
            client.refuse(NOT_ALLOWED)
        except Unreachable:
            client.refuse(GENERAL_FAILURE)
        else:
            client.hand_over(tunnel)


def _as_loopback(address: Address) -> Address:
    """Return 127.0.0.1 if ``address`` is another address of this machine, because servers on this
    machine may listen on all addresses.
    """
    if reach_of(address) in ("public", "private", "link_local") and is_this_machine(address):
        return LOOPBACK
    return address


class _Refused(Exception):
    def __init__(self, place: Place, why: Why) -> None:
        super().__init__(why)
        self.place = place
        self.why = why


class _Client(asyncio.Protocol):
    """A client's connection to the proxy. After the request is granted, the connection is the
    browser's side of a tunnel.
    """

    def __init__(self, proxy: EgressProxy) -> None:
        self._proxy = proxy
        self._transport: asyncio.Transport | None = None
        self._greeted = False
        self._data = b""
        self._serving: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        welcome = self._proxy._add_client(self)
        if not welcome or is_another_users(transport.get_extra_info("socket")):
            transport.abort()
            return
        self._timer = asyncio.get_running_loop().call_later(HANDSHAKE_S, transport.abort)

    def data_received(self, data: bytes) -> None:
        self._data += data
        try:
            self._read()
        except Malformed:
            self.end()

    def _read(self) -> None:
        assert self._transport is not None
        if self._serving is not None:
            raise Malformed  # the client sent data before our reply
        if not self._greeted:
            size = Greeting.size(self._data)
            if size is None:
                return
            self._greeted = True
            self._data = self._data[size:]
            self._transport.write(Greeting.ANSWER)
        place = Request.place(self._data)
        if place is not None:
            self._stop_timer()
            serving = self._proxy.serve(self, place)
            self._serving = asyncio.get_running_loop().create_task(serving)

    def refuse(self, code: int) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(Request.answer(code))
            self._transport.close()

    def hand_over(self, tunnel: Tunnel) -> None:
        """Grant the request. From now on, the tunnel passes bytes between the server and the
        browser.
        """
        if self._transport is None or self._transport.is_closing():
            tunnel.cut()
            return
        transport, self._transport = self._transport, None
        transport.write(Request.answer(GRANTED))
        transport.set_protocol(tunnel.near)
        tunnel.begin(transport)
        self._proxy._client_went(self)

    def end(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        _ = exc
        self._transport = None
        self._stop_timer()
        if self._serving is not None:
            self._serving.cancel()
        self._proxy._client_went(self)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

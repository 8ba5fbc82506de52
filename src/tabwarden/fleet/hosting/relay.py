"""The relay: connects a client to its browser over TLS, and applies the client's network policy.

A client requests a CDP connection or a file transfer (``relaying.handshake``). While the fence does
not allow the task, the relay passes no message.
"""

from __future__ import annotations

import asyncio
import contextlib
import http
import logging
import re
import secrets
import socket
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tabwarden.egress.addresses import Address
from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place
from tabwarden.egress.proxy import Failure
from tabwarden.errors import TabwardenError
from tabwarden.files.secret_file import open_private
from tabwarden.fleet.hosting.hosted_browser import HostedBrowser
from tabwarden.fleet.hosting.hosted_task import HostedTask, TaskOver
from tabwarden.fleet.hosting.shared_wire import BrowserSession, SessionEnded
from tabwarden.fleet.relaying.frames import (
    ConnectionFailed,
    SetGate,
    Welcome,
    decode_frame,
    encode_frame,
)
from tabwarden.fleet.relaying.handshake import (
    BROWSER_FAILED,
    LEASE_OVER,
    BrowserError,
    ConnectionKind,
    RefusalBody,
    is_valid_ticket,
    read_request,
)
from tabwarden.fleet.relaying.transfers import (
    TransferAnswer,
    receive_file,
    receive_request,
    send_answer,
    send_file,
)
from tabwarden.fleet.watchdog import now
from tabwarden.own_ports import PortClaim
from tabwarden.wire import MAX_MESSAGE_BYTES

_GUID = re.compile(r"[A-Za-z0-9-]{1,64}")
"""The pattern of the names that the browser gives to downloads."""
_BAD_NAMES = {"", ".", ".."}


async def transfer(
    connection: ServerConnection, browser: HostedBrowser, allows: Callable[[], bool]
) -> None:
    """Serve one file transfer (``relaying``). Raise ``ConnectionClosed`` if the client
    disconnected.
    """
    try:
        request = await receive_request(connection)
        if request.kind == "put":
            path = await _put(connection, browser.upload_dir, request.name, allows)
            await send_answer(connection, TransferAnswer(str(path)))
        else:
            await _hand_out(connection, browser.download_dir, request.name)
    except (OSError, msgspec.DecodeError, TimeoutError) as error:
        await send_answer(connection, TransferAnswer(error=f"{error}" or type(error).__name__))


async def _put(
    connection: ServerConnection, folder: Path, name: str, allows: Callable[[], bool]
) -> Path:
    if name in _BAD_NAMES or "/" in name or "\0" in name:
        raise OSError(f"{name[:100]!r} is not a file name")
    place = folder / secrets.token_hex(8)  # two files can have the same name
    place.mkdir(mode=0o700)
    path = place / name
    with open_private(path, "xb") as file:
        async for piece in receive_file(connection):
            if not allows():
                raise OSError("the lease has ended")
            await asyncio.to_thread(file.write, piece)
    return path


async def _hand_out(connection: ServerConnection, folder: Path, name: str) -> None:
    if not _GUID.fullmatch(name):
        raise OSError(f"{name[:100]!r} is not a download")
    path = folder / name
    if path.is_symlink():
        raise OSError(f"{name!r} is not a file")
    with path.open("rb") as file:
        await send_answer(connection, TransferAnswer())
        await send_file(connection, file)
    path.unlink()


MOST_WAITING = 256
"""How many connections can be open without having presented a ticket. One more connection closes
the oldest. Without a limit, anyone who reaches the port could exhaust the host's file descriptors
with silent connections.
"""


class Door(socket.socket):
    """A listening socket. It counts connections from ``accept`` on, that is, before TLS, because a
    client might never start TLS.
    """

    _waiting: dict[Any, socket.socket]
    """The counted connections, keyed by the client's address, the oldest first."""

    @classmethod
    def open(cls, address: str) -> Door:
        """Listen at any free port. Raise ``OSError`` if the address can't be used."""
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        door = cls(fileno=socket.create_server((address, 0), family=family).detach())
        door._waiting = {}
        return door

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection, as ``socket.accept`` does, and count it."""
        accepted, client = super().accept()
        self._waiting[client] = accepted
        if len(self._waiting) > MOST_WAITING:
            is_open = {who: one for who, one in self._waiting.items() if one.fileno() >= 0}
            self._waiting = is_open
            if len(is_open) > MOST_WAITING:
                with contextlib.suppress(OSError):  # the client has disconnected
                    is_open.pop(next(iter(is_open))).shutdown(socket.SHUT_RDWR)
        return accepted, client

    def admit(self, client: Any) -> None:
        """Stop counting the connection of a client that has presented its ticket."""
        self._waiting.pop(client, None)


OPEN_S = 5.0
"""How long to wait for a connection to a browser on this machine."""
HANDSHAKE_S = 10.0
"""How long a client may take to start TLS, and how long it may then take to present its ticket."""
ADMIT_S = 5.0
"""How long a client waits for its browser to start."""

log = logging.getLogger("tabwarden.fleet")


class Relay:
    """Serves one host's clients.

    Args:
        listen: the address to listen on, at any free port.
        context: the TLS context.
        ticket_key: the key for verifying the clients' tickets.
        admit: ``await admit(task, generation)`` returns the task with its browser running, or
            raises ``TaskOver`` or ``LaunchFailed``.
        allows: whether a task's browser may work now.
    """

    def __init__(
        self,
        listen: str,
        context: ssl.SSLContext,
        ticket_key: bytes,
        admit: Callable[[str, int], Awaitable[HostedTask]],
        allows: Callable[[HostedTask], bool],
    ) -> None:
        self._listen = listen
        self._context = context
        self._ticket_key = ticket_key
        self._admit = admit
        self._allows = allows
        self._door: Door
        self._server: Server | None = None
        self._claim: PortClaim | None = None
        self._connected: dict[ServerConnection, tuple[ConnectionKind, HostedTask]] = {}

    async def start(self) -> str:
        """Listen; return the URL for clients. Raise ``OSError`` if the address can't be used."""
        self._door = Door.open(self._listen)
        self._server = await serve(
            self._serve,
            sock=self._door,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_S,
            process_request=self._authorize,
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=ADMIT_S * 2,
            close_timeout=1,
            server_header=None,
        )
        port = self._door.getsockname()[1]
        self._claim = PortClaim(port)
        host = f"[{self._listen}]" if ":" in self._listen else self._listen
        return f"wss://{host}:{port}"

    def cut(self, hosted: HostedTask) -> None:
        """Close a task's connections after its lease or its browser has ended."""
        for connection, (_, theirs) in list(self._connected.items()):
            if theirs is hosted:
                connection.transport.abort()

    async def close(self) -> None:
        """Stop listening, and close all connections."""
        if self._claim is not None:
            self._claim.close()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    # -- one connection -----------------------------------------------------------------------

    async def _authorize(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the refusal of a request, or None to accept it."""
        client_request = read_request(request.path, request.headers.get_all("Authorization"))
        if client_request is None or not is_valid_ticket(
            client_request.ticket, self._ticket_key, client_request.task, client_request.generation
        ):
            reason = "the ticket is not valid"
            return _refusal(connection, http.HTTPStatus.FORBIDDEN, RefusalBody(reason))
        self._door.admit(connection.remote_address)
        try:
            async with asyncio.timeout(ADMIT_S):
                hosted = await self._admit(client_request.task, client_request.generation)
        except TaskOver as over:
            return _refusal(connection, LEASE_OVER, RefusalBody(over.reason, over.cause))
        except TimeoutError:
            status = http.HTTPStatus.SERVICE_UNAVAILABLE
            return _refusal(connection, status, RefusalBody("the browser has not started yet"))
        except TabwardenError as error:
            body = RefusalBody(error=BrowserError(error.message))
            return _refusal(connection, BROWSER_FAILED, body)
        self._connected[connection] = (client_request.kind, hosted)
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        kind, hosted = self._connected[connection]
        hosted.clients += 1
        try:
            if kind == "files":
                await transfer(connection, hosted.browser.result(), lambda: self._allows(hosted))
            else:
                await self._forward(connection, hosted)
        except ConnectionClosed:
            pass
        finally:
            del self._connected[connection]
            hosted.clients -= 1
            hosted.last_client = now()

    async def _forward(self, connection: ServerConnection, hosted: HostedTask) -> None:
        browser = hosted.browser.result()
        try:
            async with asyncio.timeout(OPEN_S):
                session = await browser.wire.attach()
        except (SessionEnded, TimeoutError) as error:
            log.warning("%s: the browser is not responding: %r", hosted.task, error)
            return
        try:
            welcome = Welcome(
                browser.launched.product, str(browser.download_dir), browser.options.marks
            )
            await connection.send(encode_frame(welcome))
            there = asyncio.create_task(self._to_browser(connection, session, hosted, browser))
            back = asyncio.create_task(self._to_client(connection, session, hosted))
            done, rest = await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
            for work in rest:
                work.cancel()
            await asyncio.gather(*done, *rest, return_exceptions=True)
        finally:
            session.detach()

    async def _to_browser(
        self,
        connection: ServerConnection,
        session: BrowserSession,
        hosted: HostedTask,
        browser: HostedBrowser,
    ) -> None:
        while True:
            message = await connection.recv(decode=False)
            if not self._allows(hosted):
                return
            if message[:1] == b"{":
                session.send(message)
            else:  # a MessagePack frame never begins with a brace
                self._obey(connection, browser, message)

    async def _to_client(
        self, connection: ServerConnection, session: BrowserSession, hosted: HostedTask
    ) -> None:
        while True:
            message = await session.receive()
            if not self._allows(hosted):
                return
            await connection.send(message, text=True)

    def _obey(self, connection: ServerConnection, browser: HostedBrowser, data: bytes) -> None:
        try:
            frame = decode_frame(data)
        except msgspec.DecodeError:
            log.warning("a client sent an unreadable frame")
            return
        if isinstance(frame, SetGate):
            browser.egress.judge = _GateJudge(frame.gate)
            browser.egress.on_failed = lambda failure: self._tell(connection, failure)
            browser.egress.cut_refused()

    def _tell(self, connection: ServerConnection, failure: Failure) -> None:
        frame = ConnectionFailed(failure.place.host, failure.place.port, failure.why, failure.error)
        if connection in self._connected:
            asyncio.ensure_future(_send(connection, encode_frame(frame)))  # noqa: RUF006


class _GateJudge:
    """A ``Judge`` that applies the gate that the client sent last."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate

    def refuses_name(self, place: Place) -> Why | None:
        return self.gate.refuses_name(place)

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        return self.gate.refuses_address(place, address)


async def _send(connection: ServerConnection, data: bytes) -> None:
    try:
        await connection.send(data)
    except ConnectionClosed:
        return


def _refusal(connection: ServerConnection, status: http.HTTPStatus, body: RefusalBody) -> Response:
    response = connection.respond(status, msgspec.json.encode(body).decode())
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "application/json"
    return response

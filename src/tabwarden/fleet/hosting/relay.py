"""The relay: connects a client to its browser over TLS, and applies the client's network policy.

A client asks for a CDP connection, or to move a file (``relaying.handshake``). While the fence does
not allow the task, no message passes.
"""

from __future__ import annotations

import asyncio
import http
import logging
import ssl
from collections.abc import Awaitable, Callable

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tabwarden.egress.addresses import Address
from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place
from tabwarden.egress.proxy import Failure
from tabwarden.errors import TabwardenError
from tabwarden.fleet.hosting.door import Door
from tabwarden.fleet.hosting.hosted_browser import HostedBrowser
from tabwarden.fleet.hosting.hosted_task import HostedTask, TaskOver
from tabwarden.fleet.hosting.shared_wire import BrowserSession, SessionEnded
from tabwarden.fleet.hosting.timing import ADMIT_S, HANDSHAKE_S, OPEN_S
from tabwarden.fleet.hosting.transfer import transfer
from tabwarden.fleet.relaying import (
    BROWSER_FAILED,
    LEASE_OVER,
    BrowserError,
    ConnectionFailed,
    ConnectionKind,
    RefusalBody,
    SetGate,
    Welcome,
    decode_frame,
    encode_frame,
    is_valid_ticket,
    read_request,
)
from tabwarden.fleet.watchdog import now
from tabwarden.own_ports import PortClaim
from tabwarden.wire import MAX_MESSAGE_BYTES

log = logging.getLogger("tabwarden.fleet")


class Relay:
    """Serves the clients of one host.

    Args:
        listen: the address to listen on, at any free port.
        context: TLS.
        ticket_key: checks the clients' tickets.
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
        """Close a task's connections: its lease or its browser is gone."""
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
        asked = read_request(request.path, request.headers.get_all("Authorization"))
        if asked is None or not is_valid_ticket(
            asked.ticket, self._ticket_key, asked.task, asked.generation
        ):
            reason = "the ticket is not valid"
            return _refusal(connection, http.HTTPStatus.FORBIDDEN, RefusalBody(reason))
        self._door.admit(connection.remote_address)
        try:
            async with asyncio.timeout(ADMIT_S):
                hosted = await self._admit(asked.task, asked.generation)
        except TaskOver as over:
            return _refusal(connection, LEASE_OVER, RefusalBody(over.reason, over.cause))
        except TimeoutError:
            status = http.HTTPStatus.SERVICE_UNAVAILABLE
            return _refusal(connection, status, RefusalBody("the browser has not started yet"))
        except TabwardenError as error:
            body = RefusalBody(error=BrowserError(error.message))
            return _refusal(connection, BROWSER_FAILED, body)
        self._connected[connection] = (asked.kind, hosted)
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
            log.warning("%s: its browser does not answer: %r", hosted.task, error)
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
            else:  # MessagePack of a frame never begins with a brace
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
            log.warning("a client sent a frame that can't be read")
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
    """A ``Judge`` with the gate that the client sent last."""

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

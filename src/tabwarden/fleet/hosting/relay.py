"""The relay: connects a client to its browser over TLS, and applies the client's network policy.

``wss://HOST/browser/TASK?generation=N`` is a CDP connection, and ``/files/TASK?generation=N`` moves
a file. The header ``Authorization: Bearer TICKET`` proves the right to it. While the fence does not
allow the task, no message passes.
"""

from __future__ import annotations

import asyncio
import http
import json
import logging
import ssl
from collections.abc import Awaitable, Callable
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.http11 import Request, Response

from tabwarden.egress.addresses import Address
from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place
from tabwarden.egress.proxy import Failure
from tabwarden.errors import TabwardenError
from tabwarden.fleet.hosting.hosted_browser import HostedBrowser
from tabwarden.fleet.hosting.hosted_task import HostedTask, TaskOver
from tabwarden.fleet.hosting.timing import ADMIT_S, OPEN_S
from tabwarden.fleet.hosting.transfer import transfer
from tabwarden.fleet.hosting.watchdog import now
from tabwarden.fleet.relaying import (
    ConnectionFailed,
    SetGate,
    Welcome,
    decode_frame,
    encode_frame,
    is_genuine,
)
from tabwarden.wire import MAX_MESSAGE_BYTES

log = logging.getLogger("tabwarden.fleet")

_LEASE_ENDED_CODE = 4001
"""The close code that tells a client that the task has no lease here any more."""
_BROWSER_ENDED_CODE = 4002
"""The close code that tells a client that the browser ended."""


class _Asked(NamedTuple):
    """What a client asked for in its request."""

    kind: str
    task: str
    generation: int
    ticket: str

    @classmethod
    def of(cls, request: Request) -> _Asked | None:
        parts = urlsplit(request.path)
        _, _, kind_and_task = parts.path.partition("/")
        kind, _, task = kind_and_task.partition("/")
        generation = parse_qs(parts.query).get("generation", [""])[0]
        shown = request.headers.get_all("Authorization")
        scheme, _, ticket = (shown[0] if len(shown) == 1 else "").partition(" ")
        if kind not in ("browser", "files") or not generation.isdecimal():
            return None
        if scheme != "Bearer":
            return None
        return cls(kind, unquote(task), int(generation[:18]), ticket)


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
        self._server: Server | None = None
        self._connected: dict[ServerConnection, tuple[str, HostedTask]] = {}

    async def start(self) -> str:
        """Listen; return the URL for clients. Raise ``OSError`` if the address can't be used."""
        self._server = await serve(
            self._serve,
            self._listen,
            0,
            ssl=self._context,
            process_request=self._checked,
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=ADMIT_S * 2,
            close_timeout=1,
            server_header=None,
        )
        port = next(iter(self._server.sockets)).getsockname()[1]
        host = f"[{self._listen}]" if ":" in self._listen else self._listen
        return f"wss://{host}:{port}"

    def cut(self, hosted: HostedTask) -> None:
        """Close a task's connections: its lease or its browser is gone."""
        for connection, (_, theirs) in list(self._connected.items()):
            if theirs is hosted:
                connection.transport.abort()

    async def close(self) -> None:
        """Stop listening, and close all connections."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    # -- one connection -----------------------------------------------------------------------

    async def _checked(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the refusal of a request, or None to accept it."""
        asked = _Asked.of(request)
        if asked is None or not is_genuine(
            asked.ticket, self._ticket_key, asked.task, asked.generation
        ):
            return _refusal(connection, http.HTTPStatus.FORBIDDEN, reason="the ticket is not valid")
        try:
            async with asyncio.timeout(ADMIT_S):
                hosted = await self._admit(asked.task, asked.generation)
        except TaskOver as over:
            return _refusal(
                connection,
                http.HTTPStatus.GONE,
                reason=over.reason,
                generation=over.latest,
                cause=over.cause,
            )
        except TimeoutError:
            status = http.HTTPStatus.SERVICE_UNAVAILABLE
            return _refusal(connection, status, reason="the browser has not started yet")
        except TabwardenError as error:
            return _refusal(connection, http.HTTPStatus.BAD_GATEWAY, error=error.to_dict())
        self._connected[connection] = (asked.kind, hosted)
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        kind, hosted = self._connected[connection]
        hosted.clients += 1
        try:
            if kind == "files":
                await transfer(connection, hosted.browser.result(), lambda: self._allows(hosted))
            else:
                await self._relayed(connection, hosted)
        except ConnectionClosed:
            pass
        finally:
            del self._connected[connection]
            hosted.clients -= 1
            hosted.last_client = now()

    async def _relayed(self, connection: ServerConnection, hosted: HostedTask) -> None:
        browser = hosted.browser.result()
        try:
            upstream = await connect(
                browser.ws_url, compression=None, max_size=None, open_timeout=OPEN_S,
                close_timeout=1, proxy=None, ping_interval=None, user_agent_header=None,
            )  # fmt: skip
        except (OSError, InvalidHandshake, TimeoutError) as error:
            await connection.close(
                _BROWSER_ENDED_CODE, f"the browser does not answer: {error!r}"[:120]
            )
            return
        async with upstream:
            welcome = Welcome(browser.launched.product, str(browser.download_dir))
            await connection.send(encode_frame(welcome))
            there = asyncio.create_task(self._to_browser(connection, upstream, hosted, browser))
            back = asyncio.create_task(self._to_client(connection, upstream, hosted))
            done, rest = await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
            for work in rest:
                work.cancel()
            await asyncio.gather(*done, *rest, return_exceptions=True)
        code = _BROWSER_ENDED_CODE if self._allows(hosted) else _LEASE_ENDED_CODE
        await connection.close(code, hosted.end_reason[:120])

    async def _to_browser(
        self,
        connection: ServerConnection,
        upstream: ClientConnection,
        hosted: HostedTask,
        browser: HostedBrowser,
    ) -> None:
        async for message in connection:
            if not self._allows(hosted):
                return
            if isinstance(message, str):
                await upstream.send(message)
            else:
                self._obey(connection, browser, message)

    async def _to_client(
        self, connection: ServerConnection, upstream: ClientConnection, hosted: HostedTask
    ) -> None:
        while True:
            message = await upstream.recv(decode=False)
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
            asyncio.ensure_future(_sent(connection, encode_frame(frame)))  # noqa: RUF006


class _GateJudge:
    """A ``Judge`` with the gate that the client sent last."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate

    def refuses_name(self, place: Place) -> Why | None:
        return self.gate.refuses_name(place)

    def refuses_address(self, place: Place, address: Address) -> Why | None:
        return self.gate.refuses_address(place, address)


async def _sent(connection: ServerConnection, data: bytes) -> None:
    try:
        await connection.send(data)
    except ConnectionClosed:
        return


def _refusal(connection: ServerConnection, status: http.HTTPStatus, **words: object) -> Response:
    response = connection.respond(status, json.dumps(words))
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "application/json"
    return response

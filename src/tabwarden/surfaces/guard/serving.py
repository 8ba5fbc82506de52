"""Run Uvicorn until a signal arrives. Then cancel all calls, because Uvicorn waits for them."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, Literal, NamedTuple

import h11
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import WS_PROTOCOLS
from uvicorn.protocols.http.h11_impl import H11Protocol

from tabwarden.surfaces.guard.principal import is_admitted

SHUTDOWN_S = 10
"""How long requests may take to finish after we cancel their budgets."""
DRAIN_LOOK_S = 0.1
"""The pause between checks whether the last call has ended, while the server is stopping."""

_WEBSOCKETS: Any = (  # Uvicorn before 0.35 has only the old implementation
    "websockets-sansio" if "websockets-sansio" in WS_PROTOCOLS else "websockets"
)
WS_LARGEST = 1 << 20
"""The maximum length of a client's message, in bytes."""


class Drain(NamedTuple):
    """How a server lets running calls end when it stops."""

    seconds: Callable[[], float]
    """Returns how long running calls may continue; 0 if they end at once."""
    refuse_calls: Callable[[], None]
    """Starts refusing new calls."""
    has_calls: Callable[[], bool]
    """Returns whether a call is running."""


def run(
    app: ASGIApp,
    listener: socket.socket,
    *,
    on_start: Callable[[], None],
    on_stop: Callable[[], None],
    drain: Drain,
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        app: the application. Its lifespan ends after its last request.
        on_start: called when the server is ready.
        on_stop: called when the server must stop, before it waits for the running requests.
        drain: how running calls may continue after SIGTERM, before ``on_stop``.
    """
    config = config_of(app, lifespan="on")
    asyncio.run(_Server(config, on_start, on_stop, drain).serve(sockets=[listener]))


def config_of(app: ASGIApp, *, lifespan: Literal["on", "off"]) -> uvicorn.Config:
    """Return Uvicorn's settings for one of our servers."""
    return uvicorn.Config(
        _with_one_length(app),
        http=partial(Connection, waiting={}),  # type: ignore[arg-type]  # Uvicorn calls it
        ws=_WEBSOCKETS,
        ws_max_size=WS_LARGEST,
        ws_per_message_deflate=False,  # images don't get smaller
        lifespan=lifespan,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )


def _with_one_length(app: ASGIApp) -> ASGIApp:
    """Reject a request with two body lengths, and close its connection. Otherwise, a proxy in front
    of the server might use the other length, and send a response to the wrong client (request
    smuggling).
    """

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        names = {name for name, _ in scope.get("headers", ())}
        if scope["type"] == "http" and {b"content-length", b"transfer-encoding"} <= names:
            refused = PlainTextResponse(
                "The request has both Content-Length and Transfer-Encoding.",
                400,
                {"Connection": "close"},
            )
            await refused(scope, receive, send)
        else:
            await app(scope, receive, send)

    return checked


class _Server(uvicorn.Server):
    def __init__(
        self,
        config: uvicorn.Config,
        on_start: Callable[[], None],
        on_stop: Callable[[], None],
        drain: Drain,
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_stop = on_stop
        self._drain = drain
        self._hurries = False
        """Whether running calls end at once: after SIGINT, or a second signal."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._drained()
        self._on_stop()
        await super().shutdown(sockets)

    async def _drained(self) -> None:
        """Keep serving while calls are running, until the drain time ends."""
        seconds = self._drain.seconds()
        if self._hurries or not seconds:
            return
        self._drain.refuse_calls()
        until = time.monotonic() + seconds

        def waits() -> bool:
            return self._drain.has_calls() and not self._hurries and time.monotonic() < until

        while waits():  # noqa: ASYNC110  # a signal handler can't wake the loop
            await asyncio.sleep(DRAIN_LOOK_S)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Unlike Uvicorn's method, don't raise the signal again, so that the process exits with 0.
        _ = frame
        self._hurries = self.should_exit or sig == signal.SIGINT
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


REQUEST_S = 10.0
"""How long a client without a token may take to send a whole request. Tabwarden's clients send it
at once.
"""

MOST_WAITING = 256
"""How many connections of a server may be waiting for a request. A further connection closes the
oldest of them.
"""


class Connection(H11Protocol):
    """A connection that is closed if, after ``REQUEST_S``, a request is neither complete nor has a
    valid token. Uvicorn has no such limit, so clients without a token could use up all connections.

    Args:
        waiting: the server's connections whose request is incomplete, the oldest first.
    """

    def __init__(self, *args: Any, waiting: dict[Connection, None], **named: Any) -> None:
        super().__init__(*args, **named)
        self._waiting = waiting
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._owe()

    def data_received(self, data: bytes) -> None:
        self._owe()
        super().data_received(data)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_idle:
            self._owe_nothing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._owe_nothing()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._owe_nothing()
        super().connection_lost(exc)

    @property
    def _is_admitted(self) -> bool:
        """Whether a request with a valid token is running."""
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and is_admitted(cycle.scope)

    @property
    def _is_idle(self) -> bool:
        """Whether the last request has been responded to, and no other request has begun. Uvicorn
        closes idle connections.
        """
        is_answered = self.cycle is not None and self.cycle.response_complete
        is_between = self.conn.their_state in (h11.IDLE, h11.DONE)
        return is_answered and is_between and not self.conn.trailing_data[0]

    def _owe(self) -> None:
        if self._deadline is not None:
            return
        self._deadline = self.loop.call_later(REQUEST_S, self._late)
        self._waiting[self] = None
        if len(self._waiting) > MOST_WAITING:
            oldest = next((one for one in self._waiting if not one._is_admitted), self)
            oldest.transport.abort()

    def _owe_nothing(self) -> None:
        self._waiting.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        self._owe_nothing()
        if not self._is_admitted and not self._is_idle:
            self.transport.abort()

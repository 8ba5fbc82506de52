"""Serving: Uvicorn as our servers run it, until a signal, with calls ended before it waits."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

__all__ = ["run"]

_GRACE_S = 10
"""How long requests may take to end once their budgets were cancelled."""


def run(
    app: ASGIApp,
    listener: socket.socket,
    *,
    on_start: Callable[[], None],
    on_stop: Callable[[], None],
    at_most: int | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        app: what is served; its lifespan ends after its last request.
        listener: where it listens.
        on_start: called once it does.
        on_stop: called when it is told to stop, before it waits for requests to end.
        at_most: connections and requests that are served at once; the rest get 503.
    """
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=at_most,
        timeout_graceful_shutdown=_GRACE_S,
    )
    asyncio.run(_Server(config, on_start, on_stop).serve(sockets=[listener]))


class _Server(uvicorn.Server):
    """Says when it listens; ends calls before it waits for them."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], None], on_stop: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_stop = on_stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._on_stop()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # A signal asks for the end and is not raised again after it: the process exits with 0.
        _ = frame
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

"""Run Uvicorn until a signal arrives. Then end all calls, because Uvicorn waits for them."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any, Literal

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import WS_PROTOCOLS

from tabwarden.surfaces.guard.timing import SHUTDOWN_S

_WEBSOCKETS: Any = (  # Uvicorn before 0.35 has only the old one
    "websockets-sansio" if "websockets-sansio" in WS_PROTOCOLS else "websockets"
)
WS_LARGEST = 1 << 20
"""The longest message of a client, in bytes."""


def run(
    app: ASGIApp,
    listener: socket.socket,
    *,
    on_start: Callable[[], None],
    on_stop: Callable[[], None],
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        app: the application. Its lifespan ends after its last request.
        on_start: called when the server is ready.
        on_stop: called when the server must stop, before it waits for the running requests.
    """
    config = config_of(app, lifespan="on")
    asyncio.run(_Server(config, on_start, on_stop).serve(sockets=[listener]))


def config_of(app: ASGIApp, *, lifespan: Literal["on", "off"]) -> uvicorn.Config:
    """Return Uvicorn's settings for one of our servers."""
    return uvicorn.Config(
        app,
        http="h11",
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


class _Server(uvicorn.Server):
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
        # Unlike Uvicorn's own method, don't raise the signal again: the process exits with 0.
        _ = frame
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

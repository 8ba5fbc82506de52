"""Serving: a live view without another server: its own port, inside of a running program."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Mapping
from contextlib import ExitStack

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp

from tabwarden.errors import TabwardenError
from tabwarden.surfaces.guard.access import Access
from tabwarden.surfaces.guard.listening import listening, url_of
from tabwarden.surfaces.guard.serving import config_of
from tabwarden.surfaces.guard.tokens import Tokens
from tabwarden.surfaces.live.app import PATH, live_routes
from tabwarden.surfaces.live.live import Live
from tabwarden.surfaces.live.registry import registered

log = logging.getLogger("tabwarden.live")

HOST = "127.0.0.1"


class OwnServer:
    """Serves a live view on a free port of this machine, in the running event loop."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self._stack = ExitStack()
        self._serving: asyncio.Task[None] | None = None
        self._server: _Quiet | None = None

    async def start(self) -> str:
        """Start, unless it serves already. Return the server's URL."""
        if self._serving is None:
            listener = self._stack.enter_context(listening(HOST, 0))
            self.live.url = url_of(listener, HOST)
            tokens = Tokens(self.live.key)
            app = Starlette(
                routes=live_routes(self.live),
                middleware=[
                    Middleware(Access, tokens=tokens, host=HOST, refuse=_no, open_paths=(PATH,))
                ],
            )
            self._server = _Quiet(config_of(app, lifespan="off"))
            self._serving = asyncio.ensure_future(self._run(self._server, listener))
            self._serving.add_done_callback(_tell_failure)
            self._stack.enter_context(registered(self.live.server()))
        return self.live.url

    @staticmethod
    async def _run(server: uvicorn.Server, listener: socket.socket) -> None:
        await server.serve(sockets=[listener])

    async def stop(self) -> None:
        """Stop serving, and disconnect all viewers."""
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await asyncio.wait([self._serving])
        self._stack.close()
        self.live.close()


def _tell_failure(serving: asyncio.Task[None]) -> None:
    if not serving.cancelled() and (error := serving.exception()) is not None:
        log.error("The live view can't be served: %r", error)


class _Quiet(uvicorn.Server):
    """A server that leaves the program's signals alone."""

    def capture_signals(self) -> ExitStack:  # type: ignore[override]
        return ExitStack()


def _no(
    error: TabwardenError, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> ASGIApp:
    return JSONResponse(error.to_dict(), status or 403, headers)

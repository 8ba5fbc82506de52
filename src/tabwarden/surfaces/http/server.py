"""The server: listens, says where, and ends all browsers when it is told to stop."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from tabwarden.actions import Tasks
from tabwarden.config import Config
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.http.app import make_app
from tabwarden.surfaces.http.bearer import kept_token, token_file
from tabwarden.surfaces.http.calls import Service
from tabwarden.surfaces.opening import session_of

__all__ = ["MAX_REQUESTS", "MAX_TASKS", "serve"]

MAX_REQUESTS = 64
"""Requests that are served at the same time."""
MAX_TASKS = 16
"""Browsers that may be open at the same time."""
_GRACE_S = 10
"""How long requests may take to end once their budgets were cancelled."""


def serve(config: Config, tell: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT; then every browser is ended.

    Args:
        config: where to listen, with which token, and what browsers may do.
        tell: is told, once, where the server is and where its token.

    Raises:
        InvalidArgument: it can't listen there, or its token can't be kept.
    """
    named = config.server.token
    token = named.get_secret_value() if named is not None else kept_token(token_file())
    with _listening(config.server.host, config.server.port) as listener:
        url = _url(listener, config.server.host)
        where = "as configured" if named is not None else f"in {token_file()}"
        words = [f"Tabwarden serves on {url} (token: {where})"]
        if not _is_loopback(listener):
            words.append(
                "Other machines can reach it, and nothing is encrypted: whoever reads the token on "
                "its way owns these browsers."
            )
        service = Service(
            config.browser, Tasks(lambda: session_of(config.browser, own_context=True), MAX_TASKS)
        )
        app = make_app(service, token=token, host=config.server.host, max_requests=MAX_REQUESTS)
        server = _Server(
            uvicorn.Config(
                app,
                http="h11",
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=_GRACE_S,
            ),
            service,
            lambda: tell("\n".join(words)),
        )
        asyncio.run(server.serve(sockets=[listener]))


class _Server(uvicorn.Server):
    """Says when it listens; ends calls before it waits for them."""

    def __init__(
        self, config: uvicorn.Config, service: Service, on_start: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._service = service
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.tasks.cancel_calls("the server stops")
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # A signal asks for the end and is not raised again after it: the process exits with 0.
        _ = frame
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def _listening(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        return socket.create_server((str(address[0]), port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidArgument(
            f"The server can't listen on {host}:{port}: {reason}.",
            "Perhaps one runs there already. Name another port (--port 0: a free one) or host.",
            field="server.port",
        ) from None


def _url(listener: socket.socket, host: str) -> str:
    port = listener.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _is_loopback(listener: socket.socket) -> bool:
    return ipaddress.ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback

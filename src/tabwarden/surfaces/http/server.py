"""The server: listens, says where, and ends all browsers when it is told to stop."""

from __future__ import annotations

from collections.abc import Callable

from tabwarden.actions import Tasks
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.guard.listening import greeting, listening, token_of, url_of
from tabwarden.surfaces.guard.serving import run
from tabwarden.surfaces.http.app import make_app
from tabwarden.surfaces.http.service import Service
from tabwarden.surfaces.opening import session_of

__all__ = ["MAX_REQUESTS", "MAX_TASKS", "serve"]

MAX_REQUESTS = 64
"""Requests that are served at the same time."""
MAX_TASKS = 16
"""Browsers that may be open at the same time."""


def serve(live: LiveConfig, tell: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT; then every browser is ended.

    Args:
        live: where to listen, with which token, and what browsers may do; the last as it is at
            each request.
        tell: is told, once, where the server is and where its token.

    Raises:
        InvalidArgument: it can't listen there, or its token can't be kept.
    """
    server = live.now.server
    token = token_of(server.token)
    with listening(server.host, server.port) as listener:
        words = greeting(listener, url_of(listener, server.host), server.token)
        service = Service(live, Tasks(lambda: session_of(live, own_context=True), MAX_TASKS))
        run(
            make_app(service, token=token, host=server.host, max_requests=MAX_REQUESTS),
            listener,
            on_start=lambda: tell(words),
            on_stop=lambda: service.let_go("the server stops"),
        )

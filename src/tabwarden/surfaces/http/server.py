"""The server: listens, says where, and ends all browsers when it is told to stop."""

from __future__ import annotations

from collections.abc import Callable

from tabwarden.actions import Tasks
from tabwarden.config import Config
from tabwarden.surfaces.guard.listening import greeting, listening, token_of, url_of
from tabwarden.surfaces.guard.serving import run
from tabwarden.surfaces.http.app import make_app
from tabwarden.surfaces.http.calls import Service
from tabwarden.surfaces.opening import session_of

__all__ = ["MAX_REQUESTS", "MAX_TASKS", "serve"]

MAX_REQUESTS = 64
"""Requests that are served at the same time."""
MAX_TASKS = 16
"""Browsers that may be open at the same time."""


def serve(config: Config, tell: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT; then every browser is ended.

    Args:
        config: where to listen, with which token, and what browsers may do.
        tell: is told, once, where the server is and where its token.

    Raises:
        InvalidArgument: it can't listen there, or its token can't be kept.
    """
    server = config.server
    token = token_of(server.token)
    with listening(server.host, server.port) as listener:
        words = greeting(listener, url_of(listener, server.host), server.token)
        sessions = Tasks(lambda: session_of(config.browser, own_context=True), MAX_TASKS)
        service = Service(config.browser, sessions)
        run(
            make_app(service, token=token, host=server.host, max_requests=MAX_REQUESTS),
            listener,
            on_start=lambda: tell(words),
            on_stop=lambda: service.tasks.cancel_calls("the server stops"),
        )

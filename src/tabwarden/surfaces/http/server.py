"""The server: listens, tells its URL, and ends all browsers when it stops."""

from __future__ import annotations

from collections.abc import Callable

from tabwarden.actions import Tasks, session_of
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.guard.listening import greeting, listening, token_of, url_of
from tabwarden.surfaces.guard.serving import run
from tabwarden.surfaces.http.app import make_app
from tabwarden.surfaces.http.service import Service

MAX_REQUESTS = 64
"""Maximum number of concurrent requests."""
MAX_TASKS = 16
"""Maximum number of open browsers."""


def serve(live: LiveConfig, tell: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT, then end every browser.

    Args:
        live: the configuration. Host and token are read once, the permissions for each request.
        tell: called once with the server's URL and where its token is.

    Raises:
        InvalidArgument: the server can't listen on this host and port, or the token can't be
            stored.
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

"""The server: it listens, reports its URL, and closes all browsers when it stops."""

from __future__ import annotations

from collections.abc import Callable

from tabwarden.actions import Limits, Session, Tasks, TenantConfig, session_of, tenant_of
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.guard.listening import greeting, listening, token_of, url_of
from tabwarden.surfaces.guard.serving import Drain, run
from tabwarden.surfaces.guard.token_file import tokens_file
from tabwarden.surfaces.guard.tokens import Tokens
from tabwarden.surfaces.http.app import make_app
from tabwarden.surfaces.http.service import Service
from tabwarden.surfaces.live.registry import registered


def serve(live: LiveConfig, tell: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT, then close every browser.

    Args:
        live: the configuration. The host, the port and the token never change while the server
            runs. Each request uses the current permissions and limits.
        tell: called once with the server's URL and the location of its token.

    Raises:
        InvalidArgument: the server can't listen on this host and port, or can't store its token.
    """
    server = live.now.server
    tokens = Tokens(token_of(server.token), tokens_file(server.tokens_file))

    def new_session(name: str) -> Session:
        source = TenantConfig(live, tenant_of(name))
        return session_of(source, own_context=True, task_id=name)

    with listening(server.host, server.port) as listener:
        words = greeting(listener, url_of(listener, server.host), server.token)
        tasks = Tasks(new_session, lambda: Limits.of(live.now.server))
        service = Service(live, tasks)
        view = service.view
        view.url = url_of(listener, server.host)
        view.title = f"port {listener.getsockname()[1]}"
        with registered(view.server()):
            run(
                make_app(service, tokens=tokens, host=server.host),
                listener,
                on_start=lambda: tell(words),
                on_stop=lambda: service.let_go("the server stops"),
                drain=Drain(lambda: live.now.server.drain_s, tasks.refuse_calls, tasks.has_calls),
            )

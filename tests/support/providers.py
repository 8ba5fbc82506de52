"""Stubs of the providers' documented REST APIs, with a real Chromium behind a token gate."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import re
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.client import connect
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

__all__ = ["APIS", "KEY", "Api", "Call", "Gate", "Provider"]

KEY = "key-8f3a41c09b7e"
"""The only key that the stubs accept."""


_quiet = logging.getLogger("stub")
"""The gate's own log, in which secrets are allowed."""
_quiet.setLevel(logging.CRITICAL)


class Gate:
    """A WebSocket relay before the browser on ``port``; it lets each token in once.

    Args:
        port: the browser's debugging port.
        lasting: tokens stay good, as the addresses of providers do that sign nothing.
    """

    def __init__(self, port: int, *, lasting: bool = False) -> None:
        self.port = 0
        self.entered = 0
        self.locked = False
        """While it is, nobody gets in."""
        self.deaf = False
        """While it is, who gets in is not answered."""
        self._browser = port
        self.lasting = lasting
        self._tokens: set[str] = set()
        self._numbers = itertools.count(1)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._over: asyncio.Event
        self._thread = threading.Thread(target=self._run, daemon=True)

    def token(self) -> str:
        """A fresh token: a part of a signed address."""
        token = f"signed-{next(self._numbers)}-c4d81f"
        self._tokens.add(token)
        return token

    def __enter__(self) -> Gate:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._over = asyncio.Event()
        async with serve(
            self._relay, "127.0.0.1", 0, process_request=self._admit, compression=None,
            max_size=None, close_timeout=1, logger=_quiet,
        ) as server:  # fmt: skip
            self.port = server.sockets[0].getsockname()[1]
            self._ready.set()
            await self._over.wait()
            for client in server.connections:
                client.transport.abort()

    def _admit(self, client: ServerConnection, request: Request) -> Response | None:
        token = parse_qs(urlsplit(request.path).query).get("sig", [""])[0]
        if self.locked or token not in self._tokens:
            return client.respond(HTTPStatus.FORBIDDEN, "this address has expired")
        if "Upgrade" not in request.headers:  # /json/version of an https discovery address
            page = {"webSocketDebuggerUrl": f"ws://127.0.0.1:{self.port}/?sig={token}"}
            return client.respond(HTTPStatus.OK, json.dumps(page))
        if not self.lasting:
            self._tokens.discard(token)
        self.entered += 1
        return None

    async def _relay(self, client: ServerConnection) -> None:
        page = await asyncio.to_thread(
            lambda: urllib.request.urlopen(f"http://127.0.0.1:{self._browser}/json/version").read()
        )
        address = json.loads(page)["webSocketDebuggerUrl"]
        async with connect(address, compression=None, max_size=None, proxy=None) as browser:
            ways = (self._carry(client, browser), self._carry(browser, client))
            tasks = [self._loop.create_task(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _carry(self, source: Connection, sink: Connection) -> None:
        try:
            async for frame in source:
                if self.deaf:
                    continue
                await sink.send(frame)
        except ConnectionClosed:
            return


@dataclass(frozen=True)
class Call:
    """One request that a stub received."""

    does: str
    """``create``, ``look``, ``live`` or ``release``; "" for requests outside its API."""
    method: str
    path: str
    body: Any


@dataclass(frozen=True)
class Api:
    """One provider's documented API."""

    scheme: str
    environment: Callable[[str], dict[str, str]]
    """The variables that select a stub at this base URL."""
    authorized: Callable[[dict[str, str], dict[str, str]], bool]
    """From the headers (names in lower case) and the query."""
    calls: dict[str, tuple[str, str]]
    """Each request's method and path, with ``{id}`` for the session's."""
    shown: Callable[[Provider, str, str], dict[str, Any]]
    """The session in the API's format: stub, ID, ``running`` or ``over``."""
    released_by: Any = None
    """The body that a release must have."""
    found: Callable[[Provider, str, str], dict[str, Any]] | None = None
    """The format of ``look``, if it differs from ``create``'s."""
    live: Callable[[str], dict[str, Any]] | None = None


def _header(name: str, value: str = KEY) -> Callable[[dict[str, str], dict[str, str]], bool]:
    return lambda headers, query: headers.get(name) == value


def _keys(prefix: str, key: str, **more: str) -> Callable[[str], dict[str, str]]:
    return lambda url: {key: KEY, f"{prefix}_BASE_URL": url, **more}


APIS = {
    api.scheme: api
    for api in (
        Api(
            "browserbase",
            _keys("BROWSERBASE", "BROWSERBASE_API_KEY", BROWSERBASE_PROJECT_ID="project-1"),
            _header("x-bb-api-key"),
            {
                "create": ("POST", "/v1/sessions"),
                "look": ("GET", "/v1/sessions/{id}"),
                "live": ("GET", "/v1/sessions/{id}/debug"),
                "release": ("POST", "/v1/sessions/{id}"),
            },
            lambda stub, name, state: {
                "id": name, "connectUrl": stub.signed(), "projectId": "project-1",
                "status": "RUNNING" if state == "running" else "COMPLETED",
            },
            {"status": "REQUEST_RELEASE", "projectId": "project-1"},
            live=lambda name: {"debuggerFullscreenUrl": f"https://live.invalid/{name}"},
        ),
        Api(
            "browserless",
            _keys("BROWSERLESS", "BROWSERLESS_TOKEN"),
            lambda headers, query: query.get("token") == KEY,
            {"create": ("POST", "/session"), "release": ("DELETE", "/session/{id}")},
            lambda stub, name, state: {
                "id": name, "connect": stub.signed(), "stop": f"{stub.url}/session/{name}",
            },
        ),
        Api(
            "steel",
            _keys("STEEL", "STEEL_API_KEY"),
            _header("steel-api-key"),
            {
                "create": ("POST", "/v1/sessions"),
                "look": ("GET", "/v1/sessions/{id}"),
                "release": ("POST", "/v1/sessions/{id}/release"),
            },
            lambda stub, name, state: {
                "id": name, "websocketUrl": stub.signed(),
                "debugUrl": f"https://live.invalid/{name}",
                "sessionViewerUrl": "https://viewer.invalid",
                "status": "live" if state == "running" else "released",
            },
        ),
        Api(
            "kernel",
            _keys("KERNEL", "KERNEL_API_KEY"),
            _header("authorization", f"Bearer {KEY}"),
            {
                "create": ("POST", "/browsers"),
                "look": ("GET", "/browsers/{id}"),
                "release": ("DELETE", "/browsers/{id}"),
            },
            lambda stub, name, state: {
                "session_id": name, "cdp_ws_url": stub.signed(),
                "browser_live_view_url": f"https://live.invalid/{name}",
                "deleted_at": None if state == "running" else "2026-01-01T00:00:00Z",
            },
        ),
        Api(
            "hyperbrowser",
            _keys("HYPERBROWSER", "HYPERBROWSER_API_KEY"),
            _header("x-api-key"),
            {
                "create": ("POST", "/api/session"),
                "look": ("GET", "/api/session/{id}"),
                "release": ("PUT", "/api/session/{id}/stop"),
            },
            lambda stub, name, state: {
                "id": name, "wsEndpoint": stub.signed(),
                "liveUrl": f"https://live.invalid/{name}",
                "status": "active" if state == "running" else "closed",
            },
        ),
        Api(
            "anchor",
            _keys("ANCHOR", "ANCHOR_API_KEY"),
            _header("anchor-api-key"),
            {
                "create": ("POST", "/v1/sessions"),
                "look": ("GET", "/v1/sessions/{id}"),
                "release": ("DELETE", "/v1/sessions/{id}"),
            },
            lambda stub, name, state: {
                "data": {
                    "id": name, "cdp_url": stub.signed(),
                    "live_view_url": f"https://live.invalid/{name}",
                }
            },
            found=lambda stub, name, state: {
                "data": {"session_id": name, "status": "running" if state == "running" else "ended"}
            },
        ),
        Api(
            "browser-use",
            _keys("BROWSER_USE", "BROWSER_USE_API_KEY"),
            _header("x-browser-use-api-key"),
            {
                "create": ("POST", "/api/v3/browsers"),
                "look": ("GET", "/api/v3/browsers/{id}"),
                "release": ("PATCH", "/api/v3/browsers/{id}"),
            },
            # An http discovery address, like the providers'.
            lambda stub, name, state: {
                "id": name, "cdpUrl": stub.signed().replace("ws:", "http:"),
                "liveUrl": f"https://live.invalid/{name}",
                "status": "active" if state == "running" else "stopped",
            },
            {"action": "stop"},
        ),
    )
}  # fmt: skip


@dataclass
class Provider:
    """A running stub; ``calls`` has its requests, the other fields make it fail."""

    api: Api
    gate: Gate
    calls: list[Call] = field(default_factory=list)
    fails: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    """By kind of call: status and body in place of the response."""
    slow_s: dict[str, float] = field(default_factory=dict)
    """By kind of call: the delay."""
    over: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    """Requests that the API does not document."""

    def __post_init__(self) -> None:
        self._numbers = itertools.count(1)
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, answer = stub.answer(self.command, self.path, headers, body)
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(answer)))
                    if status == 429:
                        self.send_header("Retry-After", "7")
                    self.end_headers()
                    self.wfile.write(answer)
                except OSError:
                    """The client gave up: its good right."""

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that select this stub."""
        return self.api.environment(self.url)

    def signed(self) -> str:
        """A connect URL that works once."""
        return f"ws://127.0.0.1:{self.gate.port}/?sig={self.gate.token()}"

    def did(self, what: str) -> list[Call]:
        """The calls of this kind."""
        return [call for call in self.calls if call.does == what]

    def answer(
        self, method: str, path: str, headers: dict[str, str], body: Any
    ) -> tuple[int, bytes]:
        """Status and body for one request."""
        parts = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        does, name = self._meant(method, parts.path)
        self.calls.append(Call(does, method, parts.path, body))
        if not does:
            self.wrong.append(f"{method} {parts.path}")
            return 404, b'{"message": "no such path"}'
        if not self.api.authorized(headers, query):
            return 401, json.dumps({"message": f"bad key {headers} {query}"}).encode()
        time.sleep(self.slow_s.get(does, 0))
        if does in self.fails:
            return self.fails[does]
        if does == "release":
            if body != self.api.released_by:
                self.wrong.append(f"release with {body}")
            self.over.add(name)
            return 200, b"{}"
        if does == "live" and self.api.live is not None:
            return 200, json.dumps(self.api.live(name)).encode()
        if does == "create" and not isinstance(body, dict):
            self.wrong.append(f"create with {body}")
        show = self.api.found if does == "look" and self.api.found else self.api.shown
        return 200, json.dumps(show(self, name, self._state(name))).encode()

    def _meant(self, method: str, path: str) -> tuple[str, str]:
        for does, (wanted, form) in self.api.calls.items():
            matched = re.fullmatch(form.replace("{id}", "([^/]+)"), path)
            if matched is not None and method == wanted:
                created = does == "create"
                return does, f"session-{next(self._numbers)}" if created else matched[1]
        return "", ""

    def _state(self, name: str) -> str:
        return "over" if name in self.over else "running"

    def __enter__(self) -> Provider:
        self._thread.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

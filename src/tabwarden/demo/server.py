"""The shop's web server. It serves the files in ``demo/shop`` as two sites, only on the loopback
interface.

To a browser, ``127.0.0.1`` and ``localhost`` are different sites. So if one site shows a page from
the other site in an iframe, the iframe is a real out-of-process iframe. In a page,
``{{other_site}}`` becomes the origin of the other site.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import NamedTuple, Self

IDLE_S = 30.0
"""The server closes a connection that has sent nothing for this long."""
_NAMES = ("127.0.0.1", "localhost")
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_OTHER_SITE = b"{{other_site}}"


class _File(NamedTuple):
    """One file of the shop, kept in memory so that no request can lead to another file."""

    body: bytes
    media_type: str


class ShopServer:
    """Serves the shop during the ``with`` block, on a port that the system chooses."""

    def __init__(self) -> None:
        self._server = _Server(_shop_files())
        port = self._server.server_address[1]
        self.shop = f"http://{_NAMES[0]}:{port}"
        """The origin of the shop and the bank."""
        self.payments = f"http://{_NAMES[1]}:{port}"
        """The origin of the payment service, which is a different site."""
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, files: Mapping[str, _File]) -> None:
        super().__init__((_NAMES[0], 0), _Handler)
        self.files = files
        port = self.server_address[1]
        first, second = (f"{name}:{port}" for name in _NAMES)
        self.other_host = {first: second, second: first}
        """Maps each allowed ``Host`` header to the host of the other site."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore the error, because it only means that the browser disconnected."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = IDLE_S

    def do_GET(self) -> None:
        other = self.server.other_host.get(self.headers.get("Host", ""))
        if other is None:
            self._send(421, _File(b"This server is the demo's shop only.\n", "text/plain"), "")
            return
        path = self.path.partition("?")[0]
        content = self.server.files.get(path)
        status = 200 if content is not None else 404
        self._send(status, content or self.server.files["/404"], f"http://{other}")

    do_HEAD = do_GET  # noqa: N815

    def _send(self, status: int, file: _File, other_site: str) -> None:
        body = file.body
        self.send_response(status)
        if file.media_type.startswith("text/html"):
            body = body.replace(_OTHER_SITE, other_site.encode())
            self.send_header("Content-Security-Policy", _policy(other_site))
        self.send_header("Content-Type", file.media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing, because the demo prints to the same terminal."""


def _policy(other_site: str) -> str:
    """Return a strict content security policy, to show that Tabwarden works with one."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"frame-src {other_site}; frame-ancestors 'self' {other_site}; "
        "base-uri 'none'; form-action 'none'"
    )


def _shop_files() -> dict[str, _File]:
    """Return the shop's files, keyed by URL path: ``/`` for ``index.html``, ``/a`` for
    ``a.html``."""
    files: dict[str, _File] = {}
    for entry in (resources.files("tabwarden.demo") / "shop").iterdir():
        stem, dot, ending = entry.name.rpartition(".")
        media_type = _TYPES.get(dot + ending)
        if media_type is None:
            continue
        path = entry.name if ending != "html" else "" if stem == "index" else stem
        files[f"/{path}"] = _File(entry.read_bytes(), media_type)
    return files

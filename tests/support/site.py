"""Pages that tests serve themselves, on two sites: 127.0.0.1 and localhost.

The two names are different sites to Chromium, so an iframe from one in the other is a real
out-of-process iframe.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import ClassVar

__all__ = ["Site"]

Respond = Callable[[BaseHTTPRequestHandler], None]


class Site:
    """A web server on loopback; ``pages`` maps paths to HTML, or to a function that answers."""

    def __init__(self) -> None:
        self.pages: dict[str, str | Respond] = {}
        self.hits: list[str] = []
        pages, hits = self.pages, self.hits

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            served: ClassVar = pages

            def do_GET(self) -> None:
                hits.append(self.path)
                page = self.served.get(self.path.partition("?")[0])
                if callable(page):
                    page(self)
                    return
                body = (page if page is not None else "not here").encode()
                self.send_response(200 if page is not None else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_DELETE = do_HEAD = do_GET  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Log nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: object, client_address: object) -> None:
                """A browser that disconnects is not an error of the test."""

        self._server = Server(("127.0.0.1", 0), Handler)
        # ``shutdown`` waits for the next poll, which is half a second away by default
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        port = self._server.server_address[1]
        self.here = f"http://127.0.0.1:{port}"
        self.there = f"http://localhost:{port}"
        """The same pages under another site."""

    def page(self, path: str, body: str, *, title: str = "Test") -> str:
        """Serve an HTML body at ``path``; return its URL on the first site."""
        self.pages[path] = f"<!doctype html><title>{title}</title><body>{body}"
        return self.here + path

    def __enter__(self) -> Site:
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

"""Servers with unexpected or missing responses."""

from __future__ import annotations

import itertools
from http.server import BaseHTTPRequestHandler

from support.hangs.hang import Respond

__all__ = ["broken", "cut_short", "drip", "headers_only", "redirecting", "script", "silent"]

_numbers = itertools.count()


def silent(handler: BaseHTTPRequestHandler) -> None:
    """Never respond, for as long as the browser waits."""
    handler.close_connection = True
    handler.connection.recv(1)


def headers_only(handler: BaseHTTPRequestHandler) -> None:
    """Promise a body and never send it."""
    _head(handler, length=1000)
    silent(handler)


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Send one byte per second."""
    _head(handler, length=100_000)
    handler.close_connection = True
    handler.connection.settimeout(1)
    while True:
        handler.wfile.write(b"x")
        try:
            handler.connection.recv(1)
        except TimeoutError:
            continue
        return


def cut_short(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection in the middle of the body."""
    _head(handler, length=1000)
    handler.wfile.write(b"<h1>Half</h1>")
    handler.close_connection = True


def broken(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection without a response."""
    handler.close_connection = True


def redirecting(path: str) -> Respond:
    """Redirect to ``path``, with a different query each time."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", f"{path}?{next(_numbers)}")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def script(text: str) -> Respond:
    """Respond with JavaScript."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        _head(handler, length=len(text.encode()), kind="text/javascript")
        handler.wfile.write(text.encode())

    return answer


def _head(handler: BaseHTTPRequestHandler, *, length: int, kind: str = "text/html") -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(length))
    handler.end_headers()

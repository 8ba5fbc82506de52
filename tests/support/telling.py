"""Pages that tell a test, from the middle of a script, that they got so far."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

from support.site import Site

__all__ = ["THEN_HANG", "tell_when_begun"]

THEN_HANG = (
    "{ const x = new XMLHttpRequest(); x.open('GET', '/begun', false); x.send(); while (1) {} }"
)
"""Tells, and goes on for ever."""


def tell_when_begun(site: Site, callback: Callable[[], object]) -> None:
    """Call ``callback``, on a thread of the server's, whenever a page asks for ``/begun``."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(204)
        request.send_header("Content-Length", "0")
        request.end_headers()
        callback()

    site.pages["/begun"] = answer

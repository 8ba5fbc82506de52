"""Pages that report to a test from the middle of a script."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

from support.site import Site
from tabwarden.sync import Browser

__all__ = ["TELL", "THEN_HANG", "hang", "tell_when_begun"]

TELL = "{ const x = new XMLHttpRequest(); x.open('GET', '/begun', false); x.send() }"
"""A script that reports to the test that it is running."""
THEN_HANG = f"{{ {TELL} while (1) {{}} }}"


def tell_when_begun(site: Site, callback: Callable[[], object]) -> None:
    """Call ``callback``, on a server thread, when a page requests ``/begun``."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(204)
        request.send_header("Content-Length", "0")
        request.end_headers()
        callback()

    site.pages["/begun"] = answer


def hang(browser: Browser, site: Site, **where: Any) -> None:
    """Hang a page of the site by a timer. It hangs when this returns.

    ``where`` is for ``evaluate``: the tab or the frame.
    """
    begun = threading.Event()
    tell_when_begun(site, begun.set)
    browser.evaluate(f"setTimeout(() => {THEN_HANG}); 0", **where)
    assert begun.wait(60)

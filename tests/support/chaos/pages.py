"""The pages of a run, and the reports that they send to the test."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from support.site import Site

__all__ = ["DOWNLOAD", "PATHS", "Pages"]

DOWNLOAD = 300_000
"""The size of the downloadable file, in bytes."""
PATHS = ("/", "/frames", "/plain", "/long")

_ASK = """
function ask(message) {
  const told = new XMLHttpRequest();
  told.open("GET", "/asked?message=" + message, false);
  told.send();
  return confirm(message);
}
"""
_BODY = """<script>$ask</script>
<h1>$title</h1><button onclick="this.dataset.n = 1 + +(this.dataset.n || 0)">Count</button>
<input aria-label=Name><a href="/plain">Plain</a><select><option>One<option>Two</select>
"""


class Pages:
    """Serves the pages; ``asked`` has the dialogs that pages were about to open."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._asked: list[str] = []
        self._lock = threading.Lock()
        frames = (
            f"<iframe src='{site.there}/plain?in=1'></iframe><iframe src='/plain?in=2'></iframe>"
        )
        for path, more in (("/", ""), ("/plain", ""), ("/frames", frames), ("/long", "<p>x" * 500)):
            body = _BODY.replace("$ask", _ASK).replace("$title", path) + more
            site.page(path, body, title=path)
        site.pages["/asked"] = self._told
        site.pages["/file"] = self._file

    def asked(self) -> set[str]:
        """The messages of the dialogs that pages were about to open."""
        with self._lock:
            return set(self._asked)

    def _told(self, request: BaseHTTPRequestHandler) -> None:
        with self._lock:
            self._asked += parse_qs(urlsplit(request.path).query)["message"]
        _answer(request, b"")

    def _file(self, request: BaseHTTPRequestHandler) -> None:
        _answer(request, b"x" * DOWNLOAD, "application/octet-stream")


def _answer(request: BaseHTTPRequestHandler, body: bytes, kind: str = "text/plain") -> None:
    request.send_response(200)
    request.send_header("Content-Type", kind)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)

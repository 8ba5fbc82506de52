"""Beats: each task's page tells us ten times a second that it lives, with its generation.

So a browser that goes on after its task has a new one is seen, whatever the fleet believes. A page
begins only when its agent says so: a new browser opens the tabs of the last one by their URLs.
"""

from __future__ import annotations

import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from support.fleet_history import Owned

_PAGE = b"""<!doctype html><title>alive</title>
<style>button { width: 300px; height: 200px }</style>
<button onclick="this.textContent = ++count">0</button>
<script>
let count = 0;
const beat = () => fetch('/beat' + location.search + '&sent=' + Date.now(), {method: 'POST'});
const begin = () => setInterval(beat, 100);
</script>"""


class Beats:
    """The server of the agents' pages.

    Args:
        address: where to listen.
    """

    def __init__(self, address: str) -> None:
        self._lived: dict[tuple[str, int], tuple[float, float]] = {}
        lived = self._lived

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(_PAGE)))
                self.end_headers()
                self.wfile.write(_PAGE)

            def do_POST(self) -> None:
                given = parse_qs(urlsplit(self.path).query)
                key = given["task"][0], int(given["generation"][0])
                # When the page sent it, not when we read it: all machines share one clock.
                sent = int(given["sent"][0]) / 1000 - time.time() + time.monotonic()
                first, last = lived.get(key, (sent, sent))
                lived[key] = min(first, sent), max(last, sent)
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Log nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: object, client_address: object) -> None:
                """A killed browser disconnects."""

        self._server = Server((address, 0), Handler)
        self.url = f"http://{address}:{self._server.server_address[1]}/"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def owned(self) -> list[Owned]:
        """Return the intervals in which each generation of each task lived."""
        return [
            Owned(task=task, generation=generation, host_id=f"browser {generation}",
                  since=first, until=last)
            for (task, generation), (first, last) in list(self._lived.items())
        ]  # fmt: skip

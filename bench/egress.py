"""Measures the egress proxy: the same pages with and without it, in the same run.

    python -m bench.egress [--quick] [--json FILE]

A loopback server in this process replaces the network. With a real network, the proxy's share is
smaller, because its cost is per connection and per chunk, independent of the distance.

- *request*: ``fetch`` of 1 kB over an open connection.
- *new connection*: the same from a server that closes each connection.
- *page*: ``goto`` of a page with 30 scripts, styles and pictures.
- *small page*: ``goto`` of a page alone.
- *10 MB*: ``fetch`` of 10 MB.

In turns, browser by browser.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench.bench import Asked, Bench, alone
from bench.rows import OWN, Row
from tabwarden.browser.opening_request import OpeningRequest
from tabwarden.config import load_config
from tabwarden.endpoints.endpoint import LaunchEndpoint
from tabwarden.endpoints.finding import Probed
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.sync import Browser

PARTS = 30
FETCH = (
    "async (path, times) => { const began = performance.now();"
    " for (let n = 0; n < times; n++) await (await fetch(path + '?' + n)).arrayBuffer();"
    " return (performance.now() - began) / times }"
)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        kind, body = "text/html", b"<!doctype html><title>Bench</title>Hello"
        if path == "/page":
            parts = "".join(f"<script src=/part.js?{n}></script>" for n in range(PARTS))
            body = f"<!doctype html><title>Bench</title>{parts}".encode()
        elif path == "/part.js":
            kind, body = "text/javascript", b"// part\n" * 250
        elif path == "/big":
            kind, body = "application/octet-stream", b"x" * 10_000_000
        elif path != "/":
            kind, body = "text/plain", b"x" * 1000
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(body)))
        if path == "/close":
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


def _serve(told: Connection) -> None:
    server = _Server(("127.0.0.1", 0), _Handler)
    told.send(server.server_address[1])
    server.serve_forever()


def _timed(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def _measures(browser: Browser, here: str) -> dict[str, Callable[[], float]]:
    def fetched(path: str, times: int) -> Callable[[], float]:
        return lambda: browser.evaluate(FETCH, args=[path, times]).value

    return {
        "request": fetched("/x", 50),
        "new connection": fetched("/close", 20),
        "small page": lambda: _timed(lambda: browser.goto(here)),
        "page": lambda: _timed(lambda: browser.goto(f"{here}page")),
        "10 MB": fetched("/big", 1),
    }


def _without(browser: Path) -> Browser:
    """Launch a browser as ``Browser.launch`` does, but without the proxy."""
    config = load_config().browser
    options = LaunchOptions(executable=browser)
    return Browser._open(OpeningRequest(LaunchEndpoint(options), config, None, None), None, None)


def measure_all(asked: Asked, found: Probed, here: str) -> None:
    browser = Path(asked.browser)
    with Browser.launch(executable=browser) as guarded, _without(browser) as bare:
        ways = {OWN: guarded, "without": bare}
        taken: dict[str, dict[str, list[float]]] = {}
        for opened in ways.values():
            opened.goto(here)
        for number in range(asked.rounds(30, 5) + 1):
            order = list(ways.items())
            for way, opened in order if number % 2 else reversed(order):
                for name, take in _measures(opened, here).items():
                    ms = take()
                    if number:  # the first is to warm up
                        taken.setdefault(name, {}).setdefault(way, []).append(ms)
    found.add(*(Row(name, by_way) for name, by_way in taken.items()))


async def measure(asked: Asked, found: Probed) -> None:
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,))
    server.start()
    try:
        await asyncio.to_thread(measure_all, asked, found, f"http://127.0.0.1:{ours.recv()}/")
    finally:
        server.terminate()
        server.join()


BENCH = Bench("egress", "The network policy's proxy", measure, deadline_s=300)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

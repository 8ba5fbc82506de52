"""A stopping server lets running calls finish within the operator's limit."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler

import httpx2
import pytest
from browser.surfaces.http.client import Api, Serving, failed, serving
from support.eventually import eventually
from support.site import Site

DRAINS = {"TABWARDEN_SERVER__DRAIN_S": "60"}


class Held:
    """A page's request that the test answers."""

    def __init__(self, site: Site) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        site.pages["/held"] = self._answer

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        self.begun.set()
        self.go.wait(60)
        request.send_response(200)
        request.send_header("Content-Length", "2")
        request.end_headers()
        request.wfile.write(b"ok")


def begin(thread: ThreadPoolExecutor, api: Api, site: Site, held: Held) -> Future[httpx2.Response]:
    """Start a call that lasts until the page gets its response."""
    api.post("/navigate", url=site.page("/", "page"))
    script = "fetch('/held').then(answer => answer.text())"
    asked = {"kind": "evaluate", "fn": script, "timeoutMs": 60_000}
    call = thread.submit(api.http.post, "/act", json=asked)
    assert held.begun.wait(60)
    return call


def stopping(server: Serving) -> None:
    """Return when the server has received the stop signal."""
    eventually(
        lambda: (
            httpx2.get(f"{server.url}/readyz", trust_env=False).json().get("reason") == "stopping"
        )
    )


def test_draining_server_finishes_running_calls_and_rejects_new_calls(site: Site) -> None:
    held = Held(site)
    with serving(**DRAINS) as server, Api(server.url) as api, ThreadPoolExecutor() as thread:
        call = begin(thread, api, site, held)
        server.process.send_signal(signal.SIGTERM)
        stopping(server)
        with Api(server.url, task="another") as other:
            for path, fields in (("/start", {}), ("/act", {"kind": "evaluate", "fn": "1"})):
                response = other.http.post(path, json=fields)
                assert failed(response, 503)["tabwarden"]["code"] == "capacity"
                assert response.headers["retry-after"] == "5"
        assert httpx2.get(f"{server.url}/healthz", trust_env=False).status_code == 200
        held.go.set()
        assert call.result(60).json()["result"] == "ok"
        assert server.process.wait(60) == 0


@pytest.mark.long
def test_second_signal_cancels_the_running_calls(site: Site) -> None:
    held = Held(site)
    with serving(**DRAINS) as server, Api(server.url) as api, ThreadPoolExecutor() as thread:
        call = begin(thread, api, site, held)
        server.process.send_signal(signal.SIGTERM)
        stopping(server)
        server.process.send_signal(signal.SIGTERM)
        assert call.result(60).json()["tabwarden"]["code"] == "cancelled"
        assert server.process.wait(60) == 0
        held.go.set()

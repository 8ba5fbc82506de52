"""A host disconnects during a call: the server and its browser exit."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from browser.surfaces.mcp.host import descendants, wait_for_end
from browser.surfaces.mcp.raw_host import Server
from support.eventually import eventually
from support.site import Site
from support.telling import THEN_HANG, tell_when_begun


@pytest.fixture
def begun(site: Site) -> threading.Event:
    """Set when a page starts to hang."""
    told = threading.Event()
    tell_when_begun(site, told.set)
    return told


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.mark.parametrize("leave", ["stdin", "SIGINT", "SIGTERM"])
@pytest.mark.long
def test_mcp_server_and_browser_exit_if_the_host_disconnects_during_a_call(
    leave: str, server: Server, site: Site, begun: threading.Event
) -> None:
    server.answer(server.begin("browser_navigate", url=site.page("/", "page")))
    server.begin("browser_evaluate", script=THEN_HANG, timeout_ms=60_000)
    server.begin("browser_wait", text="never there", timeout_ms=60_000)
    assert begun.wait(60)
    below = descendants(server.process.pid)
    assert len(below) > 2
    if leave == "stdin":
        server.hang_up()
    else:
        server.process.send_signal(signal.Signals[leave])
    status = server.ended()
    assert status in {"stdin": (0,), "SIGINT": (130,), "SIGTERM": (-15, 143)}[leave]
    wait_for_end(below)


@pytest.mark.long
def test_mcp_server_exits_if_the_host_disconnects_during_connect(site: Site) -> None:
    asked, over = threading.Event(), threading.Event()

    def keep(_: BaseHTTPRequestHandler) -> None:
        asked.set()
        over.wait(60)

    site.pages["/silent/json/version"] = keep
    with Server("--endpoint", f"{site.here}/silent") as server:
        for _ in range(3):
            server.begin("browser_navigate", url="about:blank", timeout_ms=60_000)
        assert asked.wait(60)
        server.hang_up()
        assert server.ended() == 0
    over.set()


@pytest.mark.long
def test_mcp_server_and_browser_exit_if_the_host_disconnects_during_launch(server: Server) -> None:
    server.begin("browser_navigate", url="about:blank")
    below = eventually(lambda: descendants(server.process.pid))
    server.hang_up()
    assert server.ended() == 0
    wait_for_end(below)

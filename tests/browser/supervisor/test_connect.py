"""Attaching to a running browser with all its tabs, whatever their state."""

from __future__ import annotations

import urllib.request

import pytest
from support.site import Site

from tabwarden.errors import BudgetExceeded, EndpointUnreachable, InvalidArgument
from tabwarden.sync import Browser


def test_second_connect_finds_the_first_connections_tabs(port: int, site: Site) -> None:
    with Browser.connect(f"http://127.0.0.1:{port}") as first:
        first.goto(site.page("/", "<button>Go</button>", title="Mine"))
        first.tabs("open", url=site.page("/2", "two", title="Two"))
    with Browser.connect(f"http://127.0.0.1:{port}") as second:
        tabs = second.tabs("list").value
        assert {tab["title"] for tab in tabs} == {"Mine", "Two"}
        (mine,) = [tab["tab_id"] for tab in tabs if tab["title"] == "Mine"]
        assert '"Go"' in second.snapshot(tab_id=mine).text


def test_connect_accepts_a_websocket_address(port: int, site: Site) -> None:
    told = urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version").read().decode()
    address = told.split('"webSocketDebuggerUrl": "')[1].split('"')[0]
    with Browser.connect(address) as browser:
        browser.goto(site.page("/", "hello"))
        assert browser.evaluate("document.body.innerText").value == "hello"


def test_connect_does_not_wait_for_hung_tabs_or_dialogs(port: int, site: Site) -> None:
    hangs = site.page("/hangs", "<script>onclick = () => { for (;;); }</script>", title="Hangs")
    with Browser.connect(f"http://127.0.0.1:{port}") as first:
        for _ in range(3):
            first.tabs("open", url=hangs)
            first.evaluate("setTimeout(() => { for (;;); }, 0); 0")
        first.tabs("open", url=site.page("/dialog", "x", title="Asks"))
        first.evaluate("setTimeout(() => alert('old'), 0); 0")
    with Browser.connect(f"http://127.0.0.1:{port}") as second:
        second.tabs("open", url=site.page("/fine", "fine"))
        assert second.evaluate("document.body.innerText").value == "fine"
        assert len(second.state.tabs) == 6
        stuck = [t.tab_id for t in second.state.tabs if t.url == hangs]
        with pytest.raises(BudgetExceeded) as caught:
            second.evaluate("1", tab_id=stuck[0], timeout_ms=1_000)
        assert caught.value.hint
        assert second.snapshot(tab_id=stuck[0], timeout_ms=1_000).stale
        assert second.evaluate("1").value == 1


@pytest.mark.parametrize(
    ("endpoint", "error"),
    [
        ("http://127.0.0.1:9", EndpointUnreachable),
        ("ws://127.0.0.1:9/devtools/browser/x", EndpointUnreachable),
        ("http://no-such-host.invalid:9222", EndpointUnreachable),
        ("ftp://127.0.0.1", InvalidArgument),
        ("9222", EndpointUnreachable),
        ("", InvalidArgument),
        ("what is this", InvalidArgument),
    ],
)
def test_connect_reports_an_invalid_or_dead_endpoint(endpoint: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        Browser.connect(endpoint)


def test_connect_rejects_the_address_of_a_web_page(site: Site) -> None:
    with pytest.raises(EndpointUnreachable):
        Browser.connect(site.page("/", "hello"))

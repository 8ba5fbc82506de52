"""Through a slow relay that dismisses every native dialog, like remote providers."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.asking import (
    BRIDGES_AND_POLICIES,
    answer_all,
    asking_page,
)
from support.eventually import eventually
from support.reading import ref_of
from support.relay import Relay
from support.running import running_chromium
from support.site import Site
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tabwarden.config import BrowserConfig
from tabwarden.errors import NoDialog
from tabwarden.sync import Browser

DELAY_MS = (20, 40)


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    """Like the shared browser, but with site isolation, so that frames are OOPIFs."""
    with running_chromium(folder, "--site-per-process") as port:
        yield port


@pytest.fixture
def relay(port: int) -> Iterator[Relay]:
    with Relay(port, delay_ms=DELAY_MS, dismisses=True) as relay:
        yield relay


@pytest.mark.parametrize(("bridge", "policy"), BRIDGES_AND_POLICIES)
@pytest.mark.long
def test_bridge_delivers_all_answers_through_a_relay_that_dismisses_dialogs(
    bridge: Any, policy: str, relay: Relay, site: Site
) -> None:
    with Browser.connect(relay.url, config=BrowserConfig(dialog_bridge=bridge)) as browser:
        browser.tabs("open")  # what the agent opens, only the agent answers
        browser.goto(site.page("/", asking_page(policy)))
        browser.evaluate("setTimeout(ask, 0, 1, 20); 0")
        values = answer_all(browser, 20)
        assert browser.evaluate("got").value == values
        assert {dialog.closed_by for dialog in browser.state.recent_dialogs} == {"agent"}
    assert relay.dismissed == 0


@pytest.mark.parametrize(
    ("bridge", "policy", "other"),
    [
        (bridge, policy, other)
        for bridge, policy in BRIDGES_AND_POLICIES
        for other in (False, True)
        # The XHR bridge leaves a cross-site frame to the native function: it may be sandboxed.
        if bridge != "xhr" or not other
    ],
)
def test_bridge_delivers_answers_to_a_frame_through_a_relay_that_dismisses_dialogs(
    bridge: Any, policy: str, other: bool, relay: Relay, site: Site
) -> None:
    site.page("/inner", asking_page(policy, "<script>setTimeout(ask, 20, 1, 5)</script>"))
    source = (site.there if other else site.here) + "/inner"
    with Browser.connect(relay.url, config=BrowserConfig(dialog_bridge=bridge)) as browser:
        browser.tabs("open")  # what the agent opens, only the agent answers
        browser.goto(site.page("/", f'<iframe src="{source}"></iframe>'))
        values = answer_all(browser, 5)
        (frame,) = browser.state.frame_tree.children
        assert frame.is_oopif is other
        assert browser.evaluate("got", frame_id=frame.frame_id).value == values
        assert {dialog.frame_id for dialog in browser.state.recent_dialogs} == {frame.frame_id}
    assert relay.dismissed == 0


@pytest.mark.parametrize(("bridge", "policy"), BRIDGES_AND_POLICIES)
@pytest.mark.long
def test_bridge_delivers_answers_to_a_popup_through_a_relay_that_dismisses_dialogs(
    bridge: Any, policy: str, relay: Relay, site: Site
) -> None:
    site.page("/popup", asking_page(policy, "<script>ask(1, 5)</script>"))
    with Browser.connect(relay.url, config=BrowserConfig(dialog_bridge=bridge)) as browser:
        browser.tabs("open")  # what the agent opens, only the agent answers
        browser.goto(site.page("/", "<button onclick=\"window.open('/popup')\">Open</button>"))
        opener = browser.state.active_tab_id
        browser.click(ref_of(browser.snapshot(), "Open"))
        values = answer_all(browser, 5)
        popup = browser.state.recent_dialogs[-1].tab_id
        assert popup != opener
        assert browser.evaluate("got", tab_id=popup).value == values
        assert browser.evaluate("1 + 1", tab_id=opener).value == 2
    assert relay.dismissed == 0


@pytest.mark.long
def test_native_dialogs_dismissed_by_the_relay_are_reported_as_closed_remotely(
    relay: Relay, site: Site
) -> None:
    with Browser.connect(relay.url, config=BrowserConfig(dialog_bridge="native")) as browser:
        browser.tabs("open")  # what the agent opens, only the agent answers
        browser.goto(site.page("/", asking_page("")))
        browser.evaluate("setTimeout(ask, 0, 1, 3); 0")
        eventually(lambda: len(browser.state.recent_dialogs) >= 3)
        assert [d.closed_by for d in browser.state.recent_dialogs] == ["remote"] * 3
        assert browser.evaluate("got").value == [None] * 3
        with pytest.raises(NoDialog):
            browser.dialog("accept", "too late")
    assert relay.dismissed >= 3  # on the guard's connection too


def test_fault_relay_can_delay_stall_cut_and_refuse_connections(port: int) -> None:
    def ask(socket: ClientConnection, number: int) -> None:
        socket.send(json.dumps({"id": number, "method": "Browser.getVersion"}))

    def told(socket: ClientConnection, within_s: float = 5) -> int:
        return int(json.loads(socket.recv(within_s))["id"])

    with Relay(port, delay_ms=(0, 20)) as relay:
        about = json.loads(urllib.request.urlopen(f"{relay.url}/json/version").read())
        address = about["webSocketDebuggerUrl"]
        assert f":{relay.port}/" in address
        with connect(address, proxy=None) as first, connect(address, proxy=None) as second:
            for number in range(30):
                ask(first, number)
            assert [told(first) for _ in range(30)] == list(range(30))
            relay.stall()
            ask(first, 30)
            with pytest.raises(TimeoutError):
                told(first, 0.1)
            relay.flow()
            assert told(first) == 30
            relay.refuse()
            with pytest.raises(OSError, match="refused"):
                connect(address, proxy=None)
            ask(second, 31)
            assert told(second) == 31
            relay.cut()
            for socket in (first, second):
                with pytest.raises(ConnectionClosed):
                    socket.recv(60)
        relay.allow()
        with connect(address, proxy=None) as third:
            ask(third, 32)
            assert told(third) == 32
        assert relay.connections == 3

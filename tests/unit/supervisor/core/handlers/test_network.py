"""The network log in the machine: bounded, quiet when off, and over with what it belongs to."""

from __future__ import annotations

from typing import Any

from support.machine_kit import HOME, Play

from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.network_log import NETWORK_RING


def recording() -> Play:
    play = Play.connected(record_network=True)
    play.open_page()
    return play


def sent(play: Play, number: int, url: str = "", on: str = "S1", **more: Any) -> None:
    about = {
        "requestId": f"7.{number}",
        "loaderId": "L1",
        "request": {"url": url or f"{HOME}{number}", "method": "GET", "headers": {"Cookie": "s"}},
        "timestamp": 10.0,
        "wallTime": 100.0,
        "type": "Fetch",
        "frameId": "T1",
        **more,
    }
    play.event("Network.requestWillBeSent", about, on)


def test_it_is_switched_on_when_asked_for_and_for_what_comes_later() -> None:
    play = Play.connected()
    play.open_page()
    assert "Network.enable" not in play.sent("S1")
    assert not m.concerns(play.state, "Network.requestWillBeSent", b"{}")
    play.give(inputs.RecordNetwork())
    play.give(inputs.RecordNetwork())
    assert play.sent("S1").count("Network.enable") == 1
    assert m.concerns(play.state, "Network.requestWillBeSent", b"{}")
    play.open_page("T2", "S2")
    play.oopif()
    assert play.sent("S2").count("Network.enable") == play.sent("SF").count("Network.enable") == 1


def test_a_request_from_its_beginning_to_its_end() -> None:
    play = recording()
    sent(play, 1)
    answer = {"status": 200, "mimeType": "text/css", "fromDiskCache": True}
    told = {"requestId": "7.1", "response": answer, "type": "Stylesheet", "timestamp": 10.5}
    play.event("Network.responseReceived", told, "S1")
    done = {"requestId": "7.1", "timestamp": 11.0, "encodedDataLength": 42.0}
    play.event("Network.loadingFinished", done, "S1")
    (request,) = play.state.network["t1"].requests.values()
    assert (request.status, request.type, request.from_cache) == (200, "stylesheet", "disk")
    assert (request.ended, request.duration_ms, request.size) == (True, 1000.0, 42)


def test_a_flood_is_bounded_and_the_last_are_kept() -> None:
    play = recording()
    for number in range(10_000):
        sent(play, number)
    known = play.state.network["t1"]
    assert len(known.requests) == NETWORK_RING
    assert known.dropped == 10_000 - NETWORK_RING
    assert next(reversed(known.requests.values())).url == f"{HOME}9999"


def test_a_redirect_ends_a_hop_whose_place_stays_before_the_next() -> None:
    play = recording()
    sent(play, 1, f"{HOME}old")
    sent(play, 1, f"{HOME}new", redirectResponse={"status": 301, "encodedDataLength": 9.0})
    old, new = play.state.network["t1"].requests.values()
    assert (old.url, old.status, old.ended) == (f"{HOME}old", 301, True)
    assert (new.url, new.status, new.ended) == (f"{HOME}new", None, False)


def test_what_never_gets_into_the_state() -> None:
    play = recording()
    sent(play, 1, f"{HOME}?token=s3cret")
    sent(play, 2, "data:text/plain," + "x" * 1_000_000)
    sent(play, 3, on="nobody")
    assert "s3cret" not in repr(play.state)
    assert "Cookie" not in repr(play.state)
    assert len(repr(play.state.network)) < 5_000
    assert len(play.state.network["t1"].requests) == 2


def test_what_was_under_way_ends_with_its_session_and_all_with_its_tab() -> None:
    play = recording()
    play.oopif()
    sent(play, 1)
    sent(play, 2, on="SF")
    play.detach("SF", on="S1")
    first, second = play.state.network["t1"].requests.values()
    assert (first.ended, second.ended) == (False, True)
    assert second.error
    play.destroy("T1")
    assert play.state.network == {}


def test_sockets_have_a_status_and_an_end() -> None:
    play = recording()
    play.event("Network.webSocketCreated", {"requestId": "9", "url": "wss://a.test/s"}, "S1")
    shaken = {"requestId": "9", "timestamp": 1.0, "response": {"status": 101}}
    play.event("Network.webSocketHandshakeResponseReceived", shaken, "S1")
    play.event("Network.webSocketClosed", {"requestId": "9", "timestamp": 2.0}, "S1")
    (socket,) = play.state.network["t1"].requests.values()
    assert (socket.type, socket.status, socket.ended) == ("websocket", 101, True)

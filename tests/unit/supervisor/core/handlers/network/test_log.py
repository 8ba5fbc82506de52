"""The state machine's network log: bounded, inactive when off, removed with its tab."""

from __future__ import annotations

import sys
from types import FrameType
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


def lifetime(play: Play, number: int) -> None:
    """All events of one request."""
    sent(play, number)
    about = {"requestId": f"7.{number}"}
    for name in ("requestWillBeSentExtraInfo", "responseReceivedExtraInfo"):
        play.event(f"Network.{name}", {**about, "headers": {"X": "1"}}, "S1")
    play.event("Network.responseReceived", {**about, "response": {"status": 200}}, "S1")
    play.event("Network.loadingFinished", {**about, "timestamp": 11.0}, "S1")


def lines_of_lifetime(after: int) -> int:
    """How many lines of Python one request's events run after that many others."""
    play = recording()
    for number in range(after):
        lifetime(play, number)
    lines = 0

    def count(_: FrameType, kind: str, __: Any) -> Any:
        nonlocal lines
        lines += kind == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        lifetime(play, after)
    finally:
        sys.settrace(before)
    return lines


def test_network_log_starts_on_demand_and_covers_later_sessions() -> None:
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


def test_network_log_records_a_request_from_start_to_end() -> None:
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


def test_network_log_keeps_only_the_latest_of_many_requests() -> None:
    play = recording()
    for number in range(10_000):
        sent(play, number)
    known = play.state.network["t1"]
    assert len(known.requests) == NETWORK_RING
    assert known.dropped == 10_000 - NETWORK_RING
    assert next(reversed(known.requests.values())).url == f"{HOME}9999"


def test_network_log_cost_per_request_does_not_grow_with_its_length() -> None:
    assert lines_of_lifetime(after=2_000) - lines_of_lifetime(after=10) < 30


def test_network_log_lists_each_redirect_hop_before_the_next() -> None:
    play = recording()
    sent(play, 1, f"{HOME}old")
    sent(play, 1, f"{HOME}new", redirectResponse={"status": 301, "encodedDataLength": 9.0})
    old, new = play.state.network["t1"].requests.values()
    assert (old.url, old.status, old.ended) == (f"{HOME}old", 301, True)
    assert (new.url, new.status, new.ended) == (f"{HOME}new", None, False)


def test_network_log_keeps_no_secrets_large_urls_or_unknown_sessions() -> None:
    play = recording()
    sent(play, 1, f"{HOME}?token=s3cret")
    sent(play, 2, "data:text/plain," + "x" * 1_000_000)
    sent(play, 3, on="nobody")
    assert "s3cret" not in repr(play.state)
    (first, _) = play.state.network["t1"].requests.values()
    assert first.details.request_headers == {"Cookie": "[hidden]"}
    assert len(repr(play.state.network)) < 5_000
    assert len(play.state.network["t1"].requests) == 2


def test_network_log_ends_pending_requests_with_their_session_and_itself_with_its_tab() -> None:
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


def test_network_log_records_status_and_end_of_a_websocket() -> None:
    play = recording()
    play.event("Network.webSocketCreated", {"requestId": "9", "url": "wss://a.test/s"}, "S1")
    shaken = {"requestId": "9", "timestamp": 1.0, "response": {"status": 101}}
    play.event("Network.webSocketHandshakeResponseReceived", shaken, "S1")
    play.event("Network.webSocketClosed", {"requestId": "9", "timestamp": 2.0}, "S1")
    (socket,) = play.state.network["t1"].requests.values()
    assert (socket.type, socket.status, socket.ended) == ("websocket", 101, True)


def test_network_log_assigns_headers_to_their_redirect_hop_in_any_event_order() -> None:
    play = recording()
    early = {"requestId": "7.1", "headers": {"X": "first"}}
    play.event("Network.requestWillBeSentExtraInfo", early, "S1")
    sent(play, 1)
    hop = {"status": 302, "headers": {"Y": "old"}, "remoteIPAddress": "::1", "remotePort": 80}
    sent(play, 1, redirectResponse=hop, redirectHasExtraInfo=True)
    late = {"requestId": "7.1", "headers": {"Y": "first", "Location": "/?token=s3cret"}}
    play.event("Network.responseReceivedExtraInfo", late, "S1")
    # An internal redirect (HSTS) has no separate headers event.
    sent(play, 1, redirectResponse={"status": 307, "headers": {"Y": "internal"}})
    for name, headers in (
        ("requestWillBeSentExtraInfo", {"X": "last", "Cookie": "s3cret"}),
        ("responseReceivedExtraInfo", {"Y": "last", "Set-Cookie": "s3cret"}),
    ):
        play.event(f"Network.{name}", {"requestId": "7.1", "headers": headers}, "S1")
    first, internal, last = (it.details for it in play.state.network["t1"].requests.values())
    assert first.request_headers == {"X": "first"}
    assert first.response_headers == {"Y": "first", "Location": "/?token=…"}
    assert first.remote_address == "[::1]:80"
    assert internal.request_headers == {"Cookie": "[hidden]"}
    assert internal.response_headers == {"Y": "internal"}
    assert last.request_headers == {"X": "last", "Cookie": "[hidden]"}
    assert last.response_headers == {"Y": "last", "Set-Cookie": "[hidden]"}
    assert "s3cret" not in repr(play.state)


def test_network_log_limits_stored_headers_of_unlogged_requests() -> None:
    play = recording()
    for number in range(200):
        told = {"requestId": f"9.{number}", "headers": {"X": "1"}}
        play.event("Network.requestWillBeSentExtraInfo", told, "S1")
    assert len(play.state.network["t1"].headers_told) <= 50


def test_network_log_limits_stored_websocket_messages() -> None:
    play = recording()
    for number in range(30):
        play.event("Network.webSocketCreated", {"requestId": f"w{number}", "url": HOME}, "S1")
        for _ in range(150):
            frame = {"opcode": 1, "mask": False, "payloadData": "x" * 9_000}
            told = {"requestId": f"w{number}", "timestamp": 1.0, "response": frame}
            play.event("Network.webSocketFrameReceived", told, "S1")
    known = play.state.network["t1"].messages
    assert len(known) == 20
    assert {(len(one.kept), one.dropped) for one in known.values()} == {(100, 50)}
    assert {len(it.text or "") for one in known.values() for it in one.kept} == {2_500}

"""``GET /events``: events of a real browser, as stream clients receive them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from browser.surfaces.http.client import Api, Serving, failed, opened_socket, serving
from support.pace import in_time
from support.site import Site


class Event(NamedTuple):
    """One event in the stream."""

    name: str
    event_id: str
    data: dict[str, Any]


class Stream:
    """The events of a response, as they arrive."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def __iter__(self) -> Iterator[Event]:
        fields: dict[str, str] = {}
        for line in self._lines:
            name, _, value = line.partition(": ")
            if line and name:
                fields[name] = value
            elif "event" in fields:
                yield Event(fields["event"], fields.get("id", ""), json.loads(fields["data"]))
                fields = {}

    def until(self, name: str) -> Event:
        """The next event with this name."""
        return next(event for event in self if event.name == name)


@contextmanager
def following(api: Api, last_seen: str = "", **query: str) -> Iterator[Stream]:
    """An open stream that has sent its first event."""
    headers = {"Last-Event-ID": last_seen} if last_seen else {}
    with api.http.stream("GET", "/events", params=query, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Stream(response.iter_lines())


def test_event_stream_delivers_events_as_they_happen(api: Api, site: Site) -> None:
    with following(api) as stream:
        first = stream.until("state")
        assert first.data["running"] is True
        url = site.page("/", "<button onclick=\"alert('Sure?')\">Go</button>")
        done = api.post("/navigate", url=url)
        assert stream.until("navigationSettled").data["url"] == url
        api.act("click", ref=api.ref('"Go"'))
        opened = stream.until("dialogOpened").data
        assert (opened["tabId"], opened["dialog"]["message"]) == (done["tabId"], "Sure?")
        api.post("/hooks/dialog", accept=True)
        assert stream.until("dialogClosed").data["dialog"]["closedBy"] == "agent"
        other = api.post("/tabs/open")
        assert stream.until("tabOpened").data["tabId"] == other["tabId"]


def test_reconnected_client_receives_missed_events_or_a_gap(api: Api, site: Site) -> None:
    with following(api) as stream:
        api.post("/navigate", url=site.page("/1", "one"))
        seen = stream.until("navigationSettled").event_id
    api.post("/navigate", url=site.page("/2", "two"))
    with following(api, seen) as stream:
        assert stream.until("navigationSettled").data["url"] == site.here + "/2"
    with following(api, "of-another-server-7") as stream:
        gap = stream.until("gap").data
        assert (gap["type"], gap["missed"], gap["running"]) == ("gap", None, True)


def test_event_stream_filters_by_type(api: Api, site: Site) -> None:
    with following(api, types="tabClosed, tabOpened") as stream:
        stream.until("state")
        api.post("/navigate", url=site.page("/", "page"))
        opened = api.post("/tabs/open")
        api.delete(f"/tabs/{opened['tabId']}")
        events = iter(stream)
        assert [next(events).name for _ in range(2)] == ["tabOpened", "tabClosed"]


@pytest.mark.long
def test_event_stream_continues_with_a_new_browser_and_ends_with_the_server(site: Site) -> None:
    with serving() as server, Api(server.url) as api, Api(server.url) as other:
        api.post("/start")
        with following(other) as stream:
            stream.until("state")
            api.post("/stop")
            assert stream.until("browserClosed").data["tabId"] is None
            api.post("/start")
            stream.until("browserOpened")
            url = site.page("/", "page")
            api.post("/navigate", url=url)
            assert stream.until("navigationSettled").data["url"] == url
            with in_time(0.0, overrun_s=8.0):
                server.process.terminate()
                assert stream.until("end").data["reason"] == "the server stops"
                assert server.process.wait(60) == 0


def test_stalled_or_closed_event_clients_do_not_block_the_server(
    api: Api, server: Serving, site: Site
) -> None:
    deaf = [opened_socket(server.url, "GET /events") for _ in range(5)]
    gone = [opened_socket(server.url, "GET /events") for _ in range(11)]
    try:
        response = api.http.get("/events", params={"types": "nope"})
        assert failed(response, 400)["tabwarden"]["data"]["field"] == "types"
        for connection in gone:
            assert b" 200 " in connection.recv(100)
        response = api.http.get("/events")
        assert failed(response, 429)["code"] == "capacity"
        assert response.headers["retry-after"] == "5"
        for connection in gone:
            connection.close()
        api.post("/navigate", url=site.page("/", "page"))
        assert api.value("1 + 1") == 2
        while api.http.head("/events").status_code == 429:
            pass
    finally:
        for connection in deaf:
            connection.close()


@pytest.mark.parametrize("shown", ["", "Bearer wrong"])
def test_event_stream_requires_the_token(shown: str, server: Serving) -> None:
    with opened_socket(server.url, "GET /events", Authorization=shown) as connection:
        assert b" 401 " in connection.recv(100)

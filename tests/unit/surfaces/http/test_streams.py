"""Event feeds and streams without a browser: positions, gaps, heartbeats, ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.types import Message

from tabwarden.actions import Session
from tabwarden.errors import Capacity
from tabwarden.events import EVENT_TYPES, NavigationSettled
from tabwarden.supervisor.core.state.prompts import Credentials
from tabwarden.surfaces.http.streams import NAMES, EventStream, Feed, Feeds, Reader, event_json


async def never(way: object, budget: object) -> Any:
    raise AssertionError("no browser is needed here")


def settled(number: int) -> NavigationSettled:
    return NavigationSettled(tab_id="t1", frame_id="F", url=f"http://{number}/")


def numbers(reader: Reader) -> list[str]:
    found = []
    while (event := reader.next()) is not None:
        assert isinstance(event, NavigationSettled)
        found.append(event.url)
    return found


def in_loop(work: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        await work()

    asyncio.run(run())


def fed(count: int, kept: int = 5) -> Feed:
    feed = Feed(Session(never), kept=kept)
    for number in range(1, count + 1):
        feed._keep(settled(number))
    return feed


def test_new_event_reader_gets_only_later_events() -> None:
    async def work() -> None:
        feed = fed(3)
        reader = Reader(feed)
        assert numbers(reader) == []
        feed._keep(settled(4))
        assert numbers(reader) == ["http://4/"]
        assert reader.at == f"{feed.name}-4"

    in_loop(work)


def test_reconnecting_event_reader_gets_missed_events() -> None:
    async def work() -> None:
        feed = fed(3)
        reader = Reader(feed, f"{feed.name}-1")
        assert numbers(reader) == ["http://2/", "http://3/"]
        assert reader.missed == 0

    in_loop(work)


def test_event_reader_counts_missed_events_that_are_no_longer_stored() -> None:
    async def work() -> None:
        feed = fed(9)
        reader = Reader(feed, f"{feed.name}-1")
        assert reader.next() == settled(5)
        assert reader.missed == 3

    in_loop(work)


@pytest.mark.parametrize(
    "last_seen",
    ["other-1", "nonsense", "-1", "{name}-x", "{name}-99", "{name}-²", "{name}-" + "1" * 5000],
)
def test_unknown_last_event_id_is_reported_as_a_gap_of_unknown_size(last_seen: str) -> None:
    async def work() -> None:
        feed = fed(3)
        reader = Reader(feed, last_seen.format(name=feed.name))
        assert reader.missed == -1
        assert numbers(reader) == []

    in_loop(work)


def test_slow_event_reader_does_not_use_more_memory() -> None:
    async def work() -> None:
        feed = fed(0)
        reader = Reader(feed)
        for number in range(10_000):
            feed._keep(settled(number))
        assert len(feed._ring) == 5
        assert len(numbers(reader)) == 5
        assert reader.missed == 9_995

    in_loop(work)


def test_event_feeds_limit_streams_and_free_a_slot_when_one_ends() -> None:
    async def work() -> None:
        feeds, session = Feeds(lambda: 16), Session(never)
        left = [feeds.follow(session, "", for_operator=True)[1] for _ in range(16)]
        with pytest.raises(Capacity):
            feeds.follow(session, "", for_operator=True)
        left[0]()
        feeds.follow(session, "", for_operator=True)

    in_loop(work)


@pytest.mark.threat
def test_tenants_cannot_use_up_the_operators_streams() -> None:
    async def work() -> None:
        feeds, session = Feeds(lambda: 16), Session(never)
        for _ in range(14):
            feeds.follow(session, "", for_operator=False)
        with pytest.raises(Capacity):
            feeds.follow(session, "", for_operator=False)
        for _ in range(2):
            feeds.follow(session, "", for_operator=True)
        with pytest.raises(Capacity):
            feeds.follow(session, "", for_operator=True)

    in_loop(work)


class Client:
    """An ASGI server for a response: it accepts the sent data until it disconnects."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.hung_up = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()
        self._news = asyncio.Event()

    async def send(self, message: Message) -> None:
        await self.reads.wait()
        self.sent.append(message)
        self._news.set()

    async def receive(self) -> Message:
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    @property
    def text(self) -> str:
        return b"".join(one.get("body", b"") for one in self.sent).decode()

    async def until(self, words: str) -> None:
        async with asyncio.timeout(60):
            while words not in self.text:
                self._news.clear()
                await self._news.wait()


def stream(reader: Reader, left: list[bool], **options: Any) -> EventStream:
    return EventStream(
        reader, options.pop("wanted", ()), lambda: {"type": "state", "tabs": []},
        lambda: left.append(True), **options,
    )  # fmt: skip


SCOPE = {"type": "http", "method": "GET"}


def test_event_stream_sends_state_events_and_heartbeats_until_its_client_disconnects() -> None:
    async def work() -> None:
        feed, client, left = fed(0), Client(), list[bool]()
        app = stream(Reader(feed), left, beat_s=0.01)
        serving = asyncio.create_task(app(SCOPE, client.receive, client.send))
        await client.until("still here")
        feed._keep(settled(1))
        await client.until("navigationSettled")
        client.hung_up.set()
        await asyncio.wait_for(serving, 60)
        assert left == [True]
        assert client.sent[0]["status"] == 200
        first = client.text.split("\n\n")[1].splitlines()
        assert first[1:] == ["event: state", 'data: {"type": "state", "tabs": []}']
        assert f"id: {feed.name}-1\nevent: navigationSettled\n" in client.text

    in_loop(work)


def test_event_stream_ends_with_its_feed_and_states_the_reason() -> None:
    async def work() -> None:
        feed, client, left = fed(0), Client(), list[bool]()
        serving = asyncio.create_task(
            stream(Reader(feed), left)(SCOPE, client.receive, client.send)
        )
        await client.until("event: state")
        feed.end("the server stops")
        await asyncio.wait_for(serving, 60)
        assert 'event: end\ndata: {"type": "end", "reason": "the server stops"}' in client.text
        assert client.sent[-1]["more_body"] is False
        assert left == [True]

    in_loop(work)


def test_event_stream_reports_how_many_events_a_stalled_client_missed() -> None:
    async def work() -> None:
        feed, client, left = fed(0), Client(), list[bool]()
        serving = asyncio.create_task(
            stream(Reader(feed), left)(SCOPE, client.receive, client.send)
        )
        await client.until("event: state")
        client.reads.clear()
        for number in range(100):
            feed._keep(settled(number))
            await asyncio.sleep(0)
        client.reads.set()
        await client.until("http://99/")
        told = [json.loads(line[6:]) for line in client.text.splitlines() if line[:6] == "data: "]
        gaps = [one["missed"] for one in told if one["type"] == "gap"]
        seen = [one for one in told if one["type"] == "navigationSettled"]
        assert gaps
        assert sum(gaps) + len(seen) == 100
        feed.end("over")
        await asyncio.wait_for(serving, 60)

    in_loop(work)


def test_event_stream_sends_only_the_requested_event_types() -> None:
    async def work() -> None:
        feed, client, left = fed(0), Client(), list[bool]()
        app = stream(Reader(feed), left, wanted={"tabClosed"})
        serving = asyncio.create_task(app(SCOPE, client.receive, client.send))
        await client.until("event: state")
        feed._keep(settled(1))
        feed._keep(NAMES["tabClosed"](tab_id="t1", reason="closed"))  # type: ignore[call-arg]
        feed.end("over")
        await asyncio.wait_for(serving, 60)
        assert "navigationSettled" not in client.text
        assert '"tabId": "t1", "reason": "closed"' in client.text

    in_loop(work)


def test_head_request_gets_no_event_stream() -> None:
    async def work() -> None:
        client, left = Client(), list[bool]()
        app = stream(Reader(fed(0)), left)
        await asyncio.wait_for(app({**SCOPE, "method": "HEAD"}, client.receive, client.send), 60)
        assert client.text == ""
        assert left == [True]

    in_loop(work)


def test_every_event_has_a_name_and_no_event_contains_credentials() -> None:
    assert {kind.__name__ for kind in EVENT_TYPES} <= {k.__name__ for k in NAMES.values()}
    for kind in EVENT_TYPES:
        assert Credentials not in kind.__annotations__.values()
    assert event_json(settled(1)) == {
        "type": "navigationSettled",
        "tabId": "t1",
        "frameId": "F",
        "url": "http://1/",
    }

"""``GET /events``: a task's events, kept in a ring buffer and sent as server-sent events.

A reader only stores its position in the ring, so a slow or stalled reader uses no memory and does
not delay other readers. Each reader counts the events that it has missed.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send

from tabwarden.actions import Session
from tabwarden.browser import Browser
from tabwarden.control_api import camel_keys
from tabwarden.digits import whole_number
from tabwarden.errors import Capacity
from tabwarden.events import EVENT_TYPES, Event, Events, Notice
from tabwarden.page.control import (
    Change,
    ControlReleased,
    ControlTaken,
    HandoffAsked,
    HandoffEnded,
    handoff_json,
)
from tabwarden.page.task import dialog_json, download_json, note_json
from tabwarden.supervisor.core.prompts import kind_of
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.surfaces.guard.middleware import places
from tabwarden.surfaces.http.files import STALLED_S

STREAM_RETRY_AFTER_S = 5.0
"""How long a client should wait for a free event stream. Streams stay open for a long time."""

KEPT = 1_000
"""How many events of a task are kept for readers that reconnect."""


class BrowserOpened(Notice, frozen=True, kw_only=True):
    """The task has a new browser, with new tabs and refs."""


class BrowserClosed(Notice, frozen=True, kw_only=True):
    """The task no longer has a browser."""


class ControlChanged(Notice, frozen=True, kw_only=True):
    """A person took control, or the agent got control back."""

    holder: dict[str, Any] | None
    """The person who has control, as ``{name, since}``; None if the agent has control."""


class HandoffChanged(Notice, frozen=True, kw_only=True):
    """A hand-off to a person started or ended."""

    handoff: dict[str, Any]
    """The hand-off; see ``handoff_json``."""


class Feed:
    """The events of one task, across all browsers that the task opens.

    Use this class only on the server's event loop.
    """

    def __init__(self, session: Session, kept: int = KEPT) -> None:
        self.name = secrets.token_hex(4)
        """A random name that makes event IDs unique: all feeds number their events from 1."""
        self.last = 0
        """The number of the newest event."""
        self.ended = ""
        """The reason why the feed has ended; "" while it is running."""
        self._ring: deque[Notice] = deque(maxlen=kept)
        self._session = session
        self._browser: Browser | None = None
        self._events: Events[Event] | None = None
        self._unwatch_control: Callable[[], None] | None = None
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._unwatch = session.watch(self._look)
        self._follow(session.current)

    @property
    def first(self) -> int:
        """The number of the oldest event in the ring."""
        return self.last - len(self._ring) + 1

    @property
    def idle(self) -> bool:
        return self._session.current is None

    def at(self, number: int) -> Notice:
        """Return the event with this number. It must still be in the ring."""
        return self._ring[number - self.first]

    async def more(self, than: int, *, at_most_s: float) -> bool:
        """Wait for an event with a number above ``than``, or for the feed's end.

        Return False on timeout.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(at_most_s):
                while self.last <= than and not self.ended:
                    self._woken.clear()
                    await self._woken.wait()
        return self.last > than or bool(self.ended)

    def end(self, reason: str) -> None:
        """End the feed and its readers."""
        self.ended = self.ended or reason
        self._unwatch()
        self._unfollow()
        self._woken.set()

    def _look(self) -> None:
        """Subscribe to the session's current browser."""
        now = self._session.current
        if now is not self._browser and not self.ended:
            self._follow(now)
            self._keep(BrowserOpened() if now is not None else BrowserClosed())

    def _follow(self, browser: Browser | None) -> None:
        self._unfollow()
        self._browser = browser
        if browser is None:
            return
        self._events = browser.events(callback=self._add_later)
        if browser.can_hand_off:
            self._unwatch_control = browser.control.watch(self._control_changed)

    def _unfollow(self) -> None:
        if self._events is not None:
            self._events.close()
        if self._unwatch_control is not None:
            self._unwatch_control()
        self._events = self._unwatch_control = None

    def _control_changed(self, change: Change) -> None:  # on any thread
        match change:
            case ControlTaken(person):
                self._add_later(ControlChanged(holder={"name": person.name, "since": person.since}))
            case ControlReleased():
                self._add_later(ControlChanged(holder=None))
            case HandoffAsked(handoff) | HandoffEnded(handoff):
                self._add_later(HandoffChanged(handoff=handoff_json(handoff)))

    def _add_later(self, event: Notice) -> None:  # on any thread
        with suppress(RuntimeError):  # the server's event loop has ended
            self._loop.call_soon_threadsafe(self._keep, event)

    def _keep(self, event: Notice) -> None:
        self._ring.append(event)
        self.last += 1
        self._woken.set()


class Reader:
    """A client's position in a feed. ``last_seen`` is the id of the client's last event, or ""."""

    def __init__(self, feed: Feed, last_seen: str = "") -> None:
        self.feed = feed
        self.missed = 0
        """How many events this reader has missed, because the ring no longer contains them; -1:
        unknown.
        """
        self._at = feed.last
        name, _, digits = last_seen.partition("-")
        number = whole_number(digits)
        if name == feed.name and number is not None and number <= feed.last:
            self._at = number
        elif last_seen:
            self.missed = -1

    @property
    def at(self) -> str:
        """The id of the event at the reader's position."""
        return f"{self.feed.name}-{self._at}"

    def next(self) -> Notice | None:
        """Return the next event, if any. Add the number of skipped events to ``missed``."""
        if self._at >= self.feed.last:
            return None
        self._at += 1
        if self._at < self.feed.first:
            self.missed += self.feed.first - self._at
            self._at = self.feed.first
        return self.feed.at(self._at)

    async def wait(self, at_most_s: float) -> bool:
        """Wait for the next event or the feed's end. Return False on timeout."""
        return await self.feed.more(self._at, at_most_s=at_most_s)


class Feeds:
    """A server's feeds, one per task that has readers.

    Args:
        at_most: returns how many clients may read at once.
    """

    def __init__(self, at_most: Callable[[], int]) -> None:
        self._at_most = at_most
        self._feeds: dict[Session, Feed] = {}
        self._readers: dict[Session, int] = {}

    def follow(
        self, session: Session, last_seen: str, *, for_operator: bool
    ) -> tuple[Reader, Callable[[], None]]:
        """Return a reader of a task's events. Call the returned function when the reader is done.

        Args:
            for_operator: whether the reader is the operator, for whom places are reserved.

        Raises:
            Capacity: too many clients are reading events.
        """
        for other in [one for one, feed in self._feeds.items() if self._is_unused(one, feed)]:
            self._feeds.pop(other).end("no client follows it")
        readers = sum(self._readers.values())
        if readers >= places(self._at_most(), for_operator=for_operator):
            raise Capacity(
                f"{readers} clients are reading events, which is the limit (server.max_streams).",
                "Close another stream first. A task needs only one stream.",
                retry_after_s=STREAM_RETRY_AFTER_S,
            )
        if session not in self._feeds:
            self._feeds[session] = Feed(session)
        self._readers[session] = self._readers.get(session, 0) + 1

        def leave() -> None:
            self._readers[session] -= 1
            if not self._readers[session]:
                del self._readers[session]

        return Reader(self._feeds[session], last_seen), leave

    def end(self, reason: str) -> None:
        feeds, self._feeds = self._feeds, {}
        for feed in feeds.values():
            feed.end(reason)

    def _is_unused(self, session: Session, feed: Feed) -> bool:
        return bool(feed.ended) or (feed.idle and session not in self._readers)


_SHOWN: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "dialog": dialog_json,
    "download": download_json,
    "note": note_json,
}
"""Maps each type of event to the function that converts the event's content to JSON."""


def name_of(kind: type[Notice]) -> str:
    """Convert ``DialogOpened`` to ``dialogOpened``."""
    return kind.__name__[0].lower() + kind.__name__[1:]


_KINDS: tuple[type[Notice], ...] = (
    BrowserOpened,
    BrowserClosed,
    *EVENT_TYPES,
    ControlChanged,
    HandoffChanged,
)
NAMES: Mapping[str, type[Notice]] = {name_of(kind): kind for kind in _KINDS}
"""All event types, keyed by their names in the stream."""


def event_json(event: Notice) -> dict[str, Any]:
    """Return ``{"type", "tabId", ...}``. ``tabId`` is null if the event concerns the whole task."""
    fields: dict[str, Any] = {"type": name_of(type(event)), "tab_id": event.tab_id or None}
    for field in event.__struct_fields__:
        if field != "tab_id":
            value = getattr(event, field)
            show = kind_of(value).json if isinstance(value, Prompt) else _SHOWN.get(field)
            fields[field] = (
                show(value) if show is not None else msgspec.to_builtins(value, enc_hook=str)
            )
    renamed: dict[str, Any] = camel_keys(fields)
    return renamed


HEARTBEAT_S = 15.0
"""If the server sends no event for this long, it sends a comment to show that the stream works."""
RETRY_MS = 1_000
"""How long a client waits before it reconnects (the ``retry`` field of server-sent events)."""

_HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]


class EventStream:
    """The response, as an ASGI application.

    Each event has an id. A client that reconnects with ``Last-Event-ID`` gets the events that it
    missed and that are still kept. The first event is always ``state``. ``gap`` reports lost
    events. ``end`` contains the reason why the server ends the stream. The format:
    https://html.spec.whatwg.org/multipage/server-sent-events.html

    Args:
        wanted: the names of the events to send. If empty, all events are sent.
        leave: called when the stream ends.
        beat_s: seconds between heartbeats.
    """

    def __init__(
        self,
        reader: Reader,
        wanted: Collection[str],
        state: Callable[[], Mapping[str, Any]],
        leave: Callable[[], None],
        *,
        beat_s: float = HEARTBEAT_S,
    ) -> None:
        self._reader = reader
        self._wanted = wanted
        self._state = state
        self._leave = leave
        self._beat_s = beat_s
        self._is_begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(send, whole=scope["method"] != "HEAD"))
        gone = asyncio.ensure_future(_disconnect(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leave()
            for one in (sending, gone):
                one.cancel()
            ended = await asyncio.gather(sending, gone, return_exceptions=True)
        # This happens only if the client has disconnected or may no longer read.
        if sending.cancelled() and self._is_begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        for error in ended:
            if isinstance(error, Exception) and not isinstance(error, OSError | TimeoutError):
                raise error

    async def _send(self, send: Send, *, whole: bool) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [*_HEADERS]})
        self._is_begun = True
        async for piece in self._pieces() if whole else _nothing():
            async with asyncio.timeout(STALLED_S):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pieces(self) -> AsyncIterator[bytes]:
        reader = self._reader
        yield f"retry: {RETRY_MS}\n\n".encode() + _event("state", self._state(), reader.at)
        while True:
            event = reader.next()
            if reader.missed:
                lost = reader.missed if reader.missed > 0 else None
                reader.missed = 0
                yield _event("gap", {**self._state(), "type": "gap", "missed": lost})
            if event is not None:
                name = name_of(type(event))
                if not self._wanted or name in self._wanted:
                    yield _event(name, event_json(event), reader.at)
            elif reader.feed.ended:
                yield _event("end", {"type": "end", "reason": reader.feed.ended})
                return
            elif not await reader.wait(self._beat_s):
                yield b": still here\n\n"


async def _nothing() -> AsyncIterator[bytes]:
    pieces: tuple[bytes, ...] = ()
    for piece in pieces:
        yield piece


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(name: str, data: Mapping[str, Any], event_id: str = "") -> bytes:
    """Encode one event. The data is a single line, because its JSON has no line breaks."""
    lines = [f"id: {event_id}"] if event_id else []
    lines += [f"event: {name}", f"data: {json.dumps(data, default=str)}"]
    return ("\n".join(lines) + "\n\n").encode()

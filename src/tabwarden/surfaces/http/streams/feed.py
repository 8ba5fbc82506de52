"""Feed: a task's events, numbered and kept in a ring buffer, which each reader reads at its own
pace.

A reader only stores its position in the ring. So a slow or stalled reader takes no memory and does
not delay other readers. It is told how many events it has missed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from tabwarden.actions import Session
from tabwarden.browser import Browser
from tabwarden.errors import Denied
from tabwarden.events import Events, Notice

KEPT = 1_000
"""How many events of a task are kept for readers that come back."""
_MAX_STREAMS = 16


class TooManyStreams(Denied):
    """The maximum number of clients are already reading events."""


class BrowserOpened(Notice, frozen=True, kw_only=True):
    """The task has a new browser, with new tabs and refs."""


class BrowserClosed(Notice, frozen=True, kw_only=True):
    """The task no longer has a browser."""


class Feed:
    """The events of one task, also if its browser is replaced. Use it only on the server's event
    loop.

    Args:
        session: the task's session.
        kept: how many events are kept.
    """

    def __init__(self, session: Session, kept: int = KEPT) -> None:
        self.name = secrets.token_hex(4)
        """A random name in event ids, because another feed uses the same numbers."""
        self.last = 0
        """The number of the last event."""
        self.ended = ""
        """Why the feed has ended; "" while it runs."""
        self._ring: deque[Notice] = deque(maxlen=kept)
        self._session = session
        self._browser: Browser | None = None
        self._events: Events | None = None
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
        """Whether no browser is open."""
        return self._session.current is None

    def at(self, number: int) -> Notice:
        """Return an event from the ring."""
        return self._ring[number - self.first]

    async def more(self, than: int, *, at_most_s: float) -> bool:
        """Wait for an event with a higher number, or for the feed's end. Return False if neither
        happens in time.
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
        if self._events is not None:
            self._events.close()
        self._woken.set()

    def _look(self) -> None:
        """Subscribe to the session's current browser."""
        now = self._session.current
        if now is not self._browser and not self.ended:
            self._follow(now)
            self._keep(BrowserOpened() if now is not None else BrowserClosed())

    def _follow(self, browser: Browser | None) -> None:
        self._browser = browser
        if self._events is not None:
            self._events.close()
        self._events = None if browser is None else browser.events(callback=self._told)

    def _told(self, event: Notice) -> None:  # on the engine's thread
        with suppress(RuntimeError):  # the server's loop has ended
            self._loop.call_soon_threadsafe(self._keep, event)

    def _keep(self, event: Notice) -> None:
        self._ring.append(event)
        self.last += 1
        self._woken.set()


class Reader:
    """One client's position in a feed.

    Args:
        feed: the task's feed.
        last_seen: the id of the client's last event, "" for none.
    """

    def __init__(self, feed: Feed, last_seen: str = "") -> None:
        self.feed = feed
        self.missed = 0
        """The number of missed events that are no longer kept; -1 if unknown."""
        self._at = feed.last
        name, _, number = last_seen.partition("-")
        if last_seen and name == feed.name and number.isdigit() and int(number) <= feed.last:
            self._at = int(number)
        elif last_seen:
            self.missed = -1

    @property
    def at(self) -> str:
        """The id of the event at the reader's position."""
        return f"{self.feed.name}-{self._at}"

    def next(self) -> Notice | None:
        """Return the next event, if any. Add the number of events missed before it to
        ``missed``."""
        if self._at >= self.feed.last:
            return None
        self._at += 1
        if self._at < self.feed.first:
            self.missed += self.feed.first - self._at
            self._at = self.feed.first
        return self.feed.at(self._at)

    async def wait(self, at_most_s: float) -> bool:
        """Wait for the next event or the feed's end. Return False if neither happens in time."""
        return await self.feed.more(self._at, at_most_s=at_most_s)


class Feeds:
    """The feeds of a server, one per task that has readers."""

    def __init__(self) -> None:
        self._feeds: dict[Session, Feed] = {}
        self._readers: dict[Session, int] = {}

    def follow(self, session: Session, last_seen: str) -> tuple[Reader, Callable[[], None]]:
        """Return a reader of a task's events, and a function to call when the reader is no longer
        used.

        Raises:
            TooManyStreams: there are too many readers.
        """
        for other in [one for one, feed in self._feeds.items() if self._is_unused(one, feed)]:
            self._feeds.pop(other).end("no client follows it")
        if sum(self._readers.values()) >= _MAX_STREAMS:
            raise TooManyStreams(
                f"{_MAX_STREAMS} clients follow events, which is the limit.",
                "Close another stream first: one is enough for a task.",
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
        """End all feeds."""
        feeds, self._feeds = self._feeds, {}
        for feed in feeds.values():
            feed.end(reason)

    def _is_unused(self, session: Session, feed: Feed) -> bool:
        return bool(feed.ended) or (feed.idle and session not in self._readers)

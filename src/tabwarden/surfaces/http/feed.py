"""Feed: what happens in a task, numbered, in a ring: each reader goes at its own pace.

A reader keeps a place in the ring and nothing else: one that is slow, or does not read at all,
costs no memory and stops nobody; it is told how much it has missed.
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

__all__ = ["KEPT", "BrowserClosed", "BrowserOpened", "Feed", "Feeds", "Reader", "TooManyStreams"]

KEPT = 1_000
"""Events of a task that a reader can still come back for."""
_MAX_STREAMS = 16


class TooManyStreams(Denied):
    """As many clients follow events as may."""


class BrowserOpened(Notice, frozen=True, kw_only=True):
    """The task has a browser, or another one; its tabs and refs are new."""


class BrowserClosed(Notice, frozen=True, kw_only=True):
    """The task has no browser any more."""


class Feed:
    """The events of one task, whichever browser it has. Belongs to the server's loop.

    Args:
        session: the task's.
        kept: how many events are kept.
    """

    def __init__(self, session: Session, kept: int = KEPT) -> None:
        self.name = secrets.token_hex(4)
        """Tells this feed's numbers from those of another, before or after it."""
        self.last = 0
        """The number of the last event."""
        self.ended = ""
        """Why there will be no more."""
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
        """The number of the oldest event that is kept."""
        return self.last - len(self._ring) + 1

    @property
    def idle(self) -> bool:
        """Whether no browser is open."""
        return self._session.current is None

    def at(self, number: int) -> Notice:
        """An event that is kept."""
        return self._ring[number - self.first]

    async def more(self, than: int, *, at_most_s: float) -> bool:
        """Wait until there is an event after one, or the end; False when none came in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(at_most_s):
                while self.last <= than and not self.ended:
                    self._woken.clear()
                    await self._woken.wait()
        return self.last > than or bool(self.ended)

    def end(self, reason: str) -> None:
        """No more events; readers end."""
        self.ended = self.ended or reason
        self._unwatch()
        if self._events is not None:
            self._events.close()
        self._woken.set()

    def _look(self) -> None:
        """Follow the browser that the session has now."""
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
    """One client's place in a feed.

    Args:
        feed: the task's.
        last_seen: the id of the last event that the client has, "" for none.
    """

    def __init__(self, feed: Feed, last_seen: str = "") -> None:
        self.feed = feed
        self.missed = 0
        """Events that came since and are kept no more; -1: nobody can say how many."""
        self._at = feed.last
        name, _, number = last_seen.partition("-")
        if last_seen and name == feed.name and number.isdigit() and int(number) <= feed.last:
            self._at = int(number)
        elif last_seen:
            self.missed = -1

    @property
    def at(self) -> str:
        """The id of the event where it stands."""
        return f"{self.feed.name}-{self._at}"

    def next(self) -> Notice | None:
        """The next event, if there is one; what was missed before it is added to ``missed``."""
        if self._at >= self.feed.last:
            return None
        self._at += 1
        if self._at < self.feed.first:
            self.missed += self.feed.first - self._at
            self._at = self.feed.first
        return self.feed.at(self._at)

    async def wait(self, at_most_s: float) -> bool:
        """Wait for the next event or the feed's end; False when neither came in time."""
        return await self.feed.more(self._at, at_most_s=at_most_s)


class Feeds:
    """The feeds of a server, one for each task that somebody follows."""

    def __init__(self) -> None:
        self._feeds: dict[Session, Feed] = {}
        self._readers: dict[Session, int] = {}

    def follow(self, session: Session, last_seen: str) -> tuple[Reader, Callable[[], None]]:
        """A reader of a task's events, and what must be called when it ends.

        Raises:
            TooManyStreams: there are as many as may be.
        """
        for other in [one for one, feed in self._feeds.items() if self._is_unused(one, feed)]:
            self._feeds.pop(other).end("nobody follows it")
        if sum(self._readers.values()) >= _MAX_STREAMS:
            raise TooManyStreams(
                f"{_MAX_STREAMS} clients follow events, as many as may.",
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
        """End them all."""
        feeds, self._feeds = self._feeds, {}
        for feed in feeds.values():
            feed.end(reason)

    def _is_unused(self, session: Session, feed: Feed) -> bool:
        return bool(feed.ended) or (feed.idle and session not in self._readers)

"""Events in a task's browser, as typed objects in chronological order.

Read a subscription with ``async for``, with ``for``, or through a callback. The types come from
``tabwarden.supervisor.notices``. Each event has a ``tab_id``; "" means all tabs.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar, get_args

from tabwarden.supervisor.core.prompts import (
    AuthRequired,
    AuthSettled,
    FileChooserClosed,
    FileChooserOpened,
)
from tabwarden.supervisor.core.state.notices import (
    ConnectionRefused,
    DialogClosed,
    DialogOpened,
    DownloadProgress,
    EndpointLost,
    EndpointRegained,
    NavigationSettled,
    NavigationStarted,
    Noted,
    Notice,
    PopupOpened,
    PromptClosed,
    PromptOpened,
    StateInvalidated,
    TabClosed,
    TabOpened,
    TabReplaced,
    TargetCrashed,
)
from tabwarden.supervisor.core.state.state import SupervisorState

__all__ = [
    "EVENT_TYPES",
    "AuthRequired",
    "AuthSettled",
    "ConnectionRefused",
    "DialogClosed",
    "DialogOpened",
    "DownloadProgress",
    "EndpointLost",
    "EndpointRegained",
    "Event",
    "Events",
    "FileChooserClosed",
    "FileChooserOpened",
    "NavigationSettled",
    "NavigationSettledEvent",
    "NavigationStarted",
    "NavigationStartedEvent",
    "Noted",
    "Notice",
    "PopupOpened",
    "PopupOpenedEvent",
    "PromptClosed",
    "PromptOpened",
    "StateInvalidated",
    "StateInvalidatedEvent",
    "TabClosed",
    "TabOpened",
    "TabReplaced",
    "TargetCrashed",
]

log = logging.getLogger("tabwarden.events")

# The same events under Operator-Use's names, so that code written for Operator-Use needs only a
# different import.
NavigationStartedEvent = NavigationStarted
NavigationSettledEvent = NavigationSettled
PopupOpenedEvent = PopupOpened
StateInvalidatedEvent = StateInvalidated

Event = (
    NavigationStarted
    | NavigationSettled
    | TabOpened
    | PopupOpened
    | TabClosed
    | TabReplaced
    | DialogOpened
    | DialogClosed
    | FileChooserOpened
    | FileChooserClosed
    | AuthRequired
    | AuthSettled
    | PromptOpened
    | PromptClosed
    | DownloadProgress
    | Noted
    | ConnectionRefused
    | TargetCrashed
    | StateInvalidated
    | EndpointLost
    | EndpointRegained
)
"""Any event that a subscription to all kinds can return."""

EVENT_TYPES: tuple[type[Notice], ...] = get_args(Event)

_KEPT = 10_000


class Observable(Protocol):
    """The source of a browser's events, such as its supervisor."""

    @property
    def observe(
        self,
    ) -> Callable[[Callable[[tuple[Notice, ...], SupervisorState], None]], Callable[[], None]]:
        """Call ``observer`` for each change; return a function that ends the subscription."""
        ...


EventT = TypeVar("EventT", bound=Notice)


class Events(Generic[EventT]):
    """A subscription, made by ``Browser.events()``. Thread-safe.

    The subscription ends when the caller calls ``close`` or leaves the ``with`` block, or when the
    browser closes. If the reader falls more than 10,000 events behind, the oldest events are
    dropped, and ``dropped`` counts them.
    """

    def __init__(
        self,
        source: Observable,
        loop: asyncio.AbstractEventLoop,
        kinds: tuple[type[EventT], ...],
        callback: Callable[[EventT], None] | None,
        hide: Callable[[EventT], EventT] = lambda event: event,
    ) -> None:
        self.dropped = 0
        self._kinds: tuple[type[Any], ...] = kinds or EVENT_TYPES
        self._callback = callback
        self._hide = hide
        self._waiting: deque[EventT] = deque()
        self._changed = threading.Condition()
        self._readers: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._closed = False
        self._unobserve: Callable[[], None] = lambda: None
        self._loop = loop
        loop.call_soon_threadsafe(self._observe, source)

    def close(self) -> None:
        """End the subscription. Events that have already arrived can still be read."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._wake()
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end)

    def get(self, timeout_s: float | None = None) -> EventT | None:
        """Return the next event, or None if no event arrives in time or the subscription ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed, timeout_s)
            return self._waiting.popleft() if self._waiting else None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> EventT:
        event = self.get()
        if event is None:
            raise StopIteration
        return event

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> EventT:
        while True:
            with self._changed:
                if self._waiting:
                    return self._waiting.popleft()
                if self._closed:
                    raise StopAsyncIteration
                loop = asyncio.get_running_loop()
                woken: asyncio.Future[None] = loop.create_future()
                self._readers.append((loop, woken))
            await woken

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- on the engine's thread --------------------------------------------------------------

    def _observe(self, source: Observable) -> None:
        if not self._closed:
            self._unobserve = source.observe(self._observed)

    def _end(self) -> None:
        self._unobserve()

    def _observed(self, notices: tuple[Notice, ...], state: SupervisorState) -> None:
        wanted = [self._hide(one) for one in notices if isinstance(one, self._kinds)]
        if wanted and self._callback is not None:
            for notice in wanted:
                self._call(self._callback, notice)
        elif wanted:
            with self._changed:
                self._waiting.extend(wanted)
                while len(self._waiting) > _KEPT:
                    self._waiting.popleft()
                    self.dropped += 1
                self._wake()
        if state.health.status == "gone":
            self.close()

    def _wake(self) -> None:
        self._changed.notify_all()
        readers, self._readers = self._readers, []
        for loop, woken in readers:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, woken)

    @staticmethod
    def _call(callback: Callable[[EventT], None], notice: EventT) -> None:
        try:
            callback(notice)
        except Exception:  # a subscriber's error must not reach the supervisor
            log.exception("a subscriber failed on %s", type(notice).__name__)


def _resolve(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)

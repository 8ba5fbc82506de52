"""Following: tells a viewer of the changes in one task. It crosses from the engine's thread, and
from the threads of calls, to the viewer's loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from tabwarden.browser import Browser
from tabwarden.events import Notice
from tabwarden.journal import Entry
from tabwarden.page.screencast import Picture, Watching
from tabwarden.supervisor.core.state.state import SupervisorState

Changed = Callable[[set[int]], None]
"""Gets the numbers of the calls that began or ended; the set is empty if only the state changed."""


class Following:
    """A subscription to one browser. Many changes in a row cross the threads as one.

    Args:
        changed: called on the viewer's loop.
    """

    def __init__(self, browser: Browser, changed: Changed) -> None:
        self.browser = browser
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._crossing = False
        self._calls: set[int] = set()
        self._over = False
        self._ends = [browser.inside.journal.watch(self._called), self._observe()]

    def close(self) -> None:
        self._over = True
        for end in self._ends:
            end()

    def _observe(self) -> Callable[[], None]:
        def observed(notices: tuple[Notice, ...], state: SupervisorState) -> None:
            _ = notices, state
            self._cross(None)

        return self.browser.inside.observed.observe(observed)

    def nudge(self) -> None:
        """Tell the viewer that something else changed. Any thread may call this."""
        self._cross(None)

    def _called(self, entry: Entry) -> None:
        self._cross(entry.number)

    def _cross(self, call: int | None) -> None:
        with self._lock:
            if call is not None:
                self._calls.add(call)
            if self._crossing or self._over or self._loop.is_closed():
                return
            self._crossing = True
        self._loop.call_soon_threadsafe(self._arrive)

    def _arrive(self) -> None:
        with self._lock:
            calls, self._calls, self._crossing = self._calls, set(), False
        if not self._over:
            self._changed(calls)


class PictureQueue:
    """The pictures of one task for one viewer. Only the newest one waits; a slow viewer misses the
    others.

    Args:
        came: called on the viewer's loop when a new picture waits.
    """

    def __init__(self, browser: Browser, came: Callable[[], None], **wish: Any) -> None:
        self._screencasts = browser.inside.task.screencasts
        self._engine = browser.inside.engine.loop
        self._came = came
        self._loop = asyncio.get_running_loop()
        self._newest: Picture | None = None
        self._watching: Watching | None = None
        self._over = False
        self.wish = wish
        self._engine.call_soon_threadsafe(self._begin)

    def take(self) -> Picture | None:
        """Return the picture that waits, if any."""
        newest, self._newest = self._newest, None
        return newest

    @property
    def waits(self) -> bool:
        return self._newest is not None

    def close(self) -> None:
        self._over = True
        self._engine.call_soon_threadsafe(self._end)

    # -- on the engine's thread ----------------------------------------------------------------

    def _begin(self) -> None:
        if not self._over:
            self._watching = self._screencasts.watch(self._got, **self.wish)

    def _end(self) -> None:
        if self._watching is not None:
            self._screencasts.unwatch(self._watching)

    def _got(self, picture: Picture) -> None:
        first = self._newest is None
        self._newest = picture
        if first and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._came)

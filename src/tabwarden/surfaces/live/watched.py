"""``WatchedTask``: the state of one task that was sent to one viewer, and the changes since
then.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from tabwarden.browser import Browser
from tabwarden.events import Notice
from tabwarden.journal import Entry
from tabwarden.page.control import Change, handoff_json
from tabwarden.page.screencast import Picture, Subscription
from tabwarden.supervisor.core.state.inputs import RecordNetwork
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.surfaces.live.telling import (
    boxes_of,
    ended_json,
    entry_json,
    fields,
    outline_json,
    outline_of,
    result_text,
    task_json,
)

_SIZES: Mapping[str, dict[str, Any]] = {
    "small": {"max_width": 480, "fps": 2},
    "large": {"max_width": 1440, "fps": 15},
}
_MOST_IN_FLIGHT = {"small": 1, "large": 2}
"""How many images may be in transit to the viewer. Further images would have to wait, and would be
outdated.
"""
_FIRST_CALLS = 200
_REQUEST = ("number", "method", "url", "status", "ended", "error", "duration_ms", "size")
_MOST_REQUESTS = 300
_NOTHING = object()
"""The value that means that no outline has been sent to the viewer."""


class WatchedTask:
    """One task as watched by one viewer. ``messages`` returns only the changes since its last
    call.
    """

    def __init__(
        self, name: str, browser: Browser, wake: Callable[[], None], viewer: tuple[str, str]
    ) -> None:
        self.name = name
        self._viewer = viewer
        """The viewer's name and identity."""
        self.browser = browser
        self._wake = wake
        self._following = Following(browser, self._changed)
        self._unwatch_control = browser.control.watch(self._control_changed)
        self._wants: frozenset[str] = frozenset()
        self._tab: str | None = None
        self._size = ""
        self._pictures: PictureQueue | None = None
        self._in_flight = 0
        self._is_stale = True
        self._calls: set[int] = set()
        self._sent: dict[str, Any] = {}
        self._sent_outline: Any = _NOTHING
        self._sent_tab: str | None = None
        self._sent_requests: dict[str, Any] = {}
        self._last_console = 0

    def close(self) -> None:
        self._following.close()
        self._unwatch_control()
        if self._pictures is not None:
            self._pictures.close()

    # -- the viewer's settings -----------------------------------------------------------------

    def want(self, message: Mapping[str, Any]) -> None:
        """Set what the viewer sees of this task: ``pictures`` (small, large, or none), ``parts``
        (calls, outline, console, requests), and ``tab_id`` (None for the active tab).
        """
        tab_id = message.get("tab_id")
        size = str(message.get("pictures", ""))
        size = size if size in _SIZES else ""
        if (size, tab_id) != (self._size, self._tab) or (size and self._pictures is None):
            self._show(size, None if tab_id is None else str(tab_id))
        wants = frozenset(str(part) for part in message.get("parts", ()))
        if "calls" in wants - self._wants:
            self._calls |= {entry.number for entry in self._entries()[-_FIRST_CALLS:]}
        if "requests" in wants:
            self._record()
        if self._wants != wants:
            self._sent_outline, self._sent_tab = _NOTHING, None
        self._wants = wants
        self._is_stale = True
        self._wake()

    @property
    def is_shown(self) -> bool:
        """Whether the viewer has the page of this task open, not only the overview."""
        return bool(self._wants)

    def _show(self, size: str, tab_id: str | None) -> None:
        if self._pictures is not None:
            self._pictures.close()
        self._size, self._tab, self._in_flight = size, tab_id, 0
        self._pictures = None
        if size:
            self._pictures = PictureQueue(self.browser, self._wake, tab_id=tab_id, **_SIZES[size])

    def _record(self) -> None:
        """Start recording requests. By default, the browser does not report them."""
        task = self.browser.inside.task
        if not task.state.recording:
            task.supervisor.loop.call_soon_threadsafe(task.supervisor.feed, RecordNetwork())

    def seen(self) -> None:
        """Record that the viewer has received an image."""
        self._in_flight = max(0, self._in_flight - 1)
        self._wake()

    # -- changes -------------------------------------------------------------------------------

    def _changed(self, calls: set[int]) -> None:
        self._is_stale = True
        self._calls |= calls
        self._wake()

    def _control_changed(self, _: Change) -> None:  # on any thread
        self._following.nudge()

    @property
    def has_picture(self) -> bool:
        waits = self._pictures is not None and self._pictures.waits
        return waits and self._in_flight < _MOST_IN_FLIGHT.get(self._size, 1)

    def picture_to_send(self) -> Picture | None:
        if not self.has_picture or self._pictures is None:
            return None
        self._in_flight += 1
        return self._pictures.take()

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages to send to the viewer now."""
        if not self._is_stale or not self.browser.is_open:
            return []
        self._is_stale = False
        messages: list[dict[str, Any]] = []
        state = self._state()
        if state != self._sent:
            self._sent = state
            messages.append({"type": "task", "task": self.name, "now": time.time(), **state})
        numbers, self._calls = self._calls, set()
        if "calls" in self._wants and numbers:
            calls = [entry_json(one) for one in self._entries() if one.number in numbers]
            messages.append({"type": "calls", "task": self.name, "calls": calls})
        tab = self._tab or state["active_tab_id"]
        if tab is not None:
            messages += self._of_tab(tab)
        return self.browser.inside.journal.guarded.hide(messages)

    def _state(self) -> dict[str, Any]:
        control = self.browser.control
        holder = control.holder
        return {
            **task_json(self.browser, self.name.partition(".")[2]),
            "holder": None
            if holder is None
            else {
                "name": holder.name,
                "since": holder.since,
                "is_viewer": control.is_held_by(*self._viewer),
            },
            "handoffs": [handoff_json(one) for one in control.waiting_handoffs],
            "ended": ended_json(self.browser),
        }

    def _of_tab(self, tab: str) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = []
        if tab != self._sent_tab:
            self._sent_tab = tab
            self._sent_outline, self._sent_requests, self._last_console = _NOTHING, {}, 0
        about = {"task": self.name, "tab_id": tab}
        if (
            "outline" in self._wants
            and (known := outline_of(self.browser, tab)) is not self._sent_outline
        ):
            self._sent_outline = known
            messages.append({"type": "outline", **about, **outline_json(known)})
        if "console" in self._wants and (lines := self._new_lines(tab)):
            messages.append({"type": "console", **about, "lines": lines})
        if "requests" in self._wants and (requests := self._new_requests(tab)):
            messages.append({"type": "requests", **about, "requests": requests})
        return messages

    def _new_lines(self, tab: str) -> list[dict[str, Any]]:
        state = self.browser.inside.task.state
        both = {one.number: one for one in (*state.console_errors, *state.console)}
        new = [
            one
            for number, one in sorted(both.items())
            if one.tab_id == tab and number > self._last_console
        ]
        self._last_console = max((one.number for one in new), default=self._last_console)
        return [
            {**fields(one, "number", "level", "url", "line", "at"), "text": one.text[:2000]}
            for one in new
        ]

    def _new_requests(self, tab: str) -> list[dict[str, Any]]:
        known = self.browser.inside.task.state.network.get(tab)
        if known is None:
            return []
        before, self._sent_requests = self._sent_requests, dict(known.requests)
        new = [one for key, one in known.requests.items() if before.get(key) is not one]
        return [
            {**fields(one, *_REQUEST), "resource_type": one.type, "at": one.started_at}
            for one in new[-_MOST_REQUESTS:]
        ]

    # -- responses to requests -----------------------------------------------------------------

    def _entries(self) -> list[Entry]:
        return self.browser.inside.journal.entries

    def call_in_full(self, number: Any) -> dict[str, Any]:
        """Return a call with its result."""
        found = next((one for one in self._entries() if one.number == number), None)
        about = {"type": "call", "task": self.name, "number": number}
        if found is None:
            return {**about, "gone": True}
        return {**about, **entry_json(found), "result": result_text(found)}

    async def boxes(self, tab_id: str) -> dict[str, Any]:
        """Return the boxes of the outline's elements in the image, by ref."""
        return dict(await boxes_of(self.browser, tab_id))


Changed = Callable[[set[int]], None]
"""A callback that is called with the numbers of the calls that began or ended, or with an empty set
if only the state changed.
"""


class Following:
    """A subscription to one browser. Changes in quick succession are reported to the loop's thread
    together.

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
        def observed(_: tuple[Notice, ...], __: SupervisorState) -> None:
            self._cross(None)

        return self.browser.inside.observed.observe(observed)

    def nudge(self) -> None:
        """Report another change to the viewer. Any thread may call this."""
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
    """The images of one task for one viewer. Keeps only the newest image, so a slow viewer misses
    the others.

    Args:
        came: called on the viewer's loop when a new image is waiting.
    """

    def __init__(self, browser: Browser, came: Callable[[], None], **wish: Any) -> None:
        self._screencasts = browser.inside.task.screencasts
        self._engine = browser.inside.engine.loop
        self._came = came
        self._loop = asyncio.get_running_loop()
        self._newest: Picture | None = None
        self._watching: Subscription | None = None
        self._over = False
        self.wish = wish
        self._engine.call_soon_threadsafe(self._begin)

    def take(self) -> Picture | None:
        """Return the waiting image, if any."""
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

"""Take small screenshots of the active tab between the agent's calls.

A full screenshot costs the browser about 30 ms of work, and a screencast frame of half the width
10 ms (Chromium 153 and 156). So the flight recorder takes such frames, and full screenshots only of
incidents. It takes them in a pause: shortly after a call, if no other call is running. If calls
follow each other without pauses, it takes one every few seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec

from tabwarden.page.capture import may_show, size_of
from tabwarden.page.screencast import Picture
from tabwarden.page.task import Task, blocking_dialogs
from tabwarden.protocol import page
from tabwarden.wire import Reply

PICTURE_LOST_S = 1.0
"""How long to wait for a screenshot before the next attempt, because the page may hang or have
navigated."""
RECORDED_AFTER_S = 0.02
RECORDED_PICTURE_S = 0.2
"""The same times for a requested recording."""
BUSY_PICTURE_S = 3.0
"""Time between screenshots if calls follow each other without pauses."""
SCRIPT_PICTURE_S = 10.0
"""How old the last screenshot must be before one is taken after a script."""
PICTURE_AFTER_S = 0.15
"""Time between a call's end and a screenshot, if no other call is running then."""
SMALL_WIDTH = 640
"""The width of the flight recorder's screenshots, in pixels."""
COMMAND = page.CaptureScreenshot(format="jpeg", quality=40, optimize_for_speed=True)


class Screenshot(msgspec.Struct, frozen=True):
    """A screenshot of a tab."""

    at: float
    tab_id: str
    width: int
    """In image pixels."""
    height: int
    scale: float
    """Image pixels per CSS pixel."""
    data: bytes
    is_same: bool = False
    """Whether the screenshot shares its data with the previous screenshot."""


class ScreenshotTimer:
    """Takes screenshots. Use it on the engine's event loop, except for ``soon``.

    Args:
        task: the task with the active tab.
        keep: receives each screenshot.
        is_recording: whether a recording was requested. A recording has more screenshots.
    """

    def __init__(
        self, task: Task, keep: Callable[[Screenshot], None], *, is_recording: bool = False
    ) -> None:
        self._task, self._keep = task, keep
        self._is_recording = is_recording
        self._most_often_s = RECORDED_PICTURE_S if is_recording else BUSY_PICTURE_S
        self._after_s = RECORDED_AFTER_S if is_recording else PICTURE_AFTER_S
        self._is_armed = False
        self._timer: asyncio.TimerHandle | None = None
        self._asked_at = 0.0
        self._taking: asyncio.Future[None] | None = None
        self._last: bytes | None = None
        self._heard: list[asyncio.Future[None]] = []
        self._closed = False
        self._checking: asyncio.Task[None] | None = None

    def soon(self, after: str = "") -> None:
        """Take a screenshot in the next pause. Any thread may call this.

        Args:
            after: the action that has just ended. The flight recorder takes a screenshot after a
                script only if the last one is old, because many scripts only read.
        """
        age_s = time.monotonic() - self._asked_at
        if after == "evaluate" and not self._is_recording and age_s < SCRIPT_PICTURE_S:
            return
        if not self._is_armed and not self._closed:
            self._is_armed = True
            self._task.supervisor.loop.call_soon_threadsafe(self._arm)

    def every(self, seconds: float) -> None:
        """Take screenshots regularly, for a video."""
        if not self._closed:
            self.take()
            self._task.supervisor.loop.call_later(seconds, self.every, seconds)

    async def taken(self) -> None:
        """Take a screenshot now, if possible, and wait for it."""
        heard = asyncio.get_running_loop().create_future()
        self._heard.append(heard)
        if not self.take() and self._taking is None:
            self._tell()
        await heard

    def close(self) -> None:
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._tell()

    def _arm(self) -> None:
        if not self._closed:
            loop = self._task.supervisor.loop
            self._timer = loop.call_later(self._after_s, self._pause)

    def _pause(self) -> None:
        is_busy = bool(self._task.journal.running)
        if is_busy and time.monotonic() - self._asked_at < self._most_often_s:
            self._arm()
            return
        self._is_armed = False
        self.take(is_small=not self._is_recording)

    def take(self, *, is_small: bool = False) -> bool:
        """Request a screenshot. Return False if the tab can't be captured now."""
        tab = self._task.state.tabs.get(self._task.state.active_tab_id or "")
        if self._closed or self._task.shutter.is_open or tab is None or tab.session_id is None:
            return False
        if tab.url in ("", "about:blank"):  # the first page replaces it, and no screenshot arrives
            return False
        if self._task.state.emulation.is_scaled and self._task.journal.running:
            return False  # a screenshot would change the mouse position of the call (``Shutter``)
        if tab.status != "ready" or self._task.state.health.status != "live":
            return False
        if (
            self._task.control.holder is not None
        ):  # the page may show the password that a person is typing
            return False
        if blocking_dialogs(self._task.state, tab.tab_id):
            return False
        self._asked_at, self._taking = time.monotonic(), self._task.shutter.open()
        if is_small:
            self._take_frame(tab.tab_id)
        else:
            self._capture(tab.tab_id, tab.session_id)
        return True

    def _take_frame(self, tab_id: str) -> None:
        """Take one frame of the tab's screencast."""
        loop, screencasts = self._task.supervisor.loop, self._task.screencasts
        frames: list[Picture] = []

        def end() -> None:  # also if no frame arrives, as of a hidden tab
            lost.cancel()
            screencasts.unwatch(subscription)
            if frames and not self._closed:
                width, _ = size_of(frames[0].data)
                self._keep_taken(frames[0].data, tab_id, width / (frames[0].width or width or 1))
            self._end_wait()

        def came(frame: Picture) -> None:
            if not frames:  # later frames may come until the subscription ends
                frames.append(frame)
                loop.call_soon(end)

        lost = loop.call_later(PICTURE_LOST_S, end)
        subscription = screencasts.watch(came, tab_id=tab_id, max_width=SMALL_WIDTH)

    def _capture(self, tab_id: str, session_id: str) -> None:
        supervisor = self._task.supervisor

        def came(reply: Reply) -> None:
            lost.cancel()
            self._came(reply, tab_id)

        def give_up() -> None:  # a document that is being replaced can't be captured
            supervisor.connection.forget(command_id)
            self._end_wait()

        lost = supervisor.loop.call_later(PICTURE_LOST_S, give_up)
        command_id = supervisor.send(COMMAND, session_id, came)

    def _came(self, reply: Reply, tab_id: str) -> None:
        if reply.result is None or self._closed:
            self._end_wait()
            return
        with suppress(msgspec.DecodeError):  # the browser is broken and returned no image
            data = msgspec.json.decode(reply.result, type=_Taken).data
            if self._task.vault.hidden.is_known:
                self._checking = asyncio.ensure_future(self._keep_checked(data, tab_id))
                return
            self._keep_taken(data, tab_id, self._device_scale())
        self._end_wait()

    async def _keep_checked(self, data: bytes, tab_id: str) -> None:
        """Keep a screenshot only if it shows no secret. Otherwise cover the secret and take the
        screenshot again."""
        try:
            if await may_show(self._task, tab_id):
                self._keep_taken(data, tab_id, self._device_scale())
            else:
                self.soon()
        finally:
            self._end_wait()

    def _end_wait(self) -> None:
        taking, self._taking = self._taking, None
        if taking is not None:
            self._task.shutter.close(taking)
        self._tell()

    def _device_scale(self) -> float:
        device = self._task.state.emulation.device
        return device.scale if device is not None else 1.0

    def _keep_taken(self, data: bytes, tab_id: str, scale: float) -> None:
        is_same = data == self._last
        if not is_same or self._last is None:
            self._last = data
        width, height = size_of(data)
        self._keep(
            Screenshot(time.time(), tab_id, width, height, scale, self._last, is_same=is_same)
        )

    def _tell(self) -> None:
        heard, self._heard = self._heard, []
        for one in heard:
            if not one.done():
                one.set_result(None)


class _Taken(msgspec.Struct):
    data: bytes
    """The image. msgspec decodes it from base64."""

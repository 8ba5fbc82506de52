"""Record a task, and write its traces."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from tabwarden.config import BrowserConfig
from tabwarden.errors import TabwardenError
from tabwarden.events import EVENT_TYPES, Notice
from tabwarden.hints import joined
from tabwarden.journal import Entry
from tabwarden.page.task import Slot, Task
from tabwarden.recording.folder import new_path, prune, write_private
from tabwarden.recording.har import har_of
from tabwarden.recording.log import Log
from tabwarden.recording.pictures import ScreenshotTimer
from tabwarden.recording.playwright_trace import write_zip
from tabwarden.recording.records import Record
from tabwarden.recording.settings import Settings, settings_of
from tabwarden.recording.titles import CHANGE_NOTHING
from tabwarden.recording.trace import Trace
from tabwarden.recording.video import VIDEO_FPS, check_video, write_video
from tabwarden.supervisor.core.state.inputs import RecordNetwork
from tabwarden.supervisor.core.state.state import SupervisorState

__all__ = ["Recorder", "write_har", "write_trace"]


def write_trace(trace: Trace, path: Path) -> None:
    """Write a trace as a zip file that Playwright's viewer opens."""
    write_private(path, lambda file: write_zip(trace, file))


def write_har(trace: Trace, path: Path) -> None:
    """Write a trace's requests as a HAR file."""
    text = json.dumps(har_of(trace), indent=1)
    write_private(path, lambda file: _text(file, text))


def write_asked_for(trace: Trace, settings: Settings) -> None:
    """Write the files for a task that was recorded from its start."""
    task = str(trace.about["task"])
    if settings.record is not None:
        write_trace(trace, new_path(settings.record, task, "recorded"))
    if settings.har is not None:
        write_har(trace, _own(settings.har, task))
    if settings.video is not None:
        path = _own(settings.video, task)
        form = path.suffix.removeprefix(".")
        write_private(path, lambda file: write_video(trace, file, form))


_owners: dict[Path, str] = {}
"""Maps each file in this process to the task that owns it."""


def _own(path: Path, task: str) -> Path:
    """Return a path that belongs only to the task, so that no task in this process replaces another
    task's file."""
    if _owners.setdefault(path, task) == task:
        return path
    return path.with_stem(f"{path.stem}-{task}")


def _text(file: IO[bytes], text: str) -> None:
    file.write(text.encode())


CLOSE_S = 10.0
"""When a browser is closed, how long to wait until its recording is written."""
FLUSH_S = 1.0
"""Time between writes of a requested recording to the disk."""
LAST_PICTURE_S = 0.5
"""How long the file about an incident waits for a last screenshot."""
INCIDENT_S = 10.0
"""Incidents in one task within this time share a file."""

log = logging.getLogger("tabwarden.recording")

_INCIDENTS = {"budget_exceeded", "target_crashed", "browser_gone"}


class Recorder:
    """A task's flight recorder. The methods run on the engine's event loop unless documented
    otherwise."""

    def __init__(self, task: Task, settings: Settings) -> None:
        self._task, self._settings = task, settings
        self._began = time.time()
        self._log = Log(settings, task.journal.secrets)
        self._pictures = ScreenshotTimer(
            task, self._log.picture, is_recording=settings.is_recording
        )
        self._writing: dict[Path, asyncio.Task[None]] = {}
        self._incident: tuple[float, Path] | None = None
        self._ends: list[Callable[[], None]] = []
        self._closed = False

    @classmethod
    def start(cls, task: Task, config: BrowserConfig) -> None:
        """Start a task's recorder, unless the configuration disables it."""
        settings = settings_of(config)
        if settings is None:
            return
        if settings.video is not None:
            check_video()
        recorder = cls(task, settings)
        recorder._start()
        RECORDER.put(task, recorder)

    @property
    def memory(self) -> int:
        """The estimated memory use in bytes. Any thread may read it."""
        return self._log.size

    def _start(self) -> None:
        supervisor, journal = self._task.supervisor, self._task.journal
        journal.on_failure = self._failed
        self._ends = [journal.watch(self._heard), supervisor.observe(self._noticed)]
        if self._settings.is_recording:
            self._task.wants_locators = True
            supervisor.feed(RecordNetwork())
            self._flush_regularly()
        if self._settings.video is not None:
            self._pictures.every(1 / VIDEO_FPS)

    # -- incoming data: any thread ---------------------------------------------------------------

    def _heard(self, entry: Entry) -> None:
        if entry.ended is None:
            return
        self._log.call(entry)
        if entry.action not in CHANGE_NOTHING:
            self._pictures.soon(entry.action)

    def _noticed(self, notices: tuple[Notice, ...], _: SupervisorState) -> None:
        for notice in notices:
            if isinstance(notice, EVENT_TYPES):
                self._log.notice(notice, time.time())

    def _failed(self, entry: Entry, error: TabwardenError) -> None:
        """If a failure is an incident, choose the file for its trace and mention the file in the
        error. The file is written in the background, because the call must end in time."""
        is_incident = error.code in _INCIDENTS or bool(entry.steps)
        if error.code == "browser_gone":  # a closed tab causes the same error code
            is_incident = self._task.state.health.status == "gone"
        if not is_incident or "trace" in error.data or self._closed:
            return
        now = time.monotonic()
        is_new = self._incident is None or now - self._incident[0] > INCIDENT_S
        if self._incident is None or is_new:
            folder = self._settings.folder
            self._incident = now, new_path(folder, self._task.supervisor.task_id, error.code)
        path = self._incident[1]
        error.data["trace"] = str(path)
        error.hint = joined(error.hint, f"Trace: {path}.")
        self._task.supervisor.loop.call_soon_threadsafe(self._write_soon, path, error.code)

    # -- files -----------------------------------------------------------------------------------

    def _write_soon(self, path: Path, reason: str) -> None:
        """Write an incident's file in a moment. The file also includes calls that fail in the
        meantime."""
        if path not in self._writing and not self._closed:
            self._writing[path] = asyncio.ensure_future(self._write_incident(path, reason))

    async def _write_incident(self, path: Path, reason: str) -> None:
        try:
            async with asyncio.timeout(LAST_PICTURE_S):
                await self._pictures.taken()
        except TimeoutError:  # the page is not responding
            pass
        finally:
            del self._writing[path]  # if another call fails later, the file is written again
        try:
            await self._written(path, reason)
            await asyncio.to_thread(prune, path.parent)
        except OSError as error:
            log.warning("The trace %s can't be written: %s", path, error.strerror)

    async def save(self, path: Path | None = None) -> tuple[Path, Trace]:
        """Write the data recorded so far, and return the file's path and content.

        Raises:
            OSError: the file can't be written.
        """
        if path is None:
            path = new_path(self._settings.folder, self._task.supervisor.task_id, "saved")
        return path, await self._written(path, "saved")

    async def _written(self, path: Path, reason: str) -> Trace:
        state, running = self._task.state, self._task.journal.running

        def write() -> Trace:
            trace = self._trace(state, running, reason)
            write_trace(trace, path)
            return trace

        return await asyncio.to_thread(write)

    def _trace(self, state: SupervisorState, running: list[Entry], reason: str) -> Trace:
        records, images = self._log.records(state, running)
        return Trace.of([self._about(records, reason), *records], images)

    def _about(self, records: list[Record], reason: str) -> Record:
        times = [one["began"] for one in records if one["type"] == "call"]
        times += [one["at"] for one in records if "at" in one]
        opened = self._task.supervisor.opened
        picture = next((one for one in reversed(records) if one["type"] == "picture"), None)
        about: Record = {
            "type": "recording",
            "task": self._task.supervisor.task_id,
            "browser": opened.product if opened is not None else "",
            "platform": sys.platform,
            "began": min(times, default=self._began),
            "ended": time.time(),
            "reason": reason,
        }
        if self._settings.launch:
            about["launch"] = self._settings.launch
        if picture is not None:
            scale = picture["scale"] or 1
            size = {side: round(picture[side] / scale) for side in ("width", "height")}
            about["viewport"] = size
        return about

    def _flush_regularly(self) -> None:
        if not self._closed:
            self._flushing = asyncio.ensure_future(self._flush())
            self._task.supervisor.loop.call_later(FLUSH_S, self._flush_regularly)

    async def _flush(self) -> None:
        try:
            await asyncio.to_thread(self._log.flush, self._task.state)
        except OSError as error:
            log.warning("The trace can't be written: %s", error.strerror)

    async def close(self, remaining_s: float = CLOSE_S) -> None:
        """Write the recordings that were requested at the start. A second call has no effect.

        Args:
            remaining_s: how long to wait. After that, writing continues in the background.
        """
        if self._closed:
            return
        if self._settings.is_recording:
            try:
                async with asyncio.timeout(min(LAST_PICTURE_S, remaining_s)):
                    await self._pictures.taken()
            except TimeoutError:
                pass
        self._closed = True
        self._pictures.close()
        for end in self._ends:
            end()
        self._task.journal.on_failure = None
        rest = [*self._writing.values()]
        if self._settings.is_recording:
            rest.append(asyncio.ensure_future(self._finish()))
        if rest:
            await asyncio.wait(rest, timeout=min(remaining_s, CLOSE_S))

    async def _finish(self) -> None:
        state, running = self._task.state, self._task.journal.running

        def finish() -> None:
            trace = self._trace(state, running, "closed")
            write_asked_for(trace, self._settings)
            self._log.remove()

        try:
            await asyncio.to_thread(finish)
        except OSError as error:
            log.warning("The trace can't be written: %s", error.strerror)


RECORDER: Slot[Recorder] = Slot()
"""The task's recorder."""

"""Find the frame and the field that receive a person's keys. The typed text is never read."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.person.timing import ASKED_S, FOCUS_S, MOVES_S
from tabwarden.page.task import Task
from tabwarden.page.walker import WorldGone, command_for
from tabwarden.protocol import decode_result, runtime
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Frame, Tab
from tabwarden.supervisor.runtime import Race
from tabwarden.wire import Reply

_MOST_FRAMES = 30


class Field(NamedTuple):
    """The frame and field that have the focus."""

    world: str
    session_id: str
    element: int | None
    """The id of the focused text field; None if no text field has the focus."""
    is_secret: bool = False
    """Whether the field is a secret field, or was one when a person typed there."""


class _Question:
    """Asks frames which of them has the focus. Late replies are still used to find secret
    fields."""

    def __init__(self, task: Task, worlds: list[ExecutionContext]) -> None:
        self.claims: list[Field] = []
        """The frames that have reported so far that they have the focus."""
        self._task = task
        self._left = len(worlds)
        self._all = asyncio.Event()
        for world in worlds:
            command = command_for(world, "fieldInUse")
            task.supervisor.send(command, world.session_id, partial(self._on_reply, world))

    def _on_reply(self, world: ExecutionContext, reply: Reply) -> None:
        self._left -= 1
        value = None
        if reply.result is not None:
            value = decode_result(runtime.Evaluate, reply.result).result.value
        if isinstance(value, dict):
            field = _field(world, value)
            self.claims.append(field)
            if field.is_secret:
                self._task.control.secret_worlds[field.world] = field.session_id
        if not self._left:
            self._all.set()

    async def answered(self, within_s: float) -> bool:
        """Wait until all frames have replied. Return False if that takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._all.wait()
        return not self._left


class FocusFinder:
    """Finds the frame that has the focus by asking all frames in a tab."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._preparing: dict[str, asyncio.Task[None]] = {}
        """The running preparations of the walker, keyed by frame ID."""

    def frames(self, tab: Tab) -> list[Frame]:
        return self._task.state.frames_of(tab.tab_id)[:_MOST_FRAMES]

    async def find(self, tab: Tab) -> Field | None:
        """Return the field that has the focus. Return None if the frames don't agree in time, for
        example because the page hangs.

        The walker is first injected into frames that don't have it. While the focus moves between
        processes, two frames or no frame may report the focus. Then the frames are asked again.
        """
        frames = self.frames(tab)
        until = time.monotonic() + FOCUS_S
        new = [f for f in frames if self._task.worlds.known(f.frame_id) is None]
        if new:
            await asyncio.wait([self._prepared(tab, f) for f in new], timeout=FOCUS_S)
        worlds = self._worlds(frames)
        while worlds and (left_s := until - time.monotonic()) > 0:
            question = _Question(self._task, worlds)
            if not await question.answered(left_s) and not question.claims:
                return None
            if len(question.claims) == 1:
                return question.claims[0]
            await asyncio.sleep(MOVES_S)
        return None

    def mark(self, tab: Tab) -> None:
        """Let the frames mark a focused secret field. Frames without a walker mark it once the
        walker is injected. Nothing waits for this except the end of control."""
        frames = self.frames(tab)
        self._mark(frames)
        for frame in frames:
            if self._task.worlds.known(frame.frame_id) is None:
                work = self._prepared(tab, frame)
                self._task.control.late_marks.add(work)
                work.add_done_callback(partial(self._mark_late, frame))

    def _mark_late(self, frame: Frame, work: asyncio.Task[None]) -> None:
        self._task.control.late_marks.discard(work)
        self._mark([frame])

    def _mark(self, frames: list[Frame]) -> None:
        worlds = self._worlds(frames)
        _Question(self._task, worlds)
        for world in worlds:  # do not wait for the replies, because control may end at once
            self._task.control.secret_worlds[world.unique_id] = world.session_id

    def _worlds(self, frames: list[Frame]) -> list[ExecutionContext]:
        known = self._task.worlds.known
        return [world for frame in frames if (world := known(frame.frame_id)) is not None]

    def _prepared(self, tab: Tab, frame: Frame) -> asyncio.Task[None]:
        """Prepare the walker in a frame, unless the preparation is already running."""
        under_way = self._preparing.get(frame.frame_id)
        if under_way is not None:
            return under_way
        work = self._task.supervisor.spawn(self._prepare(tab, frame))
        self._preparing[frame.frame_id] = work
        work.add_done_callback(lambda _: self._preparing.pop(frame.frame_id, None))
        return work

    async def _prepare(self, tab: Tab, frame: Frame) -> None:
        budget = Budget(ASKED_S * 1000)
        race = Race(self._task.supervisor, budget, tab.tab_id, through_dialogs=True)
        with suppress(TabwardenError, WorldGone), race:  # the page is busy or closed
            await self._task.worlds.of(race, frame.frame_id)


def _field(world: ExecutionContext, value: dict[str, Any]) -> Field:
    is_secret = value.get("isSecret") is True
    return Field(world.unique_id, world.session_id, value["id"], is_secret)

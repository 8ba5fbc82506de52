"""Focus: finds the frame, and the field in it, that a person's keys go to. It never reads what the
person types."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import NamedTuple

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.person.timing import ASKED_S, FOCUS_S
from tabwarden.page.task import Task
from tabwarden.page.walker import WorldGone, command_for
from tabwarden.protocol import decode_result, runtime
from tabwarden.supervisor import ExecutionContext, Frame, Race, Tab
from tabwarden.wire import Reply

_MOST_FRAMES = 30


class Field(NamedTuple):
    """Where the focus is."""

    world: str
    session_id: str
    element: int | None
    """The id of the text field that has the focus; None if another element or nothing has it."""


class FocusFinder:
    """Asks the frames of a tab which of them has the focus."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._preparing: dict[str, asyncio.Task[None]] = {}
        """By frame id."""

    def frames(self, tab: Tab) -> list[Frame]:
        state = self._task.state
        found = [f for f in state.frames.values()
                 if state.tab_id_of_session(f.session_id) == tab.tab_id]  # fmt: skip
        return found[:_MOST_FRAMES]

    async def find(self, tab: Tab) -> Field | None:
        """Return where the focus is; None if no frame tells in time, such as in a page that hangs.

        A page that has no walker yet gets it first.
        """
        frames = self.frames(tab)
        new = [
            self._prepared(tab, f) for f in frames if self._task.worlds.known(f.frame_id) is None
        ]
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Field | None] = loop.create_future()
        until = loop.call_later(FOCUS_S, _settle, found, None)
        if new:
            await asyncio.wait(new, timeout=FOCUS_S)
        worlds = [w for f in frames if (w := self._task.worlds.known(f.frame_id)) is not None]
        self._ask(worlds, found)
        try:
            return await found
        finally:
            until.cancel()

    def _ask(self, worlds: list[ExecutionContext], found: asyncio.Future[Field | None]) -> None:
        left = len(worlds)
        if not left:
            _settle(found, None)

        def ask_in(world: ExecutionContext) -> None:
            def told(reply: Reply) -> None:
                nonlocal left
                left -= 1
                value = None
                if reply.result is not None:
                    value = decode_result(runtime.Evaluate, reply.result).result.value
                if isinstance(value, dict):
                    _settle(found, Field(world.unique_id, world.session_id, value["id"]))
                elif not left:
                    _settle(found, None)

            command = command_for(world, "fieldInUse")
            self._task.supervisor.send(command, world.session_id, told)

        for world in worlds:
            ask_in(world)

    def _prepared(self, tab: Tab, frame: Frame) -> asyncio.Task[None]:
        """Put the walker into a frame, at most once at a time."""
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
        with suppress(TabwardenError, WorldGone), race:  # the page is busy or gone
            await self._task.worlds.of(race, frame.frame_id)


def _settle(found: asyncio.Future[Field | None], field: Field | None) -> None:
    if not found.done():
        found.set_result(field)

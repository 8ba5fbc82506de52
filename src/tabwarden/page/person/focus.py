"""Focus: finds the frame, and the field in it, that a person's keys go to. It never reads what the
person types."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import NamedTuple

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.person.timing import ASKED_S, FOCUS_S, MOVES_S
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
        """Return where the focus is; None if the frames don't agree in time, such as in a page that
        hangs.

        A page that has no walker yet gets it first. While the focus moves from one process to
        another, two frames claim it, or none, so ask them again.
        """
        frames = self.frames(tab)
        until = time.monotonic() + FOCUS_S
        new = [f for f in frames if self._task.worlds.known(f.frame_id) is None]
        if new:
            await asyncio.wait([self._prepared(tab, f) for f in new], timeout=FOCUS_S)
        worlds = [w for f in frames if (w := self._task.worlds.known(f.frame_id)) is not None]
        while worlds and (left_s := until - time.monotonic()) > 0:
            claims = await self._ask(worlds, left_s)
            if claims is None or len(claims) == 1:
                return claims[0] if claims else None
            await asyncio.sleep(MOVES_S)
        return None

    async def _ask(self, worlds: list[ExecutionContext], within_s: float) -> list[Field] | None:
        """Return the frames that claim the focus; None if not all frames answer in time."""
        claims: list[Field] = []
        left = len(worlds)
        all_told = asyncio.Event()

        def ask_in(world: ExecutionContext) -> None:
            def told(reply: Reply) -> None:
                nonlocal left
                left -= 1
                value = None
                if reply.result is not None:
                    value = decode_result(runtime.Evaluate, reply.result).result.value
                if isinstance(value, dict):
                    claims.append(Field(world.unique_id, world.session_id, value["id"]))
                if not left:
                    all_told.set()

            command = command_for(world, "fieldInUse")
            self._task.supervisor.send(command, world.session_id, told)

        for world in worlds:
            ask_in(world)
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await all_told.wait()
        return claims if not left or claims else None

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

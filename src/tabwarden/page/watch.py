"""Watch: look for a text or an element in all frames of a tab at once, over their navigations.

Each frame's own walker looks (``js/awaited.js``) and rests ten times as long as that took, so a
page is never kept from its own work. A document that replaces another is watched in its stead.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import msgspec

from tabwarden.errors import FrameNotFound, InvalidArgument
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import ExecutionContext, Race, SupervisorState, Tab

__all__ = ["Found", "check_selector", "gone", "shown"]

Kind = Literal["text", "selector"]
_LOOK_MS = 2_000
"""How long a frame looks by itself before it is asked again."""
_SILENT_S = 5.0
"""Whose answer has not come by then is asked anew: its timers may have been stopped."""
_AGAIN_MS = 100.0
"""A frame whose document is just replaced is asked again after this at most."""


class Found(msgspec.Struct, frozen=True):
    """Where something is shown."""

    frame_id: str
    world_id: str
    element: dict[str, Any]
    """The walker's ``id, role, name`` of an element; empty for a text."""


async def shown(task: Task, race: Race, tab: Tab, kind: Kind, what: str) -> Found:
    """Wait until some frame shows a text, or an element that a CSS selector matches."""
    watches: dict[str, asyncio.Task[Found | None]] = {}
    try:
        while True:
            frames = _frames_of(task.state, tab.tab_id)
            for frame_id in watches.keys() - frames:
                watches.pop(frame_id).cancel()
            for frame_id in frames - watches.keys():
                watching = _watch(task, race, frame_id, kind, what, absent=False)
                watches[frame_id] = asyncio.create_task(watching)
            changed = asyncio.create_task(_changed(race, tab, frames))
            try:
                looks = {changed, *watches.values()}
                await asyncio.wait(looks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                changed.cancel()
            if changed.done():
                changed.result()  # what ended the race is raised here
            for frame_id in [frame_id for frame_id, watch in watches.items() if watch.done()]:
                if (found := watches.pop(frame_id).result()) is not None:
                    return found
    finally:
        for watch in watches.values():
            watch.cancel()
        await asyncio.gather(*watches.values(), return_exceptions=True)


async def gone(task: Task, race: Race, tab: Tab, text: str) -> None:
    """Wait until no frame shows a text."""
    while True:
        frames = _frames_of(task.state, tab.tab_id)
        await asyncio.gather(
            *(_watch(task, race, frame_id, "text", text, absent=True) for frame_id in frames)
        )
        # While one frame was waited for, another may have come, or shown it again.
        showing = await asyncio.gather(*(_shows(task, race, one, text) for one in frames))
        if not any(showing) and frames == _frames_of(task.state, tab.tab_id):
            return


async def check_selector(task: Task, race: Race, tab: Tab, selector: str) -> None:
    """Check that a text is a CSS selector.

    Raises:
        InvalidArgument: it is none.
    """
    try:
        world = await task.worlds.of(race, task.state.top_frame_id(tab.tab_id) or tab.target_id)
        good = await call(race, world, "isSelector", selector)
    except (WorldGone, FrameNotFound):
        return
    if not good:
        raise InvalidArgument(
            f"{selector!r} is not a CSS selector.",
            "Give one such as 'form .error', or wait for a text.",
            field="selector",
        )


async def _watch(
    task: Task, race: Race, frame_id: str, kind: Kind, what: str, *, absent: bool
) -> Found | None:
    """Wait until one frame shows something, or no longer does; None when the frame is gone."""
    while True:
        world: ExecutionContext | None = None
        try:
            async with asyncio.timeout(_SILENT_S):
                world = await task.worlds.of(race, frame_id)
                found = await call(race, world, "awaited", kind, what, absent, _LOOK_MS)
        except TimeoutError:
            continue
        except FrameNotFound:
            return None
        except WorldGone:
            await _replaced(race, frame_id, world)
            continue
        if found is not None:
            return Found(frame_id, world.unique_id, found)


async def _shows(task: Task, race: Race, frame_id: str, text: str) -> bool:
    try:
        world = await task.worlds.of(race, frame_id)
        return await call(race, world, "present", "text", text) is not None
    except (WorldGone, FrameNotFound):
        return True  # another look will tell


async def _replaced(race: Race, frame_id: str, before: ExecutionContext | None) -> None:
    """Wait until a frame has another document than the one that was asked, or some moments."""
    await race.until(
        lambda state: before is not None and state.worlds.get(frame_id) is not before,
        at_most_ms=_AGAIN_MS,
    )


async def _changed(race: Race, tab: Tab, frames: frozenset[str]) -> None:
    await race.until(lambda state: _frames_of(state, tab.tab_id) != frames)


def _frames_of(state: SupervisorState, tab_id: str) -> frozenset[str]:
    served = {s.session_id for s in state.sessions.values() if s.tab_id == tab_id and s.ready}
    return frozenset(f.frame_id for f in state.frames.values() if f.session_id in served)

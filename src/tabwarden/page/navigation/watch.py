"""Wait for some text or an element in all frames of a tab, across navigations.

In each frame, the walker searches (``js/find/wait_for.js``) and then pauses ten times as long as
the search took, so it never slows the page much. If a document is replaced, the walker in the new
document continues the search.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import msgspec

from tabwarden.errors import FrameNotFound, InvalidArgument
from tabwarden.page.navigation.timing import FRAME_WAIT_MS, REPLACED_MS, SILENT_S
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Tab
from tabwarden.supervisor.runtime import Race

Kind = Literal["text", "selector", "match"]
"""Text, a visible element that matches a selector, or any element that matches a selector."""


class Found(msgspec.Struct, frozen=True):
    """The document that shows the text or element."""

    frame_id: str
    world_id: str
    element: dict[str, Any]
    """The walker's ``id, role, name`` of the element; empty if the search was for text."""


async def shown(call: Call, kind: Kind, what: str) -> Found:
    """Wait until a frame shows some text, or an element that matches a CSS selector."""
    watches: dict[str, asyncio.Task[Found | None]] = {}
    try:
        while True:
            frames = _frames_of(call.state, call.tab.tab_id)
            for frame_id in watches.keys() - frames:
                watches.pop(frame_id).cancel()
            for frame_id in frames - watches.keys():
                watching = _watch(call, frame_id, kind, what, absent=False)
                watches[frame_id] = asyncio.create_task(watching)
            changed = asyncio.create_task(_changed(call.race, call.tab, frames))
            try:
                looks = {changed, *watches.values()}
                await asyncio.wait(looks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                changed.cancel()
            if changed.done():
                changed.result()  # this raises the error that ended the wait
            for frame_id in [frame_id for frame_id, watch in watches.items() if watch.done()]:
                if (match := watches.pop(frame_id).result()) is not None:
                    return match
    finally:
        for watch in watches.values():
            watch.cancel()
        await asyncio.gather(*watches.values(), return_exceptions=True)


async def gone(call: Call, kind: Kind, what: str) -> None:
    """Wait until no frame shows the text or the element."""
    while True:
        frames = _frames_of(call.state, call.tab.tab_id)
        await asyncio.gather(
            *(_watch(call, frame_id, kind, what, absent=True) for frame_id in frames)
        )
        # Check all frames again: a frame may have been added, or may show the text again.
        showing = await asyncio.gather(*(_shows(call, one, kind, what) for one in frames))
        if not any(showing) and frames == _frames_of(call.state, call.tab.tab_id):
            return


async def check_selector(call: Call, selector: str) -> None:
    """Raise ``InvalidArgument`` if ``selector`` is not a valid CSS selector."""
    try:
        world = await call.task.worlds.of(
            call.race, call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
        )
        good = await call_walker(call.race, world, "isSelector", selector)
    except (WorldGone, FrameNotFound):
        return
    if not good:
        raise InvalidArgument(
            f"{selector!r} is not a CSS selector.",
            "Give a selector such as 'form .error', or wait for text.",
            field="selector",
        )


async def _watch(call: Call, frame_id: str, kind: Kind, what: str, *, absent: bool) -> Found | None:
    """Wait until a frame shows the text or element (with ``absent``: until it does not). Return
    None if the frame is gone."""
    while True:
        world: ExecutionContext | None = None
        try:
            async with asyncio.timeout(SILENT_S):
                world = await call.task.worlds.of(call.race, frame_id)
                match = await call_walker(
                    call.race, world, "awaited", kind, what, absent, FRAME_WAIT_MS
                )
        except TimeoutError:
            continue
        except FrameNotFound:
            return None
        except WorldGone:
            await replaced(call.race, frame_id, world)
            continue
        if match is not None:
            return Found(frame_id, world.unique_id, match)


async def _shows(call: Call, frame_id: str, kind: Kind, what: str) -> bool:
    try:
        world = await call.task.worlds.of(call.race, frame_id)
        return await call_walker(call.race, world, "present", kind, what) is not None
    except (WorldGone, FrameNotFound):
        return True  # so that the caller checks again


async def replaced(race: Race, frame_id: str, before: ExecutionContext | None) -> None:
    """Wait briefly until the frame has another document."""
    await race.until(
        lambda state: before is not None and state.worlds.get(frame_id) is not before,
        at_most_ms=REPLACED_MS,
    )


async def _changed(race: Race, tab: Tab, frames: frozenset[str]) -> None:
    await race.until(lambda state: _frames_of(state, tab.tab_id) != frames)


def _frames_of(state: SupervisorState, tab_id: str) -> frozenset[str]:
    served = {s.session_id for s in state.sessions.values() if s.tab_id == tab_id and s.ready}
    return frozenset(f.frame_id for f in state.frames.values() if f.session_id in served)

"""Detect a browser window that receives all of a tab's input. No event reports such a window.

A page opens such a window when it requests a passkey, the screen or a wallet, or opens another
program. The browser then acknowledges each press, key and wheel event, but drops the event.
Therefore, each document reports whether input reached it (``js/input/arrival.js``). If no document
received input, we send input that pages ignore: a key release, and then a mouse move to a point
inside a document that we can query. If neither arrives, a window covers the tab.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from tabwarden.errors import FrameNotFound, NotInteractable
from tabwarden.hints import Hint, Next
from tabwarden.page.call.settle import answers_soon, is_on_its_way
from tabwarden.page.call.timing import LISTENERS_S, UNCOVERED_MS
from tabwarden.page.task import Call, Task
from tabwarden.page.text import quoted
from tabwarden.page.walker import WorldGone, call_walker, start, value_of
from tabwarden.protocol import Command
from tabwarden.protocol import input as input_
from tabwarden.supervisor.core.prompts import kind_of
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Tab

_RELEASE = input_.DispatchKeyEvent(type="keyUp", key="Unidentified")


async def check_arrival(call: Call) -> None:
    """Check that the action's input reached a document, after the browser has acknowledged it.

    Raises:
        NotInteractable: the input did not reach a document, because a window of the browser covers
            the tab.
    """
    watch = call.memory.last_input
    if watch is None or is_on_its_way(call.state, call.tab.tab_id):
        return
    has_arrived = await _has_input_arrived(call, watch.listeners)
    if has_arrived:
        note_arrival(call)
    elif has_arrived is not None:
        await refuse_if_covered(call)


def note_arrival(call: Call) -> None:
    """Record that the action's input reached a document."""
    memory = call.memory
    memory.is_covered = False
    if memory.last_input is not None:
        memory.input_at = memory.last_input.began_at


async def refuse_if_covered(call: Call) -> None:
    """Raise ``NotInteractable`` if a browser window covers the active tab."""
    if await is_covered(call):
        why, hint = _cause_and_hint(call.task, call.tab)
        raise NotInteractable(
            f"The page did not receive the input: {why}", hint, reason="covered_by_browser"
        )


async def is_covered(call: Call) -> bool:
    """Whether a browser window covers the tab. The tab must be in front."""
    covers = await _takes_input(call) is False
    if covers:
        await call.race.pause(UNCOVERED_MS)
        covers = await _takes_input(call) is False
    call.memory.is_covered = covers
    return covers


async def covered_line(call: Call) -> str:
    """Return a line for the snapshot if a browser window still covers the tab; otherwise ""."""
    task, _, tab, _ = call
    if not call.memory.is_covered:
        return ""
    if task.front_target == tab.target_id and not await is_covered(call):
        return ""
    why, hint = _cause_and_hint(task, tab)
    return Hint(f"No click, key or scroll reaches this page: {why}", " ", hint)


def _cause_and_hint(task: Task, tab: Tab) -> tuple[str, Hint]:
    """Return what covers the tab, if it is known, and the next step."""
    for prompt in task.state.prompts:
        kind = kind_of(prompt)
        if prompt.tab_id == tab.tab_id and not prompt.answered and kind.may_cover:
            waiting = kind.json(prompt)
            return f"{kind.words(waiting, quoted)}.", Hint("Answer it", kind.step_of(waiting), ".")
    question = _question(task, tab)
    about = f" The likely cause: {question}." if question else ""
    top = task.state.top_frame(tab.tab_id)
    url = top.url if top is not None else tab.url
    return (
        f"a browser window that Tabwarden can't see covers tab {tab.tab_id}.{about}",
        Hint("Load the page again", Next("navigate", url=url), ". The page's state will be lost."),
    )


def _question(task: Task, tab: Tab) -> str:
    """Return the last request that the page made to the browser since input last reached the
    page."""
    since = task.memory_of(tab.tab_id).input_at
    for note in reversed(task.state.notes):
        if note.tab_id != tab.tab_id or note.at < since:
            continue
        if note.kind == "external":
            return f"the page tried to open another program: {quoted(note.text)}"
        if note.kind == "credentials" or note.text.startswith("display-capture"):
            return f"the page requested {quoted(note.text)}"
    return ""


async def _takes_input(call: Call) -> bool | None:
    """Whether the tab's documents receive input; None if that is unknown."""
    state, tab_id = call.state, call.tab.tab_id
    top_id = state.top_frame_id(tab_id)
    if top_id is None or is_on_its_way(state, tab_id) or state.dialogs_of(tab_id):
        return None
    try:
        async with asyncio.timeout(LISTENERS_S):
            worlds = await _all_worlds(call)
        has_arrived = await _has_input_arrived(call, worlds, _RELEASE)
        if has_arrived is not False:  # an open dropdown list may have the focus
            return has_arrived
        top = await call.task.worlds.of(call.race, top_id)
        spot = await call_walker(call.race, top, "openSpot")
        return (
            await _has_input_arrived(call, worlds, _move(call, spot)) if spot is not None else None
        )
    except (WorldGone, FrameNotFound, TimeoutError):  # the page is changing, or a frame is busy
        return None


async def _all_worlds(call: Call) -> list[ExecutionContext]:
    """Return the worlds of all documents in the tab. All are needed because a closed shadow root
    may hide a frame, as in the browser's PDF viewer. No point of a page is certain to belong to its
    top document."""
    frames = call.state.frames_of(call.tab.tab_id)
    return [await call.task.worlds.of(call.race, frame.frame_id) for frame in frames]


def _move(call: Call, spot: dict[str, float]) -> input_.DispatchMouseEvent:
    buttons = call.memory.held.buttons
    return input_.DispatchMouseEvent(type="mouseMoved", x=spot["x"], y=spot["y"], buttons=buttons)


async def _has_input_arrived(
    call: Call, worlds: Iterable[ExecutionContext], event: Command[Any] | None = None
) -> bool | None:
    """Whether one of the documents receives the event or, without an event, has received input
    since ``inputExpected``. None if a document does not respond soon."""
    worlds = list(worlds)
    if event is not None:
        pending: list[Any] = [start(call.race, world, "inputExpected") for world in worlds]
        for one in pending:
            if not await answers_soon(call.race, one):
                return None
        if not await answers_soon(call.race, call.race.start(event, call.tab.session_id)):
            return None
    pending = [start(call.race, world, "inputCame") for world in worlds]
    has_arrived = False
    for one in pending:
        if not await answers_soon(call.race, one):
            return None
        try:
            has_arrived = await value_of(call.race, one) or has_arrived
        except WorldGone:  # the document was replaced
            return None
    return has_arrived if worlds else None

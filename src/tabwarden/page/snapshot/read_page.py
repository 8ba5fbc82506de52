"""Read a tab's current outline as lines. If the page hangs, free it first."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from tabwarden.hints import joined
from tabwarden.page.call import is_usable
from tabwarden.page.elements import (
    RESTLESS,
    SILENT,
    SLOW,
    Box,
    WalkResult,
    frame_ms,
    walk_all,
)
from tabwarden.page.recovery import begin_crash_reload, begin_rescue, call_start, stop_scripts
from tabwarden.page.snapshot import outline
from tabwarden.page.snapshot.timing import LONG_READ_S
from tabwarden.page.task import (
    Call,
    Place,
    Ref,
    Task,
    blocking_dialogs,
    is_blocked,
    password_prompt,
)
from tabwarden.page.text import LastOutline, Line, Lines, documents_below
from tabwarden.page.walker import frame_not_found
from tabwarden.page.webmcp import tool_lines
from tabwarden.supervisor.core.handlers import tools_of
from tabwarden.supervisor.core.state.inputs import TitleRead
from tabwarden.supervisor.core.state.tabs import Tab

_RESCUE_SHARE = 0.8
_STALE = "(stale: this frame is not responding; this is its last outline)"
_UNREAD = "(this frame can't be read: "
_RESCUES = 3
"""How many times one snapshot tries to free a page. A page may hang again right after a rescue."""

View = bool | Literal["exact"]
"""Whether to determine which lines are in the viewport. ``exact`` measures every element; True
measures a sample of many siblings."""


class Outline(msgspec.Struct, frozen=True):
    lines: Lines
    unreadable: str | None
    """Why the page could not be read; None if it was read."""
    hung: bool = False
    """Whether the page could not be read because one of its scripts does not finish."""
    message: str = ""
    """A message about an event in the page, such as a rescue."""
    frames: Mapping[str, str] = {}
    """Maps each iframe's ref to the ``frame_id`` of its document."""
    documents: Mapping[str, str] = {}
    """Each frame's document. Frames whose document changed during the reading are omitted."""
    url: str = ""
    """The tab's URL when the reading began."""
    boxes: Mapping[str, Box] = {}
    """The elements' boxes in the tab's viewport, keyed by ref, if the caller requested them."""


def unread_frames(outline: Outline, root: str) -> list[dict[str, str]]:
    """Return ``{frame_id, why}`` for each frame of which an outline does not show the current
    content. ``root`` is the outermost frame."""
    if outline.unreadable is not None:
        return [{"frame_id": root, "why": outline.unreadable}]
    lines = outline.lines
    return [
        {"frame_id": outline.frames.get("".join(lines.refs_at(at - 1)), ""), "why": text[1:-1]}
        for at, (role, text) in enumerate(zip(lines.roles, lines.texts, strict=True))
        if role == "note" and text.startswith((_UNREAD, _STALE))
    ]


async def look_and_free(
    call: Call, frame_id: str | None, *, view: View, whole: Ref | None = None
) -> Outline:
    """Read the page. First free the page if it hangs, repeatedly if needed, or reload it if it
    crashed."""
    tab_id = call.tab.tab_id
    rescue, message, was_rescued = call.task.hangs.rescue_of(tab_id), "", False
    recovered = call.task.hangs.take_note(tab_id)
    start = call_start(call.task, tab_id)
    for _ in range(_RESCUES):
        if rescue is None:
            again = _look_longer if was_rescued else look
            here = call.on(call.task.tab(tab_id))
            seen = await again(here, frame_id=frame_id, view=view, whole=whole)
            if seen.hung and not call.task.scripts.of(tab_id):
                rescue = begin_rescue(call.task, tab_id, start, hung_before=bool(message))
            elif call.state.tabs.get(tab_id, call.tab).status == "crashed":
                begin_crash_reload(call.task, tab_id)
        if rescue is None:
            return msgspec.structs.replace(seen, message=message or recovered)
        at_most_ms = max(1.0, call.race.budget.remaining_ms() * _RESCUE_SHARE)
        if not await call.race.finished(rescue.work, at_most_ms=at_most_ms):
            return Outline(Lines(), "the page hung and is recovering; take another snapshot")
        if rescue.state != "idle":  # ``idle``: the page responds, but another call ran out of time
            message = joined(f"The page hung ({', '.join(rescue.steps)}).", rescue.hint)
        was_rescued = True
        call.task.hangs.take_note(tab_id)
        rescue, start = None, call_start(call.task, tab_id)
    seen = await look(call.on(call.task.tab(tab_id)), frame_id=frame_id, view=view, whole=whole)
    return msgspec.structs.replace(seen, message=message)


async def _look_longer(
    call: Call, *, frame_id: str | None, view: View, whole: Ref | None
) -> Outline:
    """Read a rescued page again with more time, because the reading itself may have blocked the
    page.

    If this reading takes long, the page counts as slow and not as hung.
    """
    began = time.monotonic()
    seen = await look(call, frame_id=frame_id, view=view, whole=whole, patient=True)
    slow = seen.unreadable == _root_unread(SLOW)
    if slow or (seen.unreadable is None and time.monotonic() - began > LONG_READ_S):
        call.task.hangs.is_only_slow(call.state.document_in(call.tab.tab_id))
    frame = call.state.frames.get(frame_id or call.state.top_frame_id(call.tab.tab_id) or "")
    if slow and frame is not None and frame.session_id is not None:
        stop_scripts(call.task.supervisor, [frame.session_id])
    return seen


async def look(
    call: Call,
    *,
    frame_id: str | None = None,
    view: View = False,
    whole: Ref | None = None,
    patient: bool = False,
    inside: Ref | None = None,
) -> Outline:
    """Read a tab's current outline and assign refs, without showing it to the agent.

    Args:
        frame_id: read only this frame and its child frames.
        inside: read only this element in the frame.
        view: also determine which lines are in the viewport.
        whole: the element whose value is not shortened.
        patient: give a frame more time once its walker has begun to read.
    """
    await call.race.until(
        lambda state: (
            is_usable(state, call.tab.tab_id) or is_blocked(state, call.tab.tab_id, reads=True)
        ),
        at_most_ms=frame_ms(call.race),
    )
    root = frame_id or call.state.top_frame_id(call.tab.tab_id)
    if frame_id is not None and frame_id not in call.state.frames:
        raise frame_not_found(frame_id)
    unreadable = _unreadable(call.task, call.tab)
    if unreadable is not None or root is None:
        late = unreadable is None and not is_usable(call.state, call.tab.tab_id)
        return Outline(Lines(), unreadable or "the tab is not responding", hung=late)
    before, url = (
        documents_below(call.state, root),
        call.state.tabs.get(call.tab.tab_id, call.tab).url,
    )

    def ask(one: str) -> tuple[Any, ...]:
        if inside is not None and one == root:
            return "snapshotIn", inside.local_id, view
        return "snapshot", view, whole.local_id if whole and whole.frame_id == one else 0

    walked = await walk_all(call, root, ask, patient=patient)
    after = documents_below(call.state, root)
    top = walked.get(call.state.top_frame_id(call.tab.tab_id) or "")
    if isinstance(top, WalkResult) and top.title:  # in lists, an untitled page is shown by its URL
        call.task.supervisor.feed(TitleRead(call.tab.tab_id, top.title))
    unreadable = _unreadable(call.task, call.tab)
    hung = unreadable is None and walked.get(root) in (SILENT, RESTLESS)
    unreadable = unreadable or _root_unread(walked.get(root))
    known = call.memory.outlines.get(frame_id)
    lines, frames = _assemble(call.task, call.tab, root, walked, known)
    stood = {one: loader for one, loader in before.items() if after.get(one) == loader}
    return Outline(lines, unreadable, hung, frames=frames, documents=stood, url=url)


def _unreadable(task: Task, tab: Tab) -> str | None:
    """Return why the page can't be read at the moment; None if the state gives no reason."""
    tab = task.state.tabs.get(tab.tab_id, tab)
    blocking = blocking_dialogs(task.state, tab.tab_id, reads=True)
    if blocking:
        return f"the {blocking[0].type} dialog {blocking[0].id} blocks the page"
    if (prompt := password_prompt(task.state, tab.tab_id)) is not None:
        return f"the next page is waiting for a password ({prompt.id})"
    if tab.status == "crashed":
        return f"the page crashed ({tab.status_reason}) and is reloading"
    return None


def _root_unread(root: WalkResult | str | None) -> str | None:
    if isinstance(root, WalkResult):
        return None
    return f"the page can't be read: {root or 'its frame is gone'}"


def _assemble(
    task: Task,
    tab: Tab,
    root: str,
    walked: Mapping[str, WalkResult | str],
    known: LastOutline | None,
) -> tuple[Lines, dict[str, str]]:
    """Join the lines of all frames. Also map each iframe's ref to the ``frame_id`` of its document.

    For a frame that does not respond, use its lines in the last outline (``known``).
    """
    frames: dict[str, str] = {}

    def lines_of(frame_id: str, depth: int, *, in_view: bool) -> Lines:
        one = walked.get(frame_id, "it was just added")
        if isinstance(one, str):
            frame = task.state.frames.get(frame_id)
            last = Lines()
            if one == SILENT and known is not None and frame is not None:
                last = known.lines_in(frame_id, frame.loader_id, depth)
                refs = {f"e{number}" for number in last.each_ref()}
                frames.update({ref: child for ref, child in known.frames.items() if ref in refs})
            why = _STALE if last else f"{_UNREAD}{one})"
            unread = Lines.of([Line(depth, "note", why, (), in_view)])
            unread.extend(last)
            return unread

        place = Place(tab.tab_id, frame_id, one.world.unique_id)

        def refs_of(run: slice) -> list[int]:
            nodes = one.nodes
            return task.refs.assign_all(
                place, nodes.local_ids[run], nodes.roles[run], nodes.names[run]
            )

        def below(local_id: int, number: int, at: int, *, in_view: bool) -> Lines:
            child = one.owners.get(local_id)
            if not child:
                why = f"{_UNREAD}it has no document yet)"
                return Lines.of([Line(at, "note", why)])
            frames[f"e{number}"] = child
            return lines_of(child, at, in_view=in_view)

        view = one.view if in_view else ()
        lines = outline.render(one.nodes, depth, refs_of, below, view, one.layers)
        if frame_id in task.state.page_tools:
            first = tool_lines(tools_of(task.state, frame_id), depth)
            first.extend(lines)
            lines = first
        if one.kind.words:
            first = Lines.of([Line(depth, "note", f"({one.kind.words})", (), in_view)])
            first.extend(lines)
            lines = first
        if one.cut:
            lines.add(depth, "note", "(elements nested deeper than 900 levels are left out)")
        return lines

    return lines_of(root, 0, in_view=True), frames

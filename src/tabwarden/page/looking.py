"""Looking: all that can be seen of a tab just now, as lines; a page that hangs is freed first."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec

from tabwarden.page import outline
from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.known import documents_below
from tabwarden.page.line import Line
from tabwarden.page.lines import Lines
from tabwarden.page.ready import usable
from tabwarden.page.refs import Place
from tabwarden.page.rescue import begin_rescue, begin_revival, call_on, stop_scripts
from tabwarden.page.task import Task
from tabwarden.page.walk import (
    RESTLESS,
    SILENT,
    SLOW,
    Walked,
    frame_ms,
    remember_owners,
    walk_all,
)
from tabwarden.page.worlds import frame_not_found
from tabwarden.supervisor import Race, Tab, TitleRead

__all__ = ["Outline", "look", "look_and_free"]

_RESCUE_SHARE = 0.8
_RESCUES = 3
"""A page may hang anew right after it was freed: so often it is freed under one snapshot."""
_LONG_S = 2.0
"""A page that takes longer to be read was perhaps held up by that alone, when it seemed hung."""


class Outline(msgspec.Struct, frozen=True):
    """What was read of a tab just now."""

    lines: Lines
    unreadable: str | None
    """Why there is nothing to show; None when there is."""
    hung: bool = False
    """Because a script of the page does not end."""
    told: str = ""
    """What the reader should know of how the page came to be as it is."""
    frames: Mapping[str, str] = {}
    """The refs of iframes to the ``frame_id`` in each."""
    documents: Mapping[str, str] = {}
    """Which document was read in each frame, where none came while that was done."""
    url: str = ""
    """Where the tab stood then."""


async def look_and_free(
    task: Task, race: Race, tab: Tab, frame_id: str | None, *, view: bool
) -> Outline:
    """What there is to see; a page that hangs is freed first, also when it hangs once more, and a
    dead one is on its way back."""
    tab_id = tab.tab_id
    rescue, told = task.rescues.get(tab_id), ""
    recovered = task.recovered.pop(tab_id, "")
    call = call_on(task, tab_id)
    for _ in range(_RESCUES):
        if rescue is None:
            again = look if not told else _look_longer
            seen = await again(task, race, task.tab(tab_id), frame_id=frame_id, view=view)
            if seen.hung and not task.scripts.of(tab_id):
                rescue = begin_rescue(task, tab_id, call, hung_before=bool(told))
            elif task.state.tabs.get(tab_id, tab).status == "crashed":
                begin_revival(task, tab_id)
        if rescue is None:
            return msgspec.structs.replace(seen, told=told or recovered)
        at_most_ms = max(1.0, race.budget.remaining_ms() * _RESCUE_SHARE)
        if not await race.finished(rescue.work, at_most_ms=at_most_ms):
            return Outline(Lines(), "it hung, and is being brought back: read it again")
        told = f"It had hung ({', '.join(rescue.steps)}). {rescue.hint}"
        task.recovered.pop(tab_id, None)
        rescue, call = None, call_on(task, tab_id)
    seen = await look(task, race, task.tab(tab_id), frame_id=frame_id, view=view)
    return msgspec.structs.replace(seen, told=told)


async def _look_longer(
    task: Task, race: Race, tab: Tab, *, frame_id: str | None, view: bool
) -> Outline:
    """Look at a page that was freed, with more time: it may have been our own reading that held it
    up. A page that is found to take long does not hang."""
    began = time.monotonic()
    seen = await look(task, race, tab, frame_id=frame_id, view=view, patient=True)
    slow = seen.unreadable == _root_unread(SLOW)
    if slow or (seen.unreadable is None and time.monotonic() - began > _LONG_S):
        task.hung_documents.discard(task.state.document_in(tab.tab_id))
    frame = task.state.frames.get(frame_id or task.state.top_frame_id(tab.tab_id) or "")
    if slow and frame is not None and frame.session_id is not None:
        stop_scripts(task.supervisor, [frame.session_id])
    return seen


async def look(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    frame_id: str | None = None,
    view: bool = False,
    patient: bool = False,
) -> Outline:
    """Read a tab's outline as it is now, giving refs; the agent has not seen it yet.

    Args:
        task: whose refs.
        race: how long it may take.
        tab: which tab.
        frame_id: only this frame and what stands in it.
        view: also find out what is in the viewport.
        patient: give a frame that is being read more time.

    Raises:
        FrameNotFound: ``frame_id`` isn't there.
        BrowserGone, Cancelled: the browser or the caller is gone.
    """
    await race.until(
        lambda state: (
            usable(state, tab.tab_id) or bool(blocking_dialogs(state, tab.tab_id, reads=True))
        ),
        at_most_ms=frame_ms(race),
    )
    root = frame_id or task.state.top_frame_id(tab.tab_id)
    if frame_id is not None and frame_id not in task.state.frames:
        raise frame_not_found(frame_id)
    unreadable = _unreadable(task, tab)
    if unreadable is not None or root is None:
        late = unreadable is None and not usable(task.state, tab.tab_id)
        return Outline(Lines(), unreadable or "the tab does not answer", hung=late)
    before, url = documents_below(task.state, root), task.state.tabs.get(tab.tab_id, tab).url
    walked = await walk_all(task, race, tab, root, lambda _: ("snapshot", view), patient=patient)
    after = documents_below(task.state, root)
    top = walked.get(task.state.top_frame_id(tab.tab_id) or "")
    if isinstance(top, Walked) and top.title:  # one without is shown by its address
        task.supervisor.feed(TitleRead(tab.tab_id, top.title))
    unreadable = _unreadable(task, tab)
    hung = unreadable is None and walked.get(root) in (SILENT, RESTLESS)
    unreadable = unreadable or _root_unread(walked.get(root))
    lines, frames = _assemble(task, tab, root, walked)
    stood = {one: loader for one, loader in before.items() if after.get(one) == loader}
    return Outline(lines, unreadable, hung, frames=frames, documents=stood, url=url)


def _unreadable(task: Task, tab: Tab) -> str | None:
    """Why the page can't be read right now, as far as the state knows."""
    tab = task.state.tabs.get(tab.tab_id, tab)
    blocking = blocking_dialogs(task.state, tab.tab_id, reads=True)
    if blocking:
        return f"the {blocking[0].type} dialog {blocking[0].id} blocks the page"
    if tab.status == "crashed":
        return f"the page's process is gone ({tab.status_reason}): it is being loaded again"
    return None


def _root_unread(root: Walked | str | None) -> str | None:
    if isinstance(root, Walked):
        return None
    return f"the page can't be read: {root or 'its frame is gone'}"


def _assemble(
    task: Task, tab: Tab, root: str, walked: Mapping[str, Walked | str]
) -> tuple[Lines, dict[str, str]]:
    """All frames' lines, each frame's in its iframe; and which iframe holds which frame."""
    frames: dict[str, str] = {}
    for frame_id, one in walked.items():
        if isinstance(one, Walked):
            remember_owners(task, frame_id, one)

    def lines_of(frame_id: str, depth: int, *, in_view: bool) -> Lines:
        one = walked.get(frame_id, "it was just added")
        if isinstance(one, str):
            return Lines.of(
                [Line(depth, "note", f"(this frame can't be read: {one})", (), in_view)]
            )

        place = Place(tab.tab_id, frame_id, one.world.unique_id)

        def refs_of(run: slice) -> list[int]:
            nodes = one.nodes
            return task.refs.assign_all(
                place, nodes.local_ids[run], nodes.roles[run], nodes.names[run]
            )

        def below(local_id: int, number: int, at: int, *, in_view: bool) -> Lines:
            child = one.owners.get(local_id)
            if not child:
                why = "(this frame can't be read: it has no document yet)"
                return Lines.of([Line(at, "note", why)])
            frames[f"e{number}"] = child
            return lines_of(child, at, in_view=in_view)

        lines = outline.render(one.nodes, depth, refs_of, below, one.view if in_view else ())
        if one.cut:
            lines.add(depth, "note", "(what nests deeper than 900 levels is left out)")
        return lines

    return lines_of(root, 0, in_view=True), frames

"""The snapshot: every frame of a tab as one outline, out-of-process ones in their place."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import (
    BudgetExceeded,
    InvalidArgument,
    UnknownRef,
)
from tabwarden.page import outline
from tabwarden.page.act import or_rescued
from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.cursors import Part
from tabwarden.page.excerpt import left_out
from tabwarden.page.folding import folded
from tabwarden.page.line import Line
from tabwarden.page.lines import Lines
from tabwarden.page.nodes import learn_nodes
from tabwarden.page.ready import usable
from tabwarden.page.refs import Place, refs_json, stale
from tabwarden.page.rescue import (
    begin_rescue,
    begin_revival,
    call_on,
    sessions_of,
    stop_scripts,
)
from tabwarden.page.result import (
    NewSinceLast,
    auth_json,
    chooser_json,
    dialog_json,
    download_json,
    tab_json,
)
from tabwarden.page.shown import Shown, changes_shown, element_shown, part_shown
from tabwarden.page.task import Task
from tabwarden.page.walk import (
    FRAME_MS,
    RESTLESS,
    SILENT,
    Walked,
    frame_ms,
    remember_owners,
    walk_all,
)
from tabwarden.page.worlds import frame_not_found
from tabwarden.protocol import runtime
from tabwarden.supervisor import (
    Race,
    Tab,
    TitleRead,
    capped,
    frame_tree_of,
)

__all__ = ["Outline", "Snapshot", "look", "read"]

_RESCUE_SHARE = 0.8
_RESCUES = 3
"""A page may hang anew right after it was freed: so often it is freed under one snapshot."""
_LONG_S = 2.0
_TAKES_LONG = (
    "reading the page takes longer than this call had: allow more time (timeout_ms), or read one "
    "frame of it (frame_id)"
)
_SCRIPTS_OFF = (
    "(the page hung again each time it was stopped, so its scripts are off until it is left)"
)


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent reads of a tab. ``text`` has it all; the rest is for programs."""

    text: str
    tab_id: str
    url: str
    title: str
    refs: Mapping[str, dict[str, Any]]
    """``{"e12": {role, name, nth, frame_id, backendDOMNodeId}}`` for each ref in ``text``; ``nth``
    of those of its role and name in its frame, the node's id once something has asked for it."""
    pending_dialogs: tuple[dict[str, Any], ...] = ()
    recent_dialogs: tuple[dict[str, Any], ...] = ()
    file_choosers: tuple[dict[str, Any], ...] = ()
    auth_challenges: tuple[dict[str, Any], ...] = ()
    downloads: tuple[dict[str, Any], ...] = ()
    frame_tree: dict[str, Any] = {}
    tabs: tuple[dict[str, Any], ...] = ()
    truncated: bool = False
    stale: bool = False
    """The page can't be read now (a dialog, a hang): ``text`` is the last outline known."""
    new_since_last: NewSinceLast = NewSinceLast()

    def ref(self, name: str, role: str | None = None) -> str:
        """The ref of the one element that has this name: for scripts, which know their pages.

        Args:
            name: the accessible name as the outline shows it.
            role: its role, when the name alone is not enough.

        Raises:
            UnknownRef: none has it; the error lists the names there are.
            InvalidArgument: several have it; the error lists them.
        """
        of_role = {r: e for r, e in self.refs.items() if role is None or e["role"] == role}
        found = [r for r, e in of_role.items() if e["name"] == name]
        if len(found) == 1:
            return found[0]
        what = f"{role or 'element'} named {name!r}"
        if found:
            listed = ", ".join(f"{r} ({self.refs[r]['role']})" for r in found[:20])
            raise InvalidArgument(
                f"{len(found)} elements answer to {what}: {listed}.",
                "Name the role too, or use one of the refs.",
                field="name",
                refs=found,
            )
        names = ", ".join(repr(e["name"]) for e in list(of_role.values())[:20])
        raise UnknownRef(
            f"This snapshot has no {what}.", f"It has: {names or 'no element with a ref'}."
        )


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


async def read(
    task: Task,
    budget: Budget,
    *,
    tab_id: str | None = None,
    frame_id: str | None = None,
    ref: str | None = None,
    more: str | None = None,
    diff: bool = False,
    max_chars: int | None = outline.DEFAULT_MAX_CHARS,
    with_nodes: bool = False,
) -> Snapshot:
    """Take a snapshot for the agent. Never fails for what the page does: it says so instead.

    Args:
        task: whose refs.
        budget: how long it may take.
        tab_id: which tab; None: the active one.
        frame_id: only this frame and what stands in it.
        ref: only this element and what stands in it.
        more: only a part that an earlier snapshot left out (``m3``).
        diff: only what changed since the last snapshot of this tab (or frame).
        max_chars: how long the outline may be; None: as long as it is.
        with_nodes: learn the ``backendDOMNodeId`` of each ref.

    Raises:
        FrameNotFound: ``frame_id`` isn't there.
        UnknownRef, StaleRef: no snapshot gave ``ref``, or its element is not shown any more.
        InvalidArgument: ``more`` is no part that was left out lately.
        BrowserGone, Cancelled: the browser or the caller is gone.
    """
    telemetry = task.supervisor.telemetry
    with telemetry.acting("snapshot", tab_id) as acting:
        budget.check()
        await task.connected(budget)
        part = task.cursors.find(more) if more is not None else None
        asked = task.refs.find(ref) if ref is not None else None
        if part is not None:
            tab_id, frame_id = part.tab_id, part.frame_id
        elif asked is not None:
            tab_id, frame_id = asked.tab_id, asked.frame_id
            if frame_id not in task.state.frames:
                raise stale(asked, "its frame is gone")
        tab = task.tab(tab_id)
        acting.tab_id = tab.tab_id

        async def run() -> Outline:
            with Race(task.supervisor, budget) as race:
                seen = await _seen(task, race, tab, frame_id, view=max_chars is not None)
                if with_nodes and seen.unreadable is None:
                    await learn_nodes(task, race, tab, seen.lines.refs())
                return seen

        try:
            seen = await or_rescued(task, tab.tab_id, budget, run())
        except BudgetExceeded as late:
            seen = Outline(Lines(), f"it was not read in time. {late.hint}")
        if seen.unreadable is not None:
            acting.outcome = "stale"
            telemetry.fallback("last_outline", _why_stale(task, tab), tab_id=tab.tab_id)
    known = task.outlines.get((tab.tab_id, frame_id))
    lines = seen.lines if seen.unreadable is None else known or Lines()
    if part is not None:
        shown = part_shown(part, lines)
    elif asked is not None:
        shown = element_shown(asked, lines, readable=seen.unreadable is None)
    elif seen.unreadable is None:
        task.outlines[tab.tab_id, frame_id] = lines
        shown = (
            changes_shown(known, lines, max_chars) if diff and known is not None else Shown(lines)
        )
    else:
        shown = Shown(lines)
    return _made(task, tab, frame_id, shown, max_chars, seen)


async def _seen(task: Task, race: Race, tab: Tab, frame_id: str | None, *, view: bool) -> Outline:
    """What there is to see; a page that hangs is freed first, also when it hangs once more, and a
    dead one is on its way back."""
    tab_id = tab.tab_id
    rescue, told = task.rescues.get(tab_id), ""
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
            return msgspec.structs.replace(seen, told=told)
        at_most_ms = max(1.0, race.budget.remaining_ms() * _RESCUE_SHARE)
        if not await race.finished(rescue.work, at_most_ms=at_most_ms):
            return Outline(Lines(), "it hung, and is being brought back: read it again")
        told = f"It had hung ({', '.join(rescue.steps)}). {rescue.hint}"
        rescue, call = None, call_on(task, tab_id)
    seen = await look(task, race, task.tab(tab_id), frame_id=frame_id, view=view)
    return msgspec.structs.replace(seen, told=told)


async def _look_longer(
    task: Task, race: Race, tab: Tab, *, frame_id: str | None, view: bool
) -> Outline:
    """Look at a page that was freed, with more time. It may have been our own reading that held it
    up: where a probe just ahead of that is answered, nothing of the page's came in between."""
    probe = race.start(runtime.Evaluate(expression="0", silent=True), tab.session_id)
    began = time.monotonic()
    looking = asyncio.ensure_future(
        look(task, race, tab, frame_id=frame_id, view=view, at_most_ms=math.inf)
    )
    try:
        if not await race.finished(looking, at_most_ms=FRAME_MS) and not probe.waiter.done():
            return Outline(Lines(), _root_unread(SILENT), hung=True)
        seen = await looking
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
    takes_long = seen.unreadable == _root_unread(SILENT)
    if not probe.waiter.done() or not (takes_long or time.monotonic() - began > _LONG_S):
        return seen
    task.hung_documents.discard(task.state.document_in(tab.tab_id))
    if not takes_long:
        return seen
    stop_scripts(task.supervisor, sessions_of(task.state, tab.tab_id)[:1])
    return msgspec.structs.replace(seen, hung=False, unreadable=_TAKES_LONG)


async def look(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    frame_id: str | None = None,
    view: bool = False,
    at_most_ms: float = FRAME_MS,
) -> Outline:
    """Read a tab's outline as it is now, giving refs; the agent has not seen it yet.

    Args:
        task: whose refs.
        race: how long it may take.
        tab: which tab.
        frame_id: only this frame and what stands in it.
        view: also find out what is in the viewport.
        at_most_ms: how long each frame may take.

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
    walked = await walk_all(
        task, race, tab, root, lambda _: ("snapshot", view), at_most_ms=at_most_ms
    )
    top = walked.get(task.state.top_frame_id(tab.tab_id) or "")
    if isinstance(top, Walked) and top.title:  # one without is shown by its address
        task.supervisor.feed(TitleRead(tab.tab_id, top.title))
    unreadable = _unreadable(task, tab)
    hung = unreadable is None and walked.get(root) in (SILENT, RESTLESS)
    unreadable = unreadable or _root_unread(walked.get(root))
    lines, frames = _assemble(task, tab, root, walked)
    return Outline(lines, unreadable, hung, frames=frames)


def _unreadable(task: Task, tab: Tab) -> str | None:
    """Why the page can't be read right now, as far as the state knows."""
    tab = task.state.tabs.get(tab.tab_id, tab)
    blocking = blocking_dialogs(task.state, tab.tab_id, reads=True)
    if blocking:
        return f"the {blocking[0].type} dialog {blocking[0].id} blocks the page"
    if tab.status == "crashed":
        return f"the page's process is gone ({tab.status_reason}): it is being loaded again"
    return None


def _why_stale(task: Task, tab: Tab) -> str:
    """The same in one word, for the metrics."""
    if blocking_dialogs(task.state, tab.tab_id, reads=True):
        return "dialog"
    status = task.state.tabs.get(tab.tab_id, tab).status
    return "crashed" if status == "crashed" else "no_answer"


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


def _made(
    task: Task,
    tab: Tab,
    frame_id: str | None,
    shown: Shown,
    max_chars: int | None,
    seen: Outline,
) -> Snapshot:
    why = seen.unreadable
    state = task.state
    tab = state.tabs.get(tab.tab_id, tab)
    head = [f"Tab {tab.tab_id}: {outline.quoted(tab.title)} {outline.quoted(tab.url)}"]
    if tab.scripts_off:
        head.append(_SCRIPTS_OFF)
    if seen.told:
        head.append(seen.told)
    head += [
        f"Dialog {d.id} waits in tab {d.tab_id}: {d.type} {outline.quoted(d.message)}"
        + (f" default {outline.quoted(d.default_prompt)}" if d.default_prompt else "")
        + " (answer with browser_dialog)"
        for d in state.pending_dialogs
    ]
    head += _prompts(task)
    if why is not None:
        head.append(f"STALE: {why}. What follows is the last outline known.")
    head += shown.notes
    if shown.lines or why is None:
        fold = folded(
            shown.lines,
            max_chars,
            lambda start, end: task.cursors.add(
                Part(tab_id=tab.tab_id, frame_id=frame_id, lines=shown.lines, start=start, end=end)
            ),
        )
        body = outline.fence([*(line.drawn() for line in shown.within), *fold.text])
        truncated = bool(fold.gaps)
        columns = Lines.of(shown.lines)
        told = frozenset(columns.picked(fold.kept).refs())
        if truncated:
            body = f"{body}\n{left_out(columns, fold, seen.frames)}"
    else:
        body, truncated, told = "(no earlier outline of this tab)", False, frozenset()
    refs: dict[str, dict[str, Any]] = {}
    if why is None:
        refs = refs_json(task.refs, seen.lines.each_ref(), told)
    return Snapshot(
        text="\n".join([*head, body]),
        tab_id=tab.tab_id,
        url=tab.url,
        title=tab.title,
        refs=refs,
        pending_dialogs=tuple(dialog_json(d) for d in state.pending_dialogs),
        recent_dialogs=tuple(dialog_json(d) for d in state.recent_dialogs),
        file_choosers=tuple(chooser_json(c) for c in state.file_choosers),
        auth_challenges=tuple(auth_json(c) for c in state.auth_challenges if not c.answered),
        downloads=tuple(download_json(d) for d in state.downloads),
        frame_tree=msgspec.to_builtins(capped(frame_tree_of(state, tab.tab_id))),
        tabs=tuple(
            tab_json(t, active=t.tab_id == state.active_tab_id) for t in state.tabs.values()
        ),
        truncated=truncated,
        stale=why is not None,
        new_since_last=task.news(),
    )


def _prompts(task: Task) -> list[str]:
    """What else waits, or is under way; nothing when there is nothing."""
    state = task.state
    lines = [
        f"File chooser {c.id} waits in tab {c.tab_id} for "
        f"{'files' if c.multiple else 'one file'} (answer with browser_upload)"
        for c in state.file_choosers
    ]
    for c in state.auth_challenges:
        if c.answered:
            continue
        refused = f"; the {c.refused}'s credentials were refused" if c.refused else ""
        lines.append(
            f"Password prompt {c.id} waits in tab {c.tab_id}: {outline.quoted(c.origin)} asks for "
            f"{outline.quoted(c.realm)}{refused} (answer with browser_auth)"
        )
    lines += [
        f"Download {d.id} in progress: {outline.quoted(d.filename)} {d.received_bytes} of "
        f"{d.total_bytes or '?'} bytes"
        for d in state.downloads
        if d.status == "in_progress"
    ]
    return lines

"""The snapshot: every frame of a tab as one outline, out-of-process ones in their place."""

from __future__ import annotations

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
from tabwarden.page.known import Known, still_known
from tabwarden.page.lines import Lines
from tabwarden.page.looking import Outline, look_and_free
from tabwarden.page.nodes import learn_nodes
from tabwarden.page.refs import refs_json, stale
from tabwarden.page.result import (
    NewSinceLast,
    auth_json,
    chooser_json,
    dialog_json,
    download_json,
    note_json,
    tab_json,
)
from tabwarden.page.shown import Shown, changes_shown, element_shown, part_shown
from tabwarden.page.task import Task
from tabwarden.supervisor import (
    Race,
    Tab,
    capped,
    frame_tree_of,
)

__all__ = ["Snapshot", "read"]

_SCRIPTS_OFF = (
    "(the page hung again each time it was stopped, so its scripts are off until it is left)"
)
_NOT_IN_IT = "(it is not in the last outline known)"


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
    notes: tuple[dict[str, Any], ...] = ()
    """The last 20: what pages did that none shows, and what was answered without the agent."""
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
                seen = await look_and_free(task, race, tab, frame_id, view=max_chars is not None)
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
    if seen.unreadable is None:
        now, nothing = (
            Known(
                lines=seen.lines,
                root=frame_id or task.state.top_frame_id(tab.tab_id) or "",
                url=seen.url,
                documents=seen.documents,
                frames=seen.frames,
            ),
            "",
        )
    else:
        now, nothing = still_known(known, task.state, task.state.tabs.get(tab.tab_id, tab))
    lines = now.lines
    if part is not None:
        root = task.state.frames.get(frame_id or task.state.top_frame_id(tab.tab_id) or "")
        shown = part_shown(part, lines, root.loader_id if root is not None else "")
    elif asked is not None:
        shown = element_shown(asked, lines, readable=seen.unreadable is None)
    elif seen.unreadable is None:
        task.outlines[tab.tab_id, frame_id] = now
        shown = (
            changes_shown(known.lines, lines, max_chars)
            if diff and known is not None
            else Shown(lines)
        )
    else:
        shown = Shown(lines)
    return _made(task, tab, frame_id, shown, max_chars, seen, now, nothing)


def _why_stale(task: Task, tab: Tab) -> str:
    """The same in one word, for the metrics."""
    if blocking_dialogs(task.state, tab.tab_id, reads=True):
        return "dialog"
    status = task.state.tabs.get(tab.tab_id, tab).status
    return "crashed" if status == "crashed" else "no_answer"


def _made(
    task: Task,
    tab: Tab,
    frame_id: str | None,
    shown: Shown,
    max_chars: int | None,
    seen: Outline,
    known: Known,
    nothing: str,
) -> Snapshot:
    """The snapshot, of what is shown; ``nothing``: said where no outline may be."""
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
        follows = "" if nothing else " What follows is the last outline known."
        head.append(f"STALE: {why}.{follows}")
    head += shown.notes
    if shown.lines or why is None:
        fold = folded(
            shown.lines,
            max_chars,
            lambda start, end: task.cursors.add(
                Part(
                    tab_id=tab.tab_id,
                    frame_id=frame_id,
                    lines=shown.lines,
                    start=start,
                    end=end,
                    document=known.document,
                    url=known.url,
                )
            ),
        )
        body = outline.fence([*(line.drawn() for line in shown.within), *fold.text])
        truncated = bool(fold.gaps)
        columns = Lines.of(shown.lines)
        told = frozenset(columns.picked(fold.kept).refs())
        if truncated:
            body = f"{body}\n{left_out(columns, fold, seen.frames)}"
    else:
        body, truncated, told = nothing or _NOT_IN_IT, False, frozenset()
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
        notes=tuple(note_json(note) for note in state.notes),
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

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
from tabwarden.page.act import or_rescued, usable
from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.changes import changes
from tabwarden.page.nodes import learn_nodes
from tabwarden.page.refs import refs_json
from tabwarden.page.rescue import begin_rescue, begin_revival, call_on
from tabwarden.page.result import (
    NewSinceLast,
    auth_json,
    chooser_json,
    dialog_json,
    download_json,
    tab_json,
)
from tabwarden.page.task import Task
from tabwarden.page.walk import (
    RESTLESS,
    SILENT,
    Walked,
    frame_ms,
    remember_owners,
    walk_all,
)
from tabwarden.page.worlds import frame_not_found
from tabwarden.supervisor import (
    Race,
    Tab,
    capped,
    frame_tree_of,
)

__all__ = ["Outline", "Snapshot", "look", "read"]

_RESCUE_SHARE = 0.8


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

    lines: list[outline.Line]
    unreadable: str | None
    """Why there is nothing to show; None when there is."""
    hung: bool = False
    """Because a script of the page does not end."""
    told: str = ""
    """What the reader should know of how the page came to be as it is."""


async def read(
    task: Task,
    budget: Budget,
    *,
    tab_id: str | None = None,
    frame_id: str | None = None,
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
        diff: only what changed since the last snapshot of this tab (or frame).
        max_chars: how long the outline may be; None: as long as it is.
        with_nodes: learn the ``backendDOMNodeId`` of each ref.

    Raises:
        FrameNotFound: ``frame_id`` isn't there.
        BrowserGone, Cancelled: the browser or the caller is gone.
    """
    telemetry = task.supervisor.telemetry
    with telemetry.acting("snapshot", tab_id) as acting:
        budget.check()
        await task.connected(budget)
        tab = task.tab(tab_id)
        acting.tab_id = tab.tab_id

        async def run() -> Outline:
            with Race(task.supervisor, budget) as race:
                seen = await _seen(task, race, tab, frame_id)
                if with_nodes and seen.unreadable is None:
                    await learn_nodes(task, race, tab, (ref for _, ref in seen.lines if ref))
                return seen

        try:
            seen = await or_rescued(task, tab.tab_id, budget, run())
        except BudgetExceeded as late:
            seen = Outline([], f"it was not read in time. {late.hint}")
        if seen.unreadable is not None:
            acting.outcome = "stale"
            telemetry.fallback("last_outline", _why_stale(task, tab), tab_id=tab.tab_id)
    known = task.outlines.get((tab.tab_id, frame_id))
    if seen.unreadable is None:
        task.outlines[tab.tab_id, frame_id] = seen.lines
        shown = changes(known, seen.lines) if diff and known is not None else seen.lines
    else:
        shown = known or []
    compared = diff and known is not None
    return _made(
        task,
        tab,
        shown,
        seen.lines,
        max_chars,
        compared=compared,
        why=seen.unreadable,
        told=seen.told,
    )


async def _seen(task: Task, race: Race, tab: Tab, frame_id: str | None) -> Outline:
    """What there is to see; a page that hangs is freed first, a dead one is on its way back."""
    tab_id = tab.tab_id
    rescue = task.rescues.get(tab_id)
    call = call_on(task, tab_id)
    if rescue is None:
        seen = await look(task, race, tab, frame_id=frame_id)
        if seen.hung and not task.scripts.get(tab_id):
            rescue = begin_rescue(task, tab_id, call)
        elif task.state.tabs.get(tab_id, tab).status == "crashed":
            begin_revival(task, tab_id)
    if rescue is None:
        return seen
    at_most_ms = max(1.0, race.budget.remaining_ms() * _RESCUE_SHARE)
    if not await race.finished(rescue.work, at_most_ms=at_most_ms):
        return Outline([], "it hung, and is being brought back: read it again")
    seen = await look(task, race, task.tab(tab_id), frame_id=frame_id)
    told = f"It had hung ({', '.join(rescue.steps)}). {rescue.hint}"
    return msgspec.structs.replace(seen, told=told)


async def look(task: Task, race: Race, tab: Tab, *, frame_id: str | None = None) -> Outline:
    """Read a tab's outline as it is now, giving refs; the agent has not seen it yet.

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
        return Outline([], unreadable or "the tab does not answer")
    walked = await walk_all(task, race, tab, root)
    unreadable = _unreadable(task, tab)
    hung = unreadable is None and walked.get(root) in (SILENT, RESTLESS)
    unreadable = unreadable or _root_unread(walked.get(root))
    return Outline(_assemble(task, tab, root, walked), unreadable, hung)


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
) -> list[outline.Line]:
    for frame_id, one in walked.items():
        if isinstance(one, Walked):
            remember_owners(task, frame_id, one)

    def lines_of(frame_id: str, depth: int) -> list[outline.Line]:
        one = walked.get(frame_id, "it was just added")
        if isinstance(one, str):
            return [(f"{'  ' * depth}- (this frame can't be read: {one})", None)]

        def ref_of(local_id: int, role: str, name: str) -> str:
            return task.refs.assign(
                one.world.unique_id,
                local_id,
                role=role,
                name=name,
                tab_id=tab.tab_id,
                frame_id=frame_id,
            )

        def below(local_id: int, at: int) -> list[outline.Line]:
            child = one.owners.get(local_id)
            if child:
                return lines_of(child, at)
            return [(f"{'  ' * at}- (this frame can't be read: it has no document yet)", None)]

        lines = outline.render(one.nodes, depth, ref_of, below)
        if one.cut:
            lines.append((f"{'  ' * depth}- (what nests deeper than 900 levels is left out)", None))
        return lines

    return lines_of(root, 0)


def _made(
    task: Task,
    tab: Tab,
    lines: list[outline.Line],
    seen: list[outline.Line],
    max_chars: int | None,
    *,
    compared: bool,
    why: str | None,
    told: str = "",
) -> Snapshot:
    state = task.state
    tab = state.tabs.get(tab.tab_id, tab)
    head = [f"Tab {tab.tab_id}: {outline.quoted(tab.title)} {outline.quoted(tab.url)}"]
    if tab.scripts_off:
        head.append(_SCRIPTS_OFF)
    if told:
        head.append(told)
    head += [
        f"Dialog {d.id} waits in tab {d.tab_id}: {d.type} {outline.quoted(d.message)}"
        + (f" default {outline.quoted(d.default_prompt)}" if d.default_prompt else "")
        + " (answer with browser_dialog)"
        for d in state.pending_dialogs
    ]
    head += _prompts(task)
    if why is not None:
        head.append(f"STALE: {why}. What follows is the last outline known.")
    elif compared:
        head.append(
            f"{len(lines)} lines came (+) or went (-) since your last snapshot."
            if lines
            else "Nothing changed since your last snapshot."
        )
    if lines or why is None:
        body, truncated = outline.fence(lines, max_chars)
    else:
        body, truncated = "(no earlier outline of this tab)", False
    refs: dict[str, dict[str, Any]] = {}
    if why is None:
        shown = {ref for _, ref in lines}
        every = refs_json(task.refs, (ref for _, ref in seen))
        refs = {ref: about for ref, about in every.items() if ref in shown}
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

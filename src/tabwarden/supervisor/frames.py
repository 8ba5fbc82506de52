"""Frames and their main worlds, in-process and out-of-process, over any number of navigations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tabwarden.protocol import page, runtime, target
from tabwarden.supervisor import debugging, emulating, quiet, waiting
from tabwarden.supervisor.dialogs import drop_dialogs
from tabwarden.supervisor.notices import FrameNavigated
from tabwarden.supervisor.state import SupervisorState
from tabwarden.supervisor.tabs import ExecutionContext, Frame
from tabwarden.supervisor.turn import Ask, Turn
from tabwarden.supervisor.values import replace

__all__ = [
    "AGENT_WORLD_NAME",
    "WORLD_NAME",
    "FrameTreeAsked",
    "adopt",
    "ask_tree",
    "attached",
    "context_created",
    "context_destroyed",
    "contexts_cleared",
    "descendants",
    "detached",
    "drop_session_frames",
    "frame_tree_known",
    "keep",
    "navigated",
    "navigated_within_document",
]

WORLD_NAME = "tabwarden"
"""Our isolated world in each frame: pages can't see it (``Page.createIsolatedWorld``)."""
AGENT_WORLD_NAME = "tabwarden-evaluate"
"""The isolated world for the agent's scripts; ours stays out of their reach."""
_WORLDS = ("contexts", "worlds", "agent_worlds")


class FrameTreeAsked(Ask, frozen=True):
    """The reply to ``Page.getFrameTree``: a session's frames as they are now."""

    session_id: str


def ask_tree(turn: Turn, session_id: str | None) -> None:
    """Ask which frames a session has now; ``frame_tree_known`` gets the reply."""
    turn.send(page.GetFrameTree(), session_id, FrameTreeAsked(session_id or ""))


def attached(turn: Turn, event: page.FrameAttached, session_id: str | None) -> None:
    """A frame was added to a document."""
    session = turn.state.session(session_id)
    if session is None:
        return
    known = turn.state.frames.get(event.frame_id)
    frame = Frame(
        frame_id=event.frame_id,
        parent_frame_id=event.parent_frame_id,
        session_id=session.session_id,
    )
    if known is not None:  # a frame that swapped back into its parent's process
        frame = replace(known, session_id=frame.session_id, parent_frame_id=frame.parent_frame_id)
    keep(turn, frame)


def navigated(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """A frame committed another document: what stood below it is gone."""
    session = turn.state.session(session_id)
    if session is None:
        return
    below = descendants(turn.state, [event.frame.id])
    if event.type == "BackForwardCacheRestore":
        # Its frames in other processes were attached before this is told; those of the document
        # that stood here before were detached.
        below = [one for one in below if turn.state.frames[one].session_id == session_id]
    _forget(turn, below)
    _remember(turn, event.frame, session.session_id)
    frame = turn.state.frames[event.frame.id]
    _committed(turn, frame)
    if event.type == "BackForwardCacheRestore":
        _restored(turn, frame)


def _committed(turn: Turn, frame: Frame) -> None:
    """Another document stands in a frame, however that was told."""
    _count(turn, frame)
    # Should the browser forget to say so: a dialog doesn't outlive the document it stood over.
    drop_dialogs(turn, frame.frame_id, frame.url)
    waiting.drop_frame(turn, frame.frame_id, frame.url)
    turn.notify(
        FrameNavigated(
            tab_id=turn.state.tab_id_of_session(frame.session_id),
            frame_id=frame.frame_id,
            url=frame.url,
            same_document=False,
        )
    )


def _count(turn: Turn, frame: Frame) -> None:
    tab = turn.state.tab_of_session(frame.session_id)
    if tab is not None and tab.session_id == frame.session_id and frame.parent_frame_id is None:
        turn.put("tabs", tab.tab_id, replace(tab, documents=tab.documents + 1))
        quiet.committed(turn, tab)
        emulating.committed(turn, tab.session_id)


def _restored(turn: Turn, frame: Frame) -> None:
    """The back-forward cache brings a whole document back, loaded, without further events."""
    loaded = frozenset({"DOMContentLoaded", "load"})
    turn.put("frames", frame.frame_id, replace(frame, lifecycle=loaded))
    debugging.loaded(turn, frame.frame_id, frame.session_id)
    ask_tree(turn, frame.session_id)


def navigated_within_document(
    turn: Turn, event: page.NavigatedWithinDocument, session_id: str | None
) -> None:
    """A fragment or ``history.pushState`` changed a frame's URL."""
    frame = turn.state.frames.get(event.frame_id)
    if frame is None:
        return
    moved = replace(frame, url=event.url, navigating=False, bound_for="", moves=frame.moves + 1)
    turn.put("frames", frame.frame_id, moved)
    if "DOMContentLoaded" in frame.lifecycle:
        debugging.loaded(turn, frame.frame_id, session_id)
    turn.notify(
        FrameNavigated(
            tab_id=turn.state.tab_id_of_session(session_id),
            frame_id=frame.frame_id,
            url=event.url,
            same_document=True,
        )
    )


def detached(turn: Turn, event: page.FrameDetached, session_id: str | None) -> None:
    """A frame left a document, or this process: a swap keeps its one entry."""
    frame = turn.state.frames.get(event.frame_id)
    if frame is None:
        return
    is_its_own = frame.session_id == session_id
    if event.reason == "swap":
        if is_its_own:
            _swapped_out(turn, frame)
        return
    gone = [event.frame_id, *descendants(turn.state, [event.frame_id])]
    for frame_id in gone:
        waiting.drop_frame(turn, frame_id)
    if is_its_own:  # one of another process goes with its session
        _forget(turn, gone)


def _swapped_out(turn: Turn, frame: Frame) -> None:
    """A frame's document stands in another process now; its target may be known already or not."""
    frame = replace(frame, loader_id="", lifecycle=frozenset())
    for session in turn.state.sessions.values():
        if session.target_id == frame.frame_id and session.session_id != frame.session_id:
            frame = replace(frame, session_id=session.session_id)
            ask_tree(turn, session.session_id)
    turn.put("frames", frame.frame_id, frame)


def adopt(turn: Turn, info: target.TargetInfo, session_id: str) -> None:
    """An OOPIF's target id is its frame id: re-home the entry, or make it.

    The target may be there before its document is, and go without ever having had one (a download,
    another navigation): a document that stands in the parent's process stays until it is swapped.
    """
    known = turn.state.frames.get(info.target_id)
    if known is not None and known.loader_id and known.session_id in turn.state.sessions:
        return
    frame = known or Frame(
        frame_id=info.target_id, parent_frame_id=info.parent_frame_id, session_id=session_id
    )
    keep(turn, replace(frame, session_id=session_id, url=info.url or frame.url))


def frame_tree_known(turn: Turn, ask: FrameTreeAsked, result: page.GetFrameTreeResult) -> None:
    """Fold in the frames that were there before we listened."""
    session = turn.state.sessions.get(ask.session_id)
    if session is None:
        return
    if session.target_type == "page":
        _drop_other_tops(turn, result.frame_tree.frame.id, ask.session_id)
    _fold_tree(turn, result.frame_tree, ask.session_id)


def _drop_other_tops(turn: Turn, top: str, session_id: str) -> None:
    """A page has one top frame; an activated prerendered page brings another with another id."""
    gone = [
        f.frame_id
        for f in turn.state.frames.values()
        if f.session_id == session_id and f.parent_frame_id is None and f.frame_id != top
    ]
    _forget(turn, [*gone, *descendants(turn.state, gone)])


def context_created(
    turn: Turn, event: runtime.ExecutionContextCreated, session_id: str | None
) -> None:
    """Remember a frame's main world, and ours; others belong to who made them."""
    context = event.context
    about: dict[str, Any] = context.aux_data or {}
    frame_id = about.get("frameId")
    field = _world_field(about, context.name)
    session = turn.state.session(session_id)
    if session is None or not frame_id or field is None:
        return
    if session.ready and frame_id not in turn.state.frames:
        # A frame is told of before its worlds, except where another page shows all at once, and
        # nothing else tells: a prerendered one was activated.
        ask_tree(turn, session.session_id)
    turn.put(
        field,
        frame_id,
        ExecutionContext(
            frame_id=frame_id,
            session_id=session.session_id,
            context_id=context.id,
            unique_id=context.unique_id or "",
        ),
    )


def context_destroyed(
    turn: Turn, event: runtime.ExecutionContextDestroyed, session_id: str | None
) -> None:
    """A world is gone; what was built in it is too."""
    for field in _WORLDS:
        mapping: Mapping[str, ExecutionContext] = getattr(turn.state, field)
        gone = [
            c.frame_id
            for c in mapping.values()
            if c.session_id == session_id and c.context_id == event.execution_context_id
        ]
        turn.drop(field, *gone)


def contexts_cleared(
    turn: Turn, _event: runtime.ExecutionContextsCleared, session_id: str | None
) -> None:
    """A session's process starts over."""
    _drop_contexts(turn, session_id)


def drop_session_frames(turn: Turn, session_id: str) -> None:
    """Forget what a session served, when it is gone. Frames that moved elsewhere stay."""
    roots = [f.frame_id for f in turn.state.frames.values() if f.session_id == session_id]
    _forget(turn, [*roots, *descendants(turn.state, roots)])
    _drop_contexts(turn, session_id)


def descendants(state: SupervisorState, roots: Iterable[str]) -> list[str]:
    """All frames below ``roots``, at any depth."""
    children: dict[str, list[str]] = {}
    for frame in state.frames.values():
        if frame.parent_frame_id is not None:
            children.setdefault(frame.parent_frame_id, []).append(frame.frame_id)
    found: list[str] = []
    tops = set(roots)
    waiting = list(tops)
    while waiting:  # ends: a frame has one parent, so a way round would lead through a root
        below = [child for child in children.get(waiting.pop(), ()) if child not in tops]
        found += below
        waiting += below
    return found


def _fold_tree(turn: Turn, tree: page.FrameTree, session_id: str) -> None:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        known = turn.state.frames.get(node.frame.id)
        if known is None or known.session_id == session_id or known.loader_id == "":
            _remember(turn, node.frame, session_id)
            if known is not None and known.loader_id not in ("", node.frame.loader_id):
                _came_untold(turn, turn.state.frames[known.frame_id])
            elif known is not None and known.bound_for:  # it is on its way still
                on = {"navigating": known.navigating, "bound_for": known.bound_for}
                turn.put("frames", known.frame_id, replace(turn.state.frames[known.frame_id], **on))
        waiting.extend(node.child_frames or ())


def _came_untold(turn: Turn, frame: Frame) -> None:
    """By the tree another document stands in a frame than the one that we knew of."""
    _committed(turn, frame)
    if frame.is_parsed:
        debugging.loaded(turn, frame.frame_id, frame.session_id)


def _remember(turn: Turn, frame: page.Frame, session_id: str) -> None:
    known = turn.state.frames.get(frame.id)
    reached: frozenset[str] = frozenset()
    if known is not None:
        documents = {known.untold[0]: known.untold[1], known.loader_id: known.lifecycle}
        reached = documents.get(frame.loader_id, reached)
    keep(
        turn,
        Frame(
            frame_id=frame.id,
            # An OOPIF's own tree may not name its parent; the parent's session did.
            parent_frame_id=frame.parent_id or (known.parent_frame_id if known else None),
            session_id=session_id,
            url=(frame.unreachable_url or frame.url + (frame.url_fragment or "")),
            origin=frame.security_origin or "",
            name=frame.name or "",
            loader_id=frame.loader_id,
            lifecycle=reached,
        ),
    )


def keep(turn: Turn, frame: Frame) -> None:
    """Put a frame into the tree; a parent that stands below it is none: whoever walks the tree,
    up or down, comes to an end."""
    above = frame.parent_frame_id
    while above is not None and above != frame.frame_id:
        parent = turn.state.frames.get(above)
        above = parent.parent_frame_id if parent is not None else None
    if above is not None:
        frame = replace(frame, parent_frame_id=None)
    turn.put("frames", frame.frame_id, frame)


def _forget(turn: Turn, frame_ids: Iterable[str]) -> None:
    gone = list(frame_ids)
    for field in ("frames", *_WORLDS):
        turn.drop(field, *gone)


def _drop_contexts(turn: Turn, session_id: str | None) -> None:
    for field in _WORLDS:
        mapping: Mapping[str, ExecutionContext] = getattr(turn.state, field)
        turn.drop(field, *(c.frame_id for c in mapping.values() if c.session_id == session_id))


def _world_field(about: dict[str, Any], name: str) -> str | None:
    if about.get("isDefault"):
        return "contexts"
    return {WORLD_NAME: "worlds", AGENT_WORLD_NAME: "agent_worlds"}.get(name)

"""Frames and their script worlds, in any process, across navigations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tabwarden.protocol import page, runtime, target
from tabwarden.supervisor.core.handlers import debugging, emulating, prompt_cleanup
from tabwarden.supervisor.core.handlers.dialogs import drop_dialogs
from tabwarden.supervisor.core.state.changes import kept_url
from tabwarden.supervisor.core.state.notices import FrameNavigated
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import WORLD_NAME, ExecutionContext, Frame
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import replace
from tabwarden.telemetry.redaction import without_login

AGENT_WORLD_NAME = "tabwarden-evaluate"
"""A separate isolated world for the agent's scripts, so that they can't reach our scripts."""
_GUEST_WORLD = "__playwright_utility_world"
"""The prefix of the name of Playwright's isolated world, in which its locators find elements."""
_WORLDS = ("contexts", "worlds", "agent_worlds", "guest_worlds")


class FrameTreeAsked(Ask, frozen=True):
    command = page.GetFrameTree

    session_id: str


def ask_tree(turn: Turn, session_id: str | None) -> None:
    """Request a session's current frames; ``frame_tree_known`` gets the reply."""
    turn.send(page.GetFrameTree(), session_id, FrameTreeAsked(session_id or ""))


def attached(turn: Turn, event: page.FrameAttached, session_id: str | None) -> None:
    session = turn.state.session(session_id)
    if session is None:
        return
    known = turn.state.frames.get(event.frame_id)
    frame = Frame(
        frame_id=event.frame_id,
        parent_frame_id=event.parent_frame_id,
        session_id=session.session_id,
    )
    if known is not None:  # the frame moved back into its parent's process
        frame = replace(known, session_id=frame.session_id, parent_frame_id=frame.parent_frame_id)
    keep(turn, frame)


def navigated(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """Record a frame's new document, and remove the frame's child frames."""
    session = turn.state.session(session_id)
    if session is None:
        return
    below = descendants(turn.state, [event.frame.id])
    if event.type == "BackForwardCacheRestore":
        # Child frames in other processes were attached before this event, so they belong to the new
        # document; the child frames of the previous document were already detached.
        below = [one for one in below if turn.state.frames[one].session_id == session_id]
    _forget(turn, below)
    _remember(turn, event.frame, session.session_id)
    frame = turn.state.frames[event.frame.id]
    _committed(turn, frame)
    if event.type == "BackForwardCacheRestore":
        _restored(turn, frame)


def _committed(turn: Turn, frame: Frame) -> None:
    """Handle a frame's new document, whichever event reported it."""
    _count(turn, frame)
    # A dialog always closes with its document, but the browser may not report that.
    drop_dialogs(turn, frame.frame_id, frame.url)
    prompt_cleanup.drop_frame(turn, frame.frame_id, frame.url)
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
        turn.record("navigation", tab.tab_id, url=without_login(kept_url(frame.url)))
        emulating.restore_scripts(turn, tab)
        emulating.committed(turn, tab.session_id)


def _restored(turn: Turn, frame: Frame) -> None:
    """Record a document that was restored from the back-forward cache. It is loaded, and no further
    events will follow.
    """
    loaded = frozenset({"DOMContentLoaded", "load"})
    turn.put("frames", frame.frame_id, replace(frame, lifecycle=loaded))
    debugging.loaded(turn, frame.frame_id, frame.session_id)
    ask_tree(turn, frame.session_id)


def navigated_within_document(
    turn: Turn, event: page.NavigatedWithinDocument, session_id: str | None
) -> None:
    """Record a URL change by a fragment or ``history.pushState``."""
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
    """Handle a frame that was removed from its document or moved to another process. A moved frame
    keeps its entry.
    """
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
        prompt_cleanup.drop_frame(turn, frame_id)
    if is_its_own:  # a frame in another process is removed with its session
        _forget(turn, gone)


def _swapped_out(turn: Turn, frame: Frame) -> None:
    """Handle a frame whose document moved to another process. The new target may not be known
    yet.
    """
    frame = replace(frame, loader_id="", lifecycle=frozenset())
    for session in turn.state.sessions.values():
        if session.target_id == frame.frame_id and session.session_id != frame.session_id:
            frame = replace(frame, session_id=session.session_id)
            ask_tree(turn, session.session_id)
    turn.put("frames", frame.frame_id, frame)


def adopt(turn: Turn, info: target.TargetInfo, session_id: str) -> None:
    """Add an OOPIF, or move its entry to its new session. An OOPIF's target id is its frame id. The
    target may appear before its document, or disappear without ever having one (a download, another
    navigation). Therefore, keep the document in the parent's process until the browser reports the
    swap.
    """
    known = turn.state.frames.get(info.target_id)
    if known is not None and known.loader_id and known.session_id in turn.state.sessions:
        return
    frame = known or Frame(
        frame_id=info.target_id, parent_frame_id=info.parent_frame_id, session_id=session_id
    )
    keep(turn, replace(frame, session_id=session_id, url=info.url or frame.url))


def frame_tree_known(
    turn: Turn, ask: FrameTreeAsked, result: page.GetFrameTreeResult | None
) -> None:
    """Add the frames that existed before we received events."""
    session = turn.state.sessions.get(ask.session_id)
    if session is None or result is None:
        return
    top, is_page = result.frame_tree.frame.id, session.target_type == "page"
    was_activated = is_page and _drop_other_tops(turn, top, ask.session_id)
    _fold_tree(turn, result.frame_tree, ask.session_id)
    if was_activated:
        _count(turn, turn.state.frames[top])


def _drop_other_tops(turn: Turn, top: str, session_id: str) -> bool:
    """Drop the old top frame after a prerendered page, which has its own top frame, was
    activated. Return whether there was one.
    """
    gone = [
        f.frame_id
        for f in turn.state.frames.values()
        if f.session_id == session_id and f.parent_frame_id is None and f.frame_id != top
    ]
    _forget(turn, [*gone, *descendants(turn.state, gone)])
    return bool(gone)


def context_created(
    turn: Turn, event: runtime.ExecutionContextCreated, session_id: str | None
) -> None:
    """Record a frame's main world, our isolated worlds, and Playwright's; ignore other worlds."""
    context = event.context
    about: dict[str, Any] = context.aux_data or {}
    frame_id = about.get("frameId")
    field = _world_field(about, context.name)
    session = turn.state.session(session_id)
    if session is None or not frame_id or field is None:
        return
    if session.ready and frame_id not in turn.state.frames:
        # Normally a frame is reported before its worlds. If a world is reported first, a
        # prerendered page was activated, which no other event reports.
        ask_tree(turn, session.session_id)
    world = ExecutionContext(
        frame_id=frame_id,
        session_id=session.session_id,
        context_id=context.id,
        unique_id=context.unique_id or "",
    )
    turn.put(field, world.unique_id if field == "guest_worlds" else frame_id, world)


def context_destroyed(
    turn: Turn, event: runtime.ExecutionContextDestroyed, session_id: str | None
) -> None:
    """Forget a world that no longer exists."""
    gone = (session_id, event.execution_context_id)
    _drop_worlds(turn, lambda world: (world.session_id, world.context_id) == gone)


def contexts_cleared(
    turn: Turn, _event: runtime.ExecutionContextsCleared, session_id: str | None
) -> None:
    """Remove all of a session's worlds, because its process starts over."""
    _drop_worlds(turn, lambda world: world.session_id == session_id)


def drop_session_frames(turn: Turn, session_id: str) -> None:
    """Forget the frames of a session that is gone. Keep frames that have moved to another
    session."""
    roots = [f.frame_id for f in turn.state.frames.values() if f.session_id == session_id]
    _forget(turn, [*roots, *descendants(turn.state, roots)])
    _drop_worlds(turn, lambda world: world.session_id == session_id)


def descendants(state: SupervisorState, roots: Iterable[str]) -> list[str]:
    """Return all descendants of ``roots``."""
    children: dict[str, list[str]] = {}
    for frame in state.frames.values():
        if frame.parent_frame_id is not None:
            children.setdefault(frame.parent_frame_id, []).append(frame.frame_id)
    frame_ids: list[str] = []
    tops = set(roots)
    unread = list(tops)
    # this loop terminates: each frame has one parent, so a cycle would include a root
    while unread:
        below = [child for child in children.get(unread.pop(), ()) if child not in tops]
        frame_ids += below
        unread += below
    return frame_ids


def _fold_tree(turn: Turn, tree: page.FrameTree, session_id: str) -> None:
    unread = [tree]
    while unread:
        node = unread.pop()
        known = turn.state.frames.get(node.frame.id)
        if known is None or known.session_id == session_id or known.loader_id == "":
            _remember(turn, node.frame, session_id)
            if known is not None and known.loader_id not in ("", node.frame.loader_id):
                _unreported_document(turn, turn.state.frames[known.frame_id])
            elif known is not None and known.bound_for:  # the frame is still navigating
                on = {"navigating": known.navigating, "bound_for": known.bound_for}
                turn.put("frames", known.frame_id, replace(turn.state.frames[known.frame_id], **on))
        unread.extend(node.child_frames or ())


def _unreported_document(turn: Turn, frame: Frame) -> None:
    """Handle a new document that the frame tree contains, but that no event reported."""
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
            # An OOPIF's own tree may omit its parent; the parent's session reported it.
            parent_frame_id=frame.parent_id or (known.parent_frame_id if known else None),
            session_id=session_id,
            url=(frame.unreachable_url or frame.url + (frame.url_fragment or "")),
            origin=frame.security_origin or "",
            name=frame.name or "",
            loader_id=frame.loader_id,
            lifecycle=reached,
            unreachable=bool(frame.unreachable_url),
        ),
    )


def keep(turn: Turn, frame: Frame) -> None:
    """Add a frame to the tree. If its parent is also its descendant, ignore the parent, so that
    every tree traversal terminates.
    """
    above = frame.parent_frame_id
    while above is not None and above != frame.frame_id:
        parent = turn.state.frames.get(above)
        above = parent.parent_frame_id if parent is not None else None
    if above is not None:
        frame = replace(frame, parent_frame_id=None)
    turn.put("frames", frame.frame_id, frame)


def _forget(turn: Turn, frame_ids: Iterable[str]) -> None:
    gone = set(frame_ids)
    turn.drop("frames", *gone)
    _drop_worlds(turn, lambda world: world.frame_id in gone)


def _drop_worlds(turn: Turn, is_gone: Callable[[ExecutionContext], bool]) -> None:
    for field in _WORLDS:
        mapping: Mapping[str, ExecutionContext] = getattr(turn.state, field)
        turn.drop(field, *[key for key, world in mapping.items() if is_gone(world)])


def _world_field(about: dict[str, Any], name: str) -> str | None:
    if about.get("isDefault"):
        return "contexts"
    if name.startswith(_GUEST_WORLD):
        return "guest_worlds"
    return {WORLD_NAME: "worlds", AGENT_WORLD_NAME: "agent_worlds"}.get(name)


EVENTS = (
    (page.FrameAttached, attached),
    (page.FrameNavigated, navigated),
    (page.FrameDetached, detached),
    (page.NavigatedWithinDocument, navigated_within_document),
    (runtime.ExecutionContextCreated, context_created),
    (runtime.ExecutionContextDestroyed, context_destroyed),
    (runtime.ExecutionContextsCleared, contexts_cleared),
)
REPLIES = ((FrameTreeAsked, frame_tree_known),)

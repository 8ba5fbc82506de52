"""The state arranged for readers: frame trees instead of maps, tuples instead of dicts."""

from __future__ import annotations

from collections.abc import Mapping

from tabwarden.supervisor.reading import FrameNode, FrameTree, SupervisorSnapshot
from tabwarden.supervisor.state import SupervisorState
from tabwarden.supervisor.tabs import Frame
from tabwarden.supervisor.values import frozen, replace

__all__ = ["MAX_FRAMES", "MAX_OOPIF_DEPTH", "capped", "frame_tree_of", "snapshot_of"]

MAX_FRAMES = 30
MAX_OOPIF_DEPTH = 2
"""The caps of DESIGN section 3: for what a tool prints; the state itself is whole."""


def snapshot_of(
    task_id: str, state: SupervisorState, live_view_url: str | None = None
) -> SupervisorSnapshot:
    """What ``CDPSupervisor.snapshot()`` returns."""
    trees = {tab_id: frame_tree_of(state, tab_id) for tab_id in state.tabs}
    return SupervisorSnapshot(
        task_id=task_id,
        health=state.health,
        tabs=tuple(state.tabs.values()),
        active_tab_id=state.active_tab_id,
        pending_dialogs=state.pending_dialogs,
        recent_dialogs=state.recent_dialogs,
        frame_tree=trees.get(state.active_tab_id or "") or FrameTree(top=None),
        frame_trees=frozen(trees),
        sessions=state.sessions,
        console_errors=state.console_errors,
        downloads=state.downloads,
        file_choosers=state.file_choosers,
        auth_challenges=state.auth_challenges,
        notes=state.notes,
        permissions=state.permissions,
        contested=state.contested,
        network_policy="proxy" if state.proxied else "documents",
        live_view_url=live_view_url,
    )


def frame_tree_of(state: SupervisorState, tab_id: str) -> FrameTree:
    """A tab's frames, parents before children."""
    top = state.top_frame_id(tab_id)
    if top is None:
        return FrameTree(top=None)
    children: dict[str, list[Frame]] = {}
    for frame in state.frames.values():
        if frame.parent_frame_id is not None:
            children.setdefault(frame.parent_frame_id, []).append(frame)
    found: list[FrameNode] = []
    waiting = [top]
    while waiting:
        parent = waiting.pop(0)
        for child in children.get(parent, ()):
            found.append(_node(child, state.frames))
            waiting.append(child.frame_id)
    return FrameTree(top=_node(state.frames[top], state.frames), children=tuple(found))


def capped(tree: FrameTree) -> FrameTree:
    """The tree within the caps of a tool's output; ``truncated`` when something was left out."""
    if tree.top is None:
        return tree
    depth = {tree.top.frame_id: 0}
    kept: list[FrameNode] = []
    for node in tree.children:
        above = depth.get(node.parent_frame_id or "")
        if above is None:
            continue
        depth[node.frame_id] = above + 1 if node.is_oopif else above
        if depth[node.frame_id] > MAX_OOPIF_DEPTH:
            del depth[node.frame_id]
        elif len(kept) < MAX_FRAMES - 1:
            kept.append(node)
    return replace(tree, children=tuple(kept), truncated=len(kept) < len(tree.children))


def _node(frame: Frame, frames: Mapping[str, Frame]) -> FrameNode:
    parent = frames.get(frame.parent_frame_id or "")
    return FrameNode(
        frame_id=frame.frame_id,
        url=frame.url,
        origin=frame.origin,
        name=frame.name,
        parent_frame_id=frame.parent_frame_id,
        is_oopif=parent is not None and parent.session_id != frame.session_id,
        session_id=frame.session_id,
    )

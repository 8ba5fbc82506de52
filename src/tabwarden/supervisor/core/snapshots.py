"""Snapshots of the state for readers: frame trees instead of maps, tuples instead of dicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from tabwarden.supervisor.core.prompts import PROMPT_KINDS, Prompts
from tabwarden.supervisor.core.state.changes import Changes
from tabwarden.supervisor.core.state.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.notes import Note
from tabwarden.supervisor.core.state.prompts import PermissionRule
from tabwarden.supervisor.core.state.routes import Route
from tabwarden.supervisor.core.state.state import ConsoleMessage, Health, SupervisorState
from tabwarden.supervisor.core.state.tabs import Frame, SessionInfo, Tab
from tabwarden.supervisor.core.state.values import frozen, replace
from tabwarden.telemetry.redaction import without_login


class FrameNode(msgspec.Struct, frozen=True, kw_only=True):
    frame_id: str
    url: str
    origin: str
    name: str
    parent_frame_id: str | None
    is_oopif: bool
    session_id: str


class FrameTree(msgspec.Struct, frozen=True, kw_only=True):
    """A tab's frames: the top frame, and all other frames in ``children``, parents first."""

    top: FrameNode | None
    children: tuple[FrameNode, ...] = ()
    truncated: bool = False


class SupervisorSnapshot(Prompts[Any], frozen=True, kw_only=True):
    """The state in a format for readers."""

    task_id: str
    health: Health
    tabs: tuple[Tab, ...]
    active_tab_id: str | None
    pending_dialogs: tuple[PendingDialog, ...]
    recent_dialogs: tuple[ClosedDialog, ...]
    frame_tree: FrameTree
    """The complete frame tree of the active tab; ``frame_trees`` has the trees of all tabs."""
    frame_trees: Mapping[str, FrameTree]
    sessions: Mapping[str, SessionInfo]
    console_errors: tuple[ConsoleMessage, ...]
    downloads: tuple[Download, ...]
    notes: tuple[Note, ...]
    permissions: tuple[PermissionRule, ...]
    changes: Changes = Changes()
    """The task's last 64 state changes, with numbers. They survive a lost connection."""
    routes: tuple[Route, ...] = ()
    """The routes, which decide about matching requests, oldest first."""
    contested: bool = False
    """Whether another client may answer this browser's dialogs. If so, the debugger stays on."""
    network_policy: Literal["proxy", "documents"] = "documents"
    """Whether an egress proxy handles all connections. Without a proxy, the network policy is
    weaker: it applies only to documents.
    """
    live_view_url: str | None = None
    """The provider's URL where a person can watch the browser, and perhaps control it."""


MAX_FRAMES = 30
MAX_OOPIF_DEPTH = 2
"""The limits for a frame tree in a tool's output; the state itself is complete."""


def snapshot_of(
    task_id: str, state: SupervisorState, live_view_url: str | None = None
) -> SupervisorSnapshot:
    trees = {tab_id: frame_tree_of(state, tab_id) for tab_id in state.tabs}
    return SupervisorSnapshot(
        task_id=task_id,
        health=state.health,
        tabs=tuple(map(_shown, state.tabs.values())),
        active_tab_id=state.active_tab_id,
        pending_dialogs=state.pending_dialogs,
        recent_dialogs=state.recent_dialogs,
        frame_tree=trees.get(state.active_tab_id or "") or FrameTree(top=None),
        frame_trees=frozen(trees),
        sessions=state.sessions,
        console_errors=state.console_errors,
        downloads=state.downloads,
        **{row: state.prompts_of(kind.prompt) for row, kind in PROMPT_KINDS.items()},
        notes=state.notes,
        changes=state.changes,
        permissions=state.permissions,
        routes=state.routes,
        contested=state.contested,
        network_policy="proxy" if state.proxied else "documents",
        live_view_url=live_view_url,
    )


def _shown(tab: Tab) -> Tab:
    return replace(tab, url=without_login(tab.url)) if "@" in tab.url else tab


def frame_tree_of(state: SupervisorState, tab_id: str) -> FrameTree:
    """Return a tab's frames, parents before children."""
    top = state.top_frame_id(tab_id)
    if top is None:
        return FrameTree(top=None)
    children: dict[str, list[Frame]] = {}
    for frame in state.frames.values():
        if frame.parent_frame_id is not None:
            children.setdefault(frame.parent_frame_id, []).append(frame)
    nodes: list[FrameNode] = []
    waiting = [top]
    while waiting:
        parent = waiting.pop(0)
        for child in children.get(parent, ()):
            nodes.append(_node(child, state.frames))
            waiting.append(child.frame_id)
    return FrameTree(top=_node(state.frames[top], state.frames), children=tuple(nodes))


def capped(tree: FrameTree) -> FrameTree:
    """Limit a tree for a tool's output; ``truncated`` says whether frames were omitted."""
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
        url=without_login(frame.url),
        origin=frame.origin,
        name=frame.name,
        parent_frame_id=frame.parent_frame_id,
        is_oopif=parent is not None and parent.session_id != frame.session_id,
        session_id=frame.session_id,
    )

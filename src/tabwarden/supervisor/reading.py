"""What readers get: the state, arranged for them (``snapshots.py`` makes it)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from tabwarden.supervisor.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.prompts import AuthChallenge, Download, FileChooser, Note, PermissionRule
from tabwarden.supervisor.state import ConsoleMessage, Health
from tabwarden.supervisor.tabs import SessionInfo, Tab

__all__ = ["FrameNode", "FrameTree", "SupervisorSnapshot"]


class FrameNode(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a frame tree as readers see it."""

    frame_id: str
    url: str
    origin: str
    name: str
    parent_frame_id: str | None
    is_oopif: bool
    session_id: str


class FrameTree(msgspec.Struct, frozen=True, kw_only=True):
    """A tab's frames: ``top``, then all others, parents first."""

    top: FrameNode | None
    children: tuple[FrameNode, ...] = ()
    truncated: bool = False


class SupervisorSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader gets: the state, arranged for reading (DESIGN section 3)."""

    task_id: str
    health: Health
    tabs: tuple[Tab, ...]
    active_tab_id: str | None
    pending_dialogs: tuple[PendingDialog, ...]
    recent_dialogs: tuple[ClosedDialog, ...]
    frame_tree: FrameTree
    """Of the active tab, whole; ``frame_trees`` has every tab's."""
    frame_trees: Mapping[str, FrameTree]
    sessions: Mapping[str, SessionInfo]
    console_errors: tuple[ConsoleMessage, ...]
    downloads: tuple[Download, ...]
    file_choosers: tuple[FileChooser, ...]
    auth_challenges: tuple[AuthChallenge, ...]
    notes: tuple[Note, ...]
    permissions: tuple[PermissionRule, ...]
    contested: bool = False
    """Somebody else may answer this browser's dialogs: none is left to them."""
    network_policy: Literal["proxy", "documents"] = "documents"
    """What holds the browser to the network policy: an egress proxy, which sees all connections,
    or, where none can be set, the hold on documents alone: the weaker of the two."""
    live_view_url: str | None = None
    """Where a person can watch, at a provider that has that; whoever knows it may act there."""

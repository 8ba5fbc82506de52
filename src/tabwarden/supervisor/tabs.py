"""Tabs, and what they are made of: sessions on targets, frames, execution contexts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from tabwarden.protocol import target
from tabwarden.supervisor.values import NOTHING

__all__ = [
    "BridgeScript",
    "ExecutionContext",
    "Frame",
    "HeldPage",
    "SessionInfo",
    "Tab",
    "TabStatus",
]

TabStatus = Literal["starting", "ready", "crashed"]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One frame of one tab. Its ``frame_id`` stays while it navigates and swaps processes."""

    frame_id: str
    parent_frame_id: str | None
    session_id: str
    """The session that serves it: the tab's own, or its OOPIF target's."""
    url: str = ""
    origin: str = ""
    name: str = ""
    loader_id: str = ""
    """The document that stands in the frame now (``Page.Frame.loaderId``)."""
    lifecycle: frozenset[str] = frozenset()
    """What that document has reached: ``DOMContentLoaded``, ``load``, ``networkIdle``, ...; and
    ``stopped`` where it ended short of ``load``: the connection broke, or loading was stopped."""
    untold: tuple[str, frozenset[str]] = ("", frozenset())
    """A document that nobody said had begun (a fresh target's, as its renderer changes), and what
    it has reached: it may stand in the frame by now, or be the one before."""
    navigating: bool = False
    """Another document has been asked for and has neither committed nor failed."""
    bound_for: str = ""
    """The URL of that document, as far as it was told."""
    moves: int = 0
    """How often the frame has gone to another place of its history within one document."""

    @property
    def is_parsed(self) -> bool:
        """Whether as much of its document is there as will come before its subresources."""
        return bool(self.lifecycle & {"DOMContentLoaded", "stopped"})

    @property
    def is_loaded(self) -> bool:
        """Whether its document has come to an end."""
        return bool(self.lifecycle & {"load", "stopped"})


class ExecutionContext(msgspec.Struct, frozen=True, kw_only=True):
    """A world of a frame: the main one, where the page's own scripts run, or our isolated one."""

    frame_id: str
    session_id: str
    context_id: int
    unique_id: str
    """``Runtime.ExecutionContextDescription.uniqueId``: never taken by a later context."""


class BridgeScript(NamedTuple):
    """A script that asks for dialogs."""

    frame_id: str
    of_kin: bool = False
    """Another supervisor put it there."""


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A script that waits in a pause: what it asks for is being read."""

    call_frame_id: str
    frame_id: str
    of_kin: bool
    again_at: float
    """When it is read once more, monotonic seconds: an answer may get lost."""
    reads: int = 1
    """How often it was."""


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A flattened CDP session on one page or iframe target."""

    session_id: str
    target_id: str
    target_type: str
    parent_session_id: str | None
    tab_id: str
    attached_at: float = 0.0
    """On the monotonic clock, in seconds."""
    ready: bool = False
    """Set up and let run: the target answered its first commands."""
    set_ups: int = 0
    """How often it had to be set up again, as its renderer died under that."""
    debugging: Literal["off", "asked", "on"] = "off"
    """Whether its scripts can pause: the Debugger domain."""
    asking: Asking | None = None
    """A script of it waits in a pause; what it asks for is being read."""
    bridge_scripts: Mapping[str, BridgeScript] = NOTHING
    """The bridges in each document, by V8's script id."""


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the task, popups included. ``tab_id`` stays when its target is replaced."""

    tab_id: str
    target_id: str
    session_id: str | None
    url: str
    title: str
    opener_tab_id: str | None = None
    browser_context_id: str | None = None
    """Whose cookies and storage it has; None: the browser did not say."""
    status: TabStatus = "starting"
    status_reason: str = ""
    documents: int = 0
    """How many documents have stood in it: a page that navigates itself all the time runs up."""
    scripts_off: bool = False
    """Its page hung anew each time it was stopped: its scripts don't run until it is left."""
    scripts_switched: bool = False
    """They have been off at some time."""
    generation: int = 1
    """Grows when the tab was lost and replaced, or crashed: older refs are refused."""


class HeldPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that waits to be known as one of ours or of the agent's (``backstage.py``)."""

    event: target.AttachedToTarget
    session_id: str | None

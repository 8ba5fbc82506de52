"""Tabs and their parts: sessions on targets, frames, execution contexts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from tabwarden.protocol import target
from tabwarden.supervisor.core.state.values import NOTHING

WORLD_NAME = "tabwarden"
"""The name of our isolated world in each frame; pages can't see it."""


class PageTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that a document offers. All its texts come from the page, and may be false."""

    name: str
    description: str = ""
    schema: bytes = b""
    """The JSON Schema of the arguments, as JSON; empty if the page provided no schema."""
    schema_dropped: bool = False
    """Whether the schema was dropped because it is too long."""
    read_only: bool = False
    """Whether the tool only reads data, according to the page."""
    consequential: bool = False
    """Whether the tool's effect can't be undone, such as a payment, according to the page."""
    is_form: bool = False
    """Whether the tool fills in a form in the page."""
    submits: bool = False
    """Whether the form submits itself once the tool has filled it in."""


class FrameTools(msgspec.Struct, frozen=True, kw_only=True):
    """The tools of one frame's document."""

    tools: tuple[PageTool, ...] = ()
    """The tools that were registered first, oldest first."""
    more: int = 0
    """How many more tools the document offers."""


TabStatus = Literal["starting", "ready", "crashed"]
AgentsPart = Literal["none", "acted", "opened"]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One frame of one tab. Its ``frame_id`` survives navigations and process swaps."""

    frame_id: str
    parent_frame_id: str | None
    session_id: str
    """The frame's session: the tab's own session, or an OOPIF's session."""
    url: str = ""
    origin: str = ""
    name: str = ""
    loader_id: str = ""
    """The loader id of the frame's current document (``Page.Frame.loaderId``)."""
    lifecycle: frozenset[str] = frozenset()
    """The milestones that this document has reached: ``DOMContentLoaded``, ``load``,
    ``networkIdle``, ... ``stopped`` means that loading stopped before ``load``. ``used`` means that
    no call waits until the document has loaded.
    """
    untold: tuple[str, frozenset[str]] = ("", frozenset())
    """The loader id and the milestones of a document whose start no event reported. This may be the
    frame's current document or its previous document.
    """
    navigating: bool = False
    """Whether another document was requested that has neither committed nor failed yet."""
    bound_for: str = ""
    """The URL of the requested document, if known."""
    leaves_for: tuple[str, float] | None = None
    """The URL to which this document will navigate by itself (a refresh), and the delay of that
    navigation in seconds.
    """
    unreachable: bool = False
    """Whether this document is the browser's error page for ``url``, which the browser could not
    load.
    """
    moves: int = 0
    """How often the frame has navigated within this document."""

    @property
    def is_parsed(self) -> bool:
        """Whether the document is fully parsed, or stopped loading before that."""
        return bool(self.lifecycle & {"DOMContentLoaded", "stopped"})

    @property
    def is_loaded(self) -> bool:
        """Whether the document has finished loading, or stopped."""
        return bool(self.lifecycle & {"load", "stopped"})


class ExecutionContext(msgspec.Struct, frozen=True, kw_only=True):
    """A world of a frame: the main world of the page's own scripts, or an isolated world."""

    frame_id: str
    session_id: str
    context_id: int
    unique_id: str
    """``Runtime.ExecutionContextDescription.uniqueId``: never reused by a later context."""


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A paused script whose dialog request is being read."""

    call_frame_id: str
    frame_id: str
    of_kin: bool
    again_at: float
    """When to read the request again, in monotonic seconds, because a reply may get lost."""
    reads: int = 1
    """How often we have tried to read the request."""


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A flattened CDP session on one page or iframe target."""

    session_id: str
    target_id: str
    target_type: str
    parent_session_id: str | None
    tab_id: str
    attached_at: float = 0.0
    """When we attached to the target, in monotonic seconds."""
    ready: bool = False
    """Whether the target has replied to its first commands, so that it is set up and running."""
    waited: bool = False
    """Whether the target had not run any script yet when we attached to it."""
    init_scripts: Mapping[str, str] = NOTHING
    """Maps our ids of the caller's init scripts to the browser's ids in this target."""
    set_ups: int = 0
    """How often the session was set up again because its renderer died."""
    debugging: Literal["off", "asked", "on"] = "off"
    """Whether the session's scripts can pause (the Debugger domain)."""
    asking: Asking | None = None
    bridge_scripts: Mapping[str, Literal["ours", "kin"]] = NOTHING
    """The owner of each bridge in the session's documents (ours, or another supervisor's), keyed by
    V8's script id.
    """


class AwaitedWindow(msgspec.Struct, frozen=True):
    """A window that a page opened and that has not appeared yet."""

    session_id: str
    """The page's session."""
    url: str
    due: float
    """When the window counts as refused, in monotonic seconds."""


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the task, or a popup. ``tab_id`` stays the same when the target is replaced."""

    tab_id: str
    target_id: str
    session_id: str | None
    url: str
    title: str
    opener_tab_id: str | None = None
    browser_context_id: str | None = None
    """The browser context with the tab's cookies and storage; None if unknown."""
    status: TabStatus = "starting"
    status_reason: str = ""
    documents: int = 0
    """How many documents the tab has had. The number grows fast if a page keeps navigating."""
    scripts_off: bool = False
    """Whether scripts are off until the tab leaves the page, because the page keeps hanging."""
    scripts_switched: bool = False
    """Whether scripts have ever been off in this tab."""
    agents_part: AgentsPart = "opened"
    """How the agent has used the tab: the agent, or a page in one of its tabs, opened the tab; the
    agent has acted on the tab, which others opened; or neither. If only the agent uses the browser,
    every tab counts as opened by the agent.
    """
    generation: int = 1
    """A counter that increases when the tab is replaced or crashes, so that older refs are
    rejected.
    """


class HeldPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page whose set-up waits until we know whether the page is a helper page
    (``hidden_targets.py``).
    """

    event: target.AttachedToTarget
    session_id: str | None

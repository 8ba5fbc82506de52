"""The data that a task keeps about one tab while the tab is open."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from tabwarden.page.task.begun_requests import BegunRequests
from tabwarden.page.task.effect_watch import EffectWatch
from tabwarden.page.text import LastOutline
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext

BUTTONS = {"left": 1, "right": 2, "middle": 4}
"""The bits of ``Input.dispatchMouseEvent``'s ``buttons``."""


class View(msgspec.Struct, frozen=True):
    """The part of a page that is visible in its tab, in CSS pixels."""

    x: float
    y: float
    """The point on the page at the top-left corner of the visible part."""
    width: float
    height: float

    @classmethod
    def of(cls, metrics: page.GetLayoutMetricsResult) -> View:
        seen = metrics.css_visual_viewport  # smaller than the viewport after a pinch
        return cls(seen.page_x, seen.page_y, seen.client_width, seen.client_height)


class TakenPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A screenshot that the agent has seen."""

    id: str
    document: str
    """The tab's document when the screenshot was taken."""
    width: int
    height: int
    """The image's height in pixels."""
    x: float
    y: float
    """The point on the page at the image's top-left corner, in CSS pixels."""
    scale: float
    """Image pixels per CSS pixel."""
    of_page: bool
    """Whether the image shows more than the viewport. If so, points in the image stay valid after a
    scroll."""
    view: View


class Iframes(msgspec.Struct, frozen=True):
    """The iframe elements of one document, as far as the task has asked for them."""

    world: str
    """The document's world."""
    children: frozenset[str] = frozenset()
    """The child frames that existed when this was asked."""
    inside: Mapping[int, str] = {}
    """Maps an iframe element's local ID to the frame inside it."""

    def around(self, frame_id: str) -> int | None:
        """Return the local ID of the iframe element around a frame."""
        return next((one for one, inner in self.inside.items() if inner == frame_id), None)


@dataclass(slots=True)
class Held:
    """The mouse buttons and keys that the agent holds down in a tab, and the mouse position."""

    at: tuple[float, float] | None = None
    """The mouse position in the viewport, in CSS pixels. None before the first ``browser_mouse``
    move."""
    buttons: int = 0
    modifiers: int = 0

    @property
    def button(self) -> str:
        """Return the name of a held button; ``none`` if no button is held."""
        return next((name for name, bit in BUTTONS.items() if self.buttons & bit), "none")


class LogCursor(NamedTuple):
    """How far the agent has read a log of a tab."""

    number: int = 0
    """The number of the last entry that existed when the log was read."""
    total: int = 0
    """How many entries the tab had had by then."""
    pending: frozenset[int] = frozenset()
    """The numbers of the requests that had not ended by then."""


@dataclass(slots=True)
class TabMemory:
    """The data about one tab. Use it on the engine's event loop. Other threads may look up an
    entry."""

    outlines: dict[str | None, LastOutline] = field(default_factory=dict)
    """The last outlines, keyed by frame (None for the whole tab). They are used for ``diff``, and
    for pages that can't be read."""
    iframes: dict[str, Iframes] = field(default_factory=dict)
    """The iframe elements in each frame's document."""
    given_up: dict[str, bool] = field(default_factory=dict)
    """The sessions of frames that were not read in time. The value is True if they have replied
    since then, or were too busy to be read."""
    last_input: EffectWatch | None = None
    requests: BegunRequests | None = None
    """The requests that the last input began."""
    drawn_document: str | None = None
    """The last document that was rendered during a call, or that a call has waited for."""
    picture: TakenPicture | None = None
    """The last screenshot."""
    held: Held = field(default_factory=Held)
    is_covered: bool = False
    """Whether a browser window covered the tab at the last check (``call/covered.py``)."""
    input_at: float = 0.0
    """When the last action with input to this tab began, in wall-clock seconds."""
    console_read: LogCursor = field(default_factory=LogCursor)
    network_read: LogCursor = field(default_factory=LogCursor)
    callers_network: bool = False
    """Whether the caller's raw commands have changed the tab's ``Network`` domain."""

    def iframes_in(self, world: ExecutionContext) -> Iframes:
        """Return the known iframe elements of a world's document."""
        known = self.iframes.get(world.frame_id)
        return known if known and known.world == world.unique_id else Iframes(world.unique_id)

    def forget_gone(self, state: SupervisorState, *, is_ready: bool) -> None:
        """Forget frames that no longer exist. Keep their outlines while the tab is not ready."""
        if is_ready:
            _keep(self.outlines, {None, *state.frames})
        _keep(self.iframes, state.frames)
        _keep(self.given_up, state.sessions)


def _keep(kept: dict[Any, Any], existing: Collection[str | None]) -> None:
    for gone in kept.keys() - existing:
        del kept[gone]

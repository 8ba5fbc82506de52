"""Tab memory: what a task remembers of one tab, as long as the tab is open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tabwarden.page.task.effect_watch import EffectWatch
from tabwarden.page.text import LastOutline
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.state import SupervisorState

BUTTONS = {"left": 1, "right": 2, "middle": 4}
"""The bits of ``Input.dispatchMouseEvent``'s ``buttons``."""


class View(msgspec.Struct, frozen=True):
    """Where a tab is scrolled to, and its size, in CSS pixels."""

    x: float
    y: float
    """The page's point at the left top corner of what is visible."""
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
    """The tab's document at that time."""
    width: int
    height: int
    """In pixels of the picture."""
    x: float
    y: float
    """The page's point at the picture's left top corner, in CSS pixels."""
    scale: float
    """Pixels of the picture per CSS pixel."""
    of_page: bool
    """Whether it shows more than the viewport. Then its points stay valid after a scroll."""
    view: View


@dataclass(slots=True)
class Held:
    """The mouse buttons and keys that the agent holds down in a tab, and where its mouse is."""

    at: tuple[float, float] | None = None
    """In CSS pixels of the viewport; None before the first move of ``browser_mouse``."""
    buttons: int = 0
    modifiers: int = 0

    @property
    def button(self) -> str:
        """Return the name of a held button; ``none`` if no button is held."""
        return next((name for name, bit in BUTTONS.items() if self.buttons & bit), "none")


@dataclass(slots=True)
class TabMemory:
    """Use it on the engine loop. Other threads may look up one entry."""

    outlines: dict[str | None, LastOutline] = field(default_factory=dict)
    """The last outlines by frame, None for the whole tab: for ``diff``, and for pages that can't be
    read."""
    owners: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """Each frame's iframe element: ``frame_id`` to (parent frame, world, local id)."""
    given_up: dict[str, bool] = field(default_factory=dict)
    """The sessions of frames that did not answer in time; True if they have answered since."""
    last_input: EffectWatch | None = None
    drawn_document: str | None = None
    """The document that a call has waited for, or has seen drawn."""
    picture: TakenPicture | None = None
    """What the last screenshot shows."""
    held: Held = field(default_factory=Held)
    is_covered: bool = False
    """Whether a window of the browser covered the tab at the last look (``call/covered.py``)."""
    input_at: float = 0.0
    """When the last action began whose input came to the tab, in wall-clock seconds."""
    callers_network: bool = False
    """Raw commands of the caller have set something in the tab's ``Network`` domain."""

    def forget_gone(self, state: SupervisorState, *, is_ready: bool) -> None:
        """Forget frames that no longer exist. Keep their outlines while the tab is not ready."""
        if is_ready:
            _keep(self.outlines, {None, *state.frames})
        _keep(self.owners, state.frames)
        _keep(self.given_up, state.sessions)


def _keep(kept: dict[Any, Any], existing: Collection[str | None]) -> None:
    for gone in kept.keys() - existing:
        del kept[gone]

"""What each tool takes: names, defaults and what is required as that design has them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from tabwarden.surfaces.dialects.form import Fields

__all__ = [
    "MAX_CDP_S",
    "CdpFields",
    "ClickFields",
    "ConsoleFields",
    "DialogFields",
    "NavigateFields",
    "NoFields",
    "PressFields",
    "ScrollFields",
    "SnapshotFields",
    "TypeFields",
]

MAX_CDP_S = 300.0
_MIN_CDP_S = 1.0


def _clamped(seconds: object) -> object:
    if isinstance(seconds, int | float) and not isinstance(seconds, bool):
        return max(_MIN_CDP_S, min(float(seconds), MAX_CDP_S))
    return seconds


Ref = Annotated[str, Field(description="The element's ref from the snapshot: @e5, or e5.")]


class NoFields(Fields):
    """``browser_back``, ``browser_get_images``."""


class NavigateFields(Fields):
    """``browser_navigate``."""

    url: Annotated[str, Field(description="Where to go (https://example.com).")]


class SnapshotFields(Fields):
    """``browser_snapshot``."""

    full: Annotated[bool, Field(description="All of the page, however long.")] = False
    more: Annotated[
        str | None, Field(description="Only a part that was left out, by its name there (m3).")
    ] = None


class ClickFields(Fields):
    """``browser_click``."""

    ref: Ref


class TypeFields(Fields):
    """``browser_type``."""

    ref: Ref
    text: Annotated[str, Field(description="What the field is to hold.")]


class ScrollFields(Fields):
    """``browser_scroll``."""

    direction: Annotated[Literal["up", "down"], Field(description="Which way.")]


class PressFields(Fields):
    """``browser_press``."""

    key: Annotated[str, Field(description="Enter, Tab, Escape, ArrowDown, Control+A, ...")]


class ConsoleFields(Fields):
    """``browser_console``."""

    clear: Annotated[bool, Field(description="Forget the messages after reading.")] = False
    expression: Annotated[
        str | None,
        Field(description="JavaScript to run in the page instead; its value comes back as JSON."),
    ] = None


class DialogFields(Fields):
    """``browser_dialog``."""

    action: Annotated[Literal["accept", "dismiss"], Field(description="OK or Cancel.")]
    prompt_text: Annotated[
        str | None, Field(description="What a prompt returns; empty when left out.")
    ] = None
    dialog_id: Annotated[
        str | None,
        Field(description="Which of pending_dialogs (d-1, ...), when several wait."),
    ] = None


class CdpFields(Fields):
    """``browser_cdp``."""

    method: Annotated[str, Field(description="A CDP method, such as Target.getTargets.")]
    params: Annotated[dict[str, Any] | None, Field(description="Its parameters.")] = None
    target_id: Annotated[
        str | None, Field(description="A tab's target id; the active tab when left out.")
    ] = None
    frame_id: Annotated[
        str | None,
        Field(description="A frame of frame_tree with is_oopif: over its own session."),
    ] = None
    timeout: Annotated[
        float,
        BeforeValidator(_clamped),
        Field(description=f"Seconds it may take, at most {MAX_CDP_S:g}."),
    ] = 30.0

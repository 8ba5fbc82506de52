"""The fields of each tool. Names, defaults and required fields are the same as in Hermes Agent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from tabwarden.dialects.base import Fields
from tabwarden.dialects.hermes.timing import MAX_CDP_S, MIN_CDP_S


def _clamped(seconds: object) -> object:
    if isinstance(seconds, int | float) and not isinstance(seconds, bool):
        return max(MIN_CDP_S, min(float(seconds), MAX_CDP_S))
    return seconds


Ref = Annotated[str, Field(description="The element's ref from the snapshot: @e5, or e5.")]


class NoFields(Fields):
    """``browser_back``, ``browser_get_images``."""


class NavigateFields(Fields):
    """``browser_navigate``."""

    url: Annotated[str, Field(description="URL to open (https://example.com).")]


class SnapshotFields(Fields):
    """``browser_snapshot``."""

    full: Annotated[bool, Field(description="Return the whole page.")] = False
    more: Annotated[str | None, Field(description="Return an omitted part by its name (m3).")] = (
        None
    )


class ClickFields(Fields):
    """``browser_click``."""

    ref: Ref


class TypeFields(Fields):
    """``browser_type``."""

    ref: Ref
    text: Annotated[str, Field(description="Text for the field.")]


class ScrollFields(Fields):
    """``browser_scroll``."""

    direction: Annotated[Literal["up", "down"], Field(description="Which way to scroll.")]


class PressFields(Fields):
    """``browser_press``."""

    key: Annotated[str, Field(description="Enter, Tab, Escape, ArrowDown, Control+A, ...")]


class ConsoleFields(Fields):
    """``browser_console``."""

    clear: Annotated[bool, Field(description="Clear the messages after reading.")] = False
    expression: Annotated[
        str | None,
        Field(description="Instead, run this JavaScript in the page and return its value as JSON."),
    ] = None


class DialogFields(Fields):
    """``browser_dialog``."""

    action: Annotated[Literal["accept", "dismiss"], Field(description="OK or Cancel.")]
    prompt_text: Annotated[str | None, Field(description="Text for a prompt. Default: empty.")] = (
        None
    )
    dialog_id: Annotated[
        str | None,
        Field(description="If several dialogs wait: the id from pending_dialogs (d-1, ...)."),
    ] = None


class CdpFields(Fields):
    """``browser_cdp``."""

    method: Annotated[str, Field(description="A CDP method, such as Target.getTargets.")]
    params: Annotated[dict[str, Any] | None, Field(description="Its parameters.")] = None
    target_id: Annotated[
        str | None, Field(description="A tab's target id. Default: the active tab.")
    ] = None
    frame_id: Annotated[
        str | None,
        Field(description="Send it to this frame. Needs is_oopif in frame_tree."),
    ] = None
    timeout: Annotated[
        float,
        BeforeValidator(_clamped),
        Field(description=f"Time limit in seconds, at most {MAX_CDP_S:g}."),
    ] = 30.0

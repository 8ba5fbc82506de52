"""The fields of each tool. Names, default values and required fields are the same as in Hermes
Agent.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from tabwarden.integrations.dialect import Fields
from tabwarden.integrations.hermes.dialect.timing import MAX_CDP_S, MIN_CDP_S


def _clamped(seconds: object) -> object:
    if isinstance(seconds, int | float) and not isinstance(seconds, bool):
        return max(MIN_CDP_S, min(float(seconds), MAX_CDP_S))
    return seconds


Ref = Annotated[str, Field(description="The element's ref from the snapshot: @e5, or e5.")]


class TabFields(Fields):
    """``browser_back``, ``browser_get_images``, and the common fields of all page tools."""

    tab_id: Annotated[
        str | None,
        Field(description="A tab_id that browser_navigate returned. Default: the active tab."),
    ] = None


class NoFields(Fields):
    """``browser_disconnect``."""


class ConnectFields(Fields):
    """``browser_connect``."""

    url: Annotated[
        str | None,
        Field(description="http://host:port or ws://... Default: a browser on this computer."),
    ] = None


class VisionFields(TabFields):
    """``browser_vision``."""

    question: Annotated[str, Field(description="What you want to know about the page.")]
    annotate: Annotated[
        bool, Field(description="Draw the refs of interactive elements on the screenshot.")
    ] = False


class NavigateFields(Fields):
    """``browser_navigate``."""

    url: Annotated[str, Field(description="URL to open (https://example.com).")]
    tab_id: Annotated[
        str | None,
        Field(
            description="The tab to use, or 'new' for your own tab. Pass the returned tab_id to "
            "the other tools. Default: the active tab."
        ),
    ] = None


class SnapshotFields(TabFields):
    """``browser_snapshot``."""

    full: Annotated[bool, Field(description="Return the whole page.")] = False
    more: Annotated[
        str | None, Field(description="Return the omitted part with this name (m3).")
    ] = None
    user_task: Annotated[
        str | None, Field(description="Ignored: the snapshot is always the page's outline.")
    ] = None


class ClickFields(TabFields):
    """``browser_click``."""

    ref: Ref


class TypeFields(TabFields):
    """``browser_type``."""

    ref: Ref
    text: Annotated[str, Field(description="Text for the field.")]


class ScrollFields(TabFields):
    """``browser_scroll``."""

    direction: Annotated[Literal["up", "down"], Field(description="The direction to scroll in.")]


class PressFields(TabFields):
    """``browser_press``."""

    key: Annotated[str, Field(description="Enter, Tab, Escape, ArrowDown, Control+A, ...")]


class ConsoleFields(TabFields):
    """``browser_console``."""

    clear: Annotated[bool, Field(description="Clear the messages after reading.")] = False
    expression: Annotated[
        str | None,
        Field(description="JavaScript to run in the page instead. Returns its value as JSON."),
    ] = None


class DialogFields(Fields):
    """``browser_dialog``."""

    action: Annotated[Literal["accept", "dismiss"], Field(description="OK or Cancel.")]
    prompt_text: Annotated[str | None, Field(description="Text for a prompt. Default: empty.")] = (
        None
    )
    dialog_id: Annotated[
        str | None,
        Field(description="If several dialogs are open: the id from pending_dialogs (d-1, ...)."),
    ] = None


class CdpFields(TabFields):
    """``browser_cdp``."""

    method: Annotated[str, Field(description="A CDP method, such as Target.getTargets.")]
    params: Annotated[dict[str, Any] | None, Field(description="Its parameters.")] = None
    target_id: Annotated[
        str | None, Field(description="A tab's target id. Default: the active tab.")
    ] = None
    frame_id: Annotated[
        str | None,
        Field(description="The frame that receives the command. is_oopif must be true."),
    ] = None
    timeout: Annotated[
        float,
        BeforeValidator(_clamped),
        Field(description=f"Time limit in seconds, at most {MAX_CDP_S:g}."),
    ] = 30.0

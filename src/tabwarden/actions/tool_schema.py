"""A tool's parameters as a model sees them. They are short but clear, because each token costs
money."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tabwarden.actions.registry import Action
from tabwarden.actions.saving import SAVES

SHARED = """\
Parameters of most tools: ref is an element's ref from the latest snapshot, such as e12, or css=...
or xpath=... matching one visible element. x and y are a point in CSS pixels, instead of ref.
snapshot: diff also returns the changes to the page, full the new outline. frame_id is in the
snapshot. tab_id is a tab such as t1 (default: the active tab). timeout_ms is the limit for the
whole call."""
"""Explains the parameters that many tools share, only once, in the instructions."""

_CLEAR = {
    "action", "amount", "area", "background", "browser", "button", "cancel",
    "color_scheme", "direction", "duration_s", "failed", "filename", "footer", "format", "from_ref",
    "from_x", "from_y", "full_page", "header", "headers", "headless", "height", "http_only", "key",
    "landscape", "level", "limit", "load_state", "locale", "max", "max_chars", "media", "offline",
    "overwrite", "paper", "params", "password", "path", "quality", "reason", "reduced_motion",
    "reset", "same_site", "scale", "secure", "setting", "target_id", "text_gone", "time_s", "times",
    "timezone", "to_ref", "to_x", "to_y", "type", "user_agent", "username", "value", "wait_until",
    "width",
}  # fmt: skip
"""Parameters whose names and values need no explanation. Only ``--help`` describes them."""
_FOR_PROGRAMS = {
    "refs",
    "max_pixels",
    "max_bytes",
    "backend_node_id",
    "user_gesture",
    "css_page_size",
}
"""Parameters that only programs need. They are hidden from models, but a model's calls may still
use them."""
_WITH_GROUP: dict[tuple[str, str], str] = {
    **{
        (f"browser_{tool}", name): "files"
        for tool in ("snapshot", "screenshot", "evaluate")
        for name in ("filename", "overwrite")
    },
    ("browser_snapshot", "boxes"): "vision",
    ("browser_snapshot", "filter"): "pages",
    ("browser_snapshot", "depth"): "pages",
    **{
        ("browser_wait", name): "pages"
        for name in ("script", "frame_id", "ref", "state", "has_text", "any_of")
    },
    ("browser_screenshot", "scale"): "vision",
    ("browser_press", "hold_ms"): "vision",
    ("browser_press", "mode"): "vision",
}
"""Maps parameters (by tool and name) to a group. A model sees such a parameter only if its list
contains all tools of the group. Calls may always use them."""
_SHARED = {"ref", "x", "y", "snapshot", "frame_id", "tab_id", "timeout_ms"}
_CHECKED_LATER = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
"""The limits of a number. A model seldom needs them beforehand, and an error states them."""
_OBVIOUS: tuple[Any, ...] = (False, [], "")


def tool_schema(action: Action, groups: Collection[str]) -> dict[str, Any]:
    """Return the JSON Schema of an action's parameters, for a list with the tools of ``groups``.

    Omits the descriptions of shared and self-explanatory parameters, the limits of numbers, obvious
    defaults, and the parameters that only programs or other groups need. ``Form.check`` still
    accepts and checks all parameters.
    """
    schema = action.schema()
    schema.pop("additionalProperties", None)  # ``Form.check`` says which name was intended
    properties = schema["properties"]
    for name in _FOR_PROGRAMS & properties.keys():
        del properties[name]
    for (tool, name), group in _WITH_GROUP.items():
        if tool == action.tool and group not in groups:
            del properties[name]
    for name, field in properties.items():
        if name in _SHARED or (name in _CLEAR and field.get("description") != SAVES):
            field.pop("description", None)
        if name in _SHARED:
            field.pop("default", None)
        if isinstance(field.get("items"), dict):
            field["items"].pop("additionalProperties", None)
        for key in _CHECKED_LATER & field.keys():
            del field[key]
        if "default" in field and field["default"] in (*_OBVIOUS, *field.get("enum", ())[:1]):
            del field["default"]
    return schema

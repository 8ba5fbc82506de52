"""Format an action's value for a model, without repeating the call's arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.page.text import as_json, cut_json, quoted, shortened

_MOST = 40_000
_LONGEST_SCHEMA = 4_000
_LONGEST_DESCRIPTION = 1_000
_MAKE_FILES = ("download", "network", "pdf", "wait")
_FRAME_ID = 8
_NAME_FRAMES = frozenset(("wait", "inspect"))
"""Actions whose value contains the ID of a frame."""


def frame_words(frame_id: str) -> str:
    """Return a shortened frame id, which calls also accept as ``frame_id``."""
    return frame_id[:_FRAME_ID]


def value_words(value: Any) -> str:
    """Return a value as JSON. A very long value is cut."""
    text = as_json(value)
    if len(text) <= _MOST:
        return text
    return f"{cut_json(text, _MOST)} (truncated from {len(text)} characters: request less)"


def page_tool_lines(value: Mapping[str, Any]) -> list[str]:
    """Describe the output of a page's tool, or the tools that the page offers. All lines are page
    text, so the caller must fence them."""
    if "tools" not in value:
        return [value_words(value.get("output", dict(value)))]
    lines = []
    for tool in value["tools"]:
        schema = cut_json(as_json(tool["schema"]), _LONGEST_SCHEMA) if tool["schema"] else "none"
        words = ", ".join(tool.get("traits", ()))
        frame = frame_words(tool["frame_id"])
        lines.append(
            f"- {quoted(tool['name'])} in frame {frame}{words and f' ({words})'}: "
            f"{shortened(quoted(tool['description']), _LONGEST_DESCRIPTION)} schema: {schema}"
        )
    if value["left_out"]:
        lines.append(f"({value['left_out']} more)")
    return _within(lines) or ["(no tools)"]


def findings_lines(value: Mapping[str, Any]) -> list[str]:
    """Return the findings of an inspection, and the file with the full data."""
    file = value.get("file")
    return [*value["findings"], *([saved_line(file["path"], file["size"])] if file else [])]


def saved_line(path: str, size: int) -> str:
    return f"saved in {quoted(path)}: {size} bytes"


def file_first(action: str, value: Any) -> tuple[list[str], Any]:
    """Return a line with the path of the file that the action created (if any), and the remaining
    part of the action's value."""
    if action not in _MAKE_FILES or not isinstance(value, Mapping):
        return [], value
    within = value.get("download") if action == "wait" else value
    if not isinstance(within, Mapping) or not within.get("path"):
        return [], value
    rest = {name: part for name, part in within.items() if name not in ("path", "size")}
    return [saved_line(within["path"], within["size"])], rest if within is value else {
        **value,
        "download": rest,
    }


def _within(lines: list[str]) -> list[str]:
    """Return as many lines from the start as fit into the limit."""
    kept: list[str] = []
    room = _MOST
    for line in lines:
        room -= len(line)
        if room < 0:
            return [*kept, f"({len(lines) - len(kept)} more: set frame_id)"]
        kept.append(line)
    return kept


def unsaid(action: str, value: Any, arguments: Mapping[str, Any], top: str | None = None) -> Any:
    """Return the part of an action's value that is not in the arguments; None if there is no such
    part.

    Args:
        action, value: the action's name and its value.
        arguments: the arguments of the call.
        top: the id of the tab's main frame, which is left out.
    """
    if action in _NAME_FRAMES and isinstance(value, Mapping) and value.get("frame_id"):
        value = {**value, "frame_id": frame_words(value["frame_id"])}
        if top is not None and value["frame_id"] == frame_words(top):
            del value["frame_id"]
    match action, value:
        case "type", {"value": text, **more} if text == arguments.get("text"):
            return more or None
        case "select", {"selected": labels} if labels == arguments.get("labels"):
            return None
        case "drag", {"kind": "pointer"}:
            return None
        case "fill_form", {"filled": _}:
            return _unsaid_fields(value, arguments) or None
    return value


def _unsaid_fields(value: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that failed, that have a note, or whose value differs from the call's
    value."""
    wanted = {one.get("ref"): one.get("value") for one in arguments.get("fields", ())}
    differ = [
        one
        for one in value["filled"]
        if "note" in one or not _is_same(one.get("value"), wanted.get(one["ref"]))
    ]
    return {name: part for name, part in {**value, "filled": differ}.items() if part}


def _is_same(value: Any, wanted: Any) -> bool:
    if isinstance(value, list) and not isinstance(wanted, list):
        wanted = [wanted]
    is_secret = isinstance(value, str) and value != "" and not value.strip("•")
    return is_secret or bool(value == wanted) or str(value).lower() == str(wanted).lower()

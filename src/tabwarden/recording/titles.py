"""Describe a call or a notice in one line, for the trace viewer, captions and text."""

from __future__ import annotations

import json
from typing import Any

from tabwarden.page.text import bare
from tabwarden.recording.records import Record

_LONGEST = 80
_ABOUT = (
    "url", "text", "key", "script", "direction", "value", "fields", "mode", "action", "name",
    "reason",
)  # fmt: skip
"""The arguments that best describe a call, in order of preference."""

CHANGE_NOTHING = frozenset({
    "snapshot", "screenshot", "scrape", "find", "console", "network", "cookies", "storage",
    "storage_state", "save_storage_state", "highlight", "pdf", "download", "trace",
})  # fmt: skip
"""Calls that don't change the look of the page, so that they need no screenshot."""


def title_of(call: Record) -> str:
    """Describe a call: ``click button "Buy"``. A call by a person begins with their name."""
    words = [f"{bare(call['by'])}:"] if call.get("by") else []
    words.append(str(call["action"]))
    element = call.get("element")
    if element:
        words.append(f"{element.get('role') or 'element'} {_quoted(element.get('name') or '')}")
    arguments = call.get("arguments") or {}
    value = next((arguments[name] for name in _ABOUT if arguments.get(name) is not None), None)
    if value is None and not element:
        value = arguments.get("ref")
    if value is not None:
        words.append(_quoted(value) if isinstance(value, str) else _short(json.dumps(value)))
    return " ".join(words)


def error_of(call: Record) -> str:
    """Return a call's error; "" if it succeeded."""
    if call["status"] in ("failed", "cancelled"):
        return " ".join(filter(None, [call["code"] or call["status"], call["message"]]))
    return ""


def remarks_of(call: Record) -> list[str]:
    """Return remarks about a call: an interruption, an effect, notes, and rescue steps."""
    remarks = [f"rescue: {step}" for step in call.get("steps") or ()]
    if call["status"] == "interrupted" and call.get("message"):
        remarks.append(call["message"])
    if call.get("effect"):
        remarks.append(f"effect: {call['effect']}")
    remarks += [str(call[field]) for field in ("note", "hint") if call.get(field)]
    return remarks


def notice_title(notice: Record) -> str:
    """Return one line about an event in the browser."""
    details: dict[str, Any] = {
        key: value
        for key, value in notice.items()
        if key not in ("type", "at", "kind", "tab_id") and value not in ("", None, False)
    }
    tab = f" in {notice['tab_id']}" if notice.get("tab_id") else ""
    return f"{notice['kind']}{tab}: {_short(json.dumps(details, ensure_ascii=False), 400)}"


def _quoted(text: str) -> str:
    return json.dumps(_short(text), ensure_ascii=False)


def _short(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"

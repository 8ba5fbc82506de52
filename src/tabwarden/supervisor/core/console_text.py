"""The text of a value that a page wrote to the console, as the browser's own tools show it."""

from __future__ import annotations

import json

from tabwarden.protocol import runtime

_COLLECTIONS = (None, "array", "typedarray", "map", "set")
"""The kinds of objects that show their content. Others, such as dates, have a description."""
_MOST = 20
"""The most members of an object to show. The browser itself sends at most 5, or 100 of a list."""


def console_text(value: runtime.RemoteObject) -> str:
    preview = value.preview
    if preview is not None and value.type == "object" and value.subtype in _COLLECTIONS:
        return _content(preview)
    if value.value is not None:
        said = value.value
        return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    if value.subtype == "null":
        return "null"
    return value.description or value.unserializable_value or value.type


def _content(preview: runtime.ObjectPreview) -> str:
    kind = preview.description or "Object"
    shown = preview.properties
    if preview.subtype in ("array", "typedarray"):
        shown = [one for one in shown if one.name.isdigit() or preview.subtype == "array"]
    more = ["…"] if preview.overflow or len(shown) > _MOST else []
    shown = shown[:_MOST]
    if preview.entries is not None:
        pairs = [
            f"{_short(one.key)} => {_short(one.value)}" if one.key else _short(one.value)
            for one in preview.entries
        ]
        return f"{kind} {{{', '.join(pairs + more)}}}"
    if preview.subtype in ("array", "typedarray"):
        values = [
            _value(one) if one.name.isdigit() else f"{one.name}: {_value(one)}" for one in shown
        ]
        return f"[{', '.join(values + more)}]"
    members = ", ".join([*(f"{one.name}: {_value(one)}" for one in shown), *more])
    return f"{{{members}}}" if kind == "Object" else f"{kind} {{{members}}}"


def _value(one: runtime.PropertyPreview) -> str:
    if one.value_preview is not None:
        return _content(one.value_preview)
    if one.value == "Object" and one.type == "object":
        return "{…}"
    return one.value or one.type


def _short(preview: runtime.ObjectPreview) -> str:
    if preview.type == "object" and preview.properties:
        return _content(preview)
    return preview.description or preview.type

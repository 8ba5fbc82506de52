"""Schemas: what answers of this API have, as JSON Schema; for its description of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["SCHEMAS", "answer_schema"]

_TEXT = {"type": "string"}
_OPTIONAL_TEXT = {"type": ["string", "null"]}


def answer_schema(gives: Mapping[str, Any], *, outcome: bool = True) -> dict[str, Any]:
    """The schema of a good answer.

    Args:
        gives: its own properties.
        outcome: whether it says how an action ended, too.
    """
    if outcome and not gives:
        return {"$ref": "#/components/schemas/Outcome"}
    own = {"type": "object", "properties": {"ok": {"const": True}, **gives}}
    if outcome:
        return {"allOf": [{"$ref": "#/components/schemas/Outcome"}, own]}
    return own


_ERROR = {
    "type": "object",
    "required": ["ok", "error", "code", "tabwarden"],
    "properties": {
        "ok": {"const": False},
        "error": {"type": "string", "description": "What happened and what to do next."},
        "code": {"type": "string", "description": "ACT_... on /act, else tabwarden.code."},
        "tabwarden": {
            "type": "object",
            "description": "The error as every surface tells it.",
            "required": ["code", "message", "hint", "data"],
            "properties": {
                "code": _TEXT,
                "message": _TEXT,
                "hint": _TEXT,
                "data": {
                    "type": "object",
                    "description": "Facts for programs: field names the field that is wrong.",
                    "properties": {"field": _TEXT},
                },
            },
        },
    },
}
_PROPERTIES: Mapping[str, Any] = {
    "ok": {"const": True},
    "targetId": _OPTIONAL_TEXT,
    "tabId": _OPTIONAL_TEXT,
    "url": _TEXT,
    "title": _TEXT,
    "note": {"type": "string", "description": "What the reader should know about it."},
    "status": {"const": "interrupted", "description": "Something came between: no error."},
    "by": {"type": "object", "description": "What came between: kind, and what it is."},
    "next": {"type": "string", "description": "What to do about it."},
    "blockedByDialog": {"const": True, "description": "What came between is a dialog."},
    "browserState": {"type": "object", "description": "dialogs.pending: that dialog."},
    "navigation": {"enum": ["new_document", "same_document"]},
    "focus": {"type": "object", "description": "What has the focus: ref, role, name."},
    "snapshot": {"type": "string", "description": "The outline after it, if asked for."},
    "value": {"description": "What the action is for."},
    "newSinceLast": {
        "type": "object",
        "description": "What happened that no answer told yet.",
        "properties": {
            name: {"type": "array", "items": {"type": "object"}}
            for name in (
                "dialogs",
                "tabs",
                "fileChoosers",
                "authChallenges",
                "downloads",
                "notes",
                "consoleErrors",
            )
        },
    },
}
_OUTCOME: Mapping[str, Any] = {
    "type": "object",
    "description": "How an action ended.",
    "required": ["ok"],
    "properties": _PROPERTIES,
}
SCHEMAS: Mapping[str, Any] = {
    "Error": _ERROR,
    "Outcome": _OUTCOME,
    "Act": {
        **_OUTCOME,
        "description": "How it ended; of a batch ok is false when one of its actions failed.",
        "properties": {
            **_PROPERTIES,
            "ok": {"type": "boolean"},
            "result": {"description": "Of evaluate: what the script gave."},
            "results": {
                "type": "array",
                "description": "Of batch: of each action that was tried.",
                "items": {
                    "anyOf": [
                        {"$ref": "#/components/schemas/Act"},
                        {"$ref": "#/components/schemas/Error"},
                    ]
                },
            },
        },
    },
    "Tab": {
        "type": "object",
        "required": ["targetId", "tabId", "url", "title", "active"],
        "properties": {
            "targetId": _TEXT,
            "tabId": {"type": "string", "description": "t1, t2, ...: stays for the tab's life."},
            "suggestedTargetId": {"type": "string", "description": "label, else tabId."},
            "label": {"type": "string", "description": "What a client called it."},
            "type": {"const": "page"},
            "url": _TEXT,
            "title": _TEXT,
            "status": _TEXT,
            "active": {"type": "boolean"},
        },
    },
}
"""By name, in ``components``."""

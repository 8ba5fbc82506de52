"""The JSON Schemas of this API's responses, for the OpenAPI description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.control_api import camel
from tabwarden.supervisor.core.prompts import PROMPT_KINDS

_TEXT = {"type": "string"}
OBJECTS = {"type": "array", "items": {"type": "object"}}
_OPTIONAL_TEXT = {"type": ["string", "null"]}


def answer_schema(gives: Mapping[str, Any], *, outcome: bool = True) -> dict[str, Any]:
    """Return the schema of a successful response: ``gives`` plus, by default, an action's
    outcome.
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
        "code": {
            "type": "string",
            "description": "On /act: a code that begins with ACT_. Otherwise: the same as "
            "`tabwarden.code`.",
        },
        "tabwarden": {
            "type": "object",
            "description": "The error in the format that all interfaces (CLI, HTTP, MCP, "
            "Python) use.",
            "required": ["code", "message", "hint", "data"],
            "properties": {
                "code": _TEXT,
                "message": _TEXT,
                "hint": _TEXT,
                "data": {
                    "type": "object",
                    "description": "Details for programs. `field` is the name of the invalid "
                    "field.",
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
    "note": {"type": "string", "description": "A note about the result."},
    "status": {
        "const": "interrupted",
        "description": "Whether something interrupted the action. This is not an error.",
    },
    "by": {"type": "object", "description": "The interruption: its kind and details."},
    "next": {"type": "string", "description": "The next step."},
    "blockedByDialog": {"const": True, "description": "Whether a dialog interrupted the action."},
    "browserState": {"type": "object", "description": "`dialogs.pending` contains the dialog."},
    "navigation": {"enum": ["new_document", "same_document"]},
    "httpStatus": {
        "type": "integer",
        "description": "The HTTP status of the new document, if known.",
    },
    "focus": {"type": "object", "description": "The focused element: ref, role, name."},
    "snapshot": {"type": "string", "description": "The outline after the action, if requested."},
    "value": {"description": "The action's result."},
    "newSinceLast": {
        "type": "object",
        "description": "Events that no response has reported yet.",
        "properties": {
            name: {"type": "array", "items": {"type": "object"}}
            for name in (
                "dialogs",
                "tabs",
                *map(camel, PROMPT_KINDS),
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
        "description": "The outcome. For a batch, `ok` is false if an action failed.",
        "properties": {
            **_PROPERTIES,
            "ok": {"type": "boolean"},
            "result": {"description": "For evaluate: the script's value."},
            "results": {
                "type": "array",
                "description": "For batch: one result per attempted action.",
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
            "tabId": {
                "type": "string",
                "description": "The tab's id (t1, t2, ...), which never changes.",
            },
            "suggestedTargetId": {
                "type": "string",
                "description": "The label if the tab has one, otherwise `tabId`.",
            },
            "label": {"type": "string", "description": "The name that a client gave to the tab."},
            "type": {"const": "page"},
            "url": _TEXT,
            "title": _TEXT,
            "status": _TEXT,
            "active": {"type": "boolean"},
        },
    },
}
"""The schemas, keyed by their names in ``components``."""

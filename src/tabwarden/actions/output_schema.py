"""The JSON Schema of a response's data, derived from the types of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tabwarden.actions.registry import Action
from tabwarden.page import ActionResult, Snapshot
from tabwarden.results import Picture

_ERROR = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "hint": {"type": "string"},
                "data": {"type": "object"},
            },
            "required": ["code", "message", "hint", "data"],
        }
    },
    "required": ["error"],
}
_RESULTS = (ActionResult, Snapshot)
"""Types whose output has every key, even if its value is the default."""
_NOT_ALWAYS = {"pending_dialogs", "recent_dialogs", "frame_tree", "unknown"}
"""Keys that a snapshot does not have if the endpoint can't provide their values."""
_WHOLE = (Snapshot, Picture)
"""Types of responses that are not an ``ActionResult``."""


def output_schema(*actions: Action) -> dict[str, Any]:
    """Return the schema of ``Answer.data`` for these actions."""
    types: list[Any] = []
    for action in actions:
        types += action.gives if isinstance(action.gives, tuple) else (action.gives,)
    made, definitions = _components((*_RESULTS, *types))
    for always in _RESULTS:
        definitions[always.__name__]["required"] = [
            name for name in always.__struct_fields__ if name not in _NOT_ALWAYS
        ]
    definitions[Snapshot.__name__]["properties"].pop("unknown", None)
    values = dict(zip(types, made[len(_RESULTS) :], strict=True))
    of_action = definitions[ActionResult.__name__]["properties"]
    of_action["value"] = _or_null(*(schema for one, schema in values.items() if one not in _WHOLE))
    # This field has the schema of browser_snapshot's result, so only that tool describes it.
    shows = any("snapshot" in action.parameters.model_fields for action in actions)
    of_action["snapshot"] = _or_null({"type": "object"}) if shows else _or_null()
    results = [schema for one, schema in values.items() if one in _WHOLE]
    if len(results) < len(values):
        results.insert(0, made[_RESULTS.index(ActionResult)])
    return _either([*results, _ERROR], definitions)


def schema_of(types: Sequence[Any], failed: dict[str, Any] = _ERROR) -> dict[str, Any]:
    """Return the schema of a response: one of ``types``, or an error with the schema ``failed``."""
    made, definitions = _components(types)
    return _either([*made, failed], definitions)


def _components(types: Sequence[Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the types' schemas, and the definitions that these schemas refer to."""
    made, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    return list(made), {name: _plain(part) for name, part in parts.items()}


def _either(results: list[dict[str, Any]], definitions: dict[str, Any]) -> dict[str, Any]:
    used = _reached(results, definitions)
    return {
        "type": "object",
        "anyOf": results,
        "$defs": {name: part for name, part in definitions.items() if name in used},
    }


def _or_null(*schemas: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that also allows null. ``{}`` already allows any value."""
    null = {"type": "null"}
    others = [schema for schema in schemas if schema != null]
    if {} in others:
        return {}
    return {"anyOf": [*others, null]} if others else null


def _plain(part: dict[str, Any]) -> dict[str, Any]:
    """Return a definition without titles, descriptions and defaults. Titles and descriptions are
    for readers of the code."""
    plain = {key: value for key, value in part.items() if key not in ("title", "description")}
    plain["properties"] = {
        name: {key: value for key, value in field.items() if key != "default"}
        for name, field in part["properties"].items()
    }
    return plain


def _reached(schema: Any, definitions: dict[str, Any]) -> set[str]:
    """Return the names of all definitions that ``schema`` refers to, even indirectly."""
    names: set[str] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions and name not in names:
                names.add(name)
                waiting.append(definitions[name])
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return names

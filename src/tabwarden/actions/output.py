"""Output: JSON Schema of what an action's answers carry as data, made from the types of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tabwarden.actions.registry import Action
from tabwarden.actions.values import Picture
from tabwarden.page import ActionResult, Snapshot

__all__ = ["output_schema", "schema_of"]

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
"""Whose keys all come, whether or not they have a default."""
_WHOLE = (Snapshot, Picture)
"""What stands in the place of an ``ActionResult``."""


def output_schema(*actions: Action) -> dict[str, Any]:
    """The schema of ``Answer.data`` of any of these actions: a result, an interruption, or
    ``{"error": ...}``."""
    given: list[Any] = []
    for action in actions:
        given += action.gives if isinstance(action.gives, tuple) else (action.gives,)
    made, definitions = _components((*_RESULTS, *given))
    for always in _RESULTS:
        definitions[always.__name__]["required"] = list(always.__struct_fields__)
    values = dict(zip(given, made[len(_RESULTS) :], strict=True))
    of_action = definitions[ActionResult.__name__]["properties"]
    of_action["value"] = _or_null(*(schema for one, schema in values.items() if one not in _WHOLE))
    # As browser_snapshot's own: told once, not with every tool.
    shows = any("snapshot" in action.parameters.model_fields for action in actions)
    of_action["snapshot"] = _or_null({"type": "object"}) if shows else _or_null()
    results = [schema for one, schema in values.items() if one in _WHOLE]
    if len(results) < len(values):
        results.insert(0, made[_RESULTS.index(ActionResult)])
    return _either([*results, _ERROR], definitions)


def schema_of(types: Sequence[Any], failed: dict[str, Any]) -> dict[str, Any]:
    """The schema of answers that are of one of some types, or that say what failed.

    Args:
        types: of good answers.
        failed: the schema of the others.
    """
    made, definitions = _components(types)
    return _either([*made, failed], definitions)


def _components(types: Sequence[Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The schemas of some types, and the definitions that these point to."""
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
    """One of these, or null; ``{}`` is anything, null too."""
    null = {"type": "null"}
    others = [schema for schema in schemas if schema != null]
    if {} in others:
        return {}
    return {"anyOf": [*others, null]} if others else null


def _plain(part: dict[str, Any]) -> dict[str, Any]:
    """A definition without what the code says of itself."""
    shown = {key: value for key, value in part.items() if key not in ("title", "description")}
    shown["properties"] = {
        name: {key: value for key, value in field.items() if key != "default"}
        for name, field in part["properties"].items()
    }
    return shown


def _reached(schema: Any, definitions: dict[str, Any]) -> set[str]:
    """The names of the definitions that a schema leads to."""
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        now = waiting.pop()
        if isinstance(now, dict):
            name = str(now.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions and name not in found:
                found.add(name)
                waiting.append(definitions[name])
            waiting.extend(now.values())
        elif isinstance(now, list):
            waiting.extend(now)
    return found

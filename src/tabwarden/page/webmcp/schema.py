"""Summarize the schema for the arguments of a page's tool, and check arguments.

Only the outer level is checked: names, types and enumerations. The page controls the schema. A
complete validator would follow the page's references and run its regular expressions, which may
never end. The page checks the rest itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.page.text import as_json, cut_json, quoted, shortened
from tabwarden.protocol import repair_surrogates
from tabwarden.supervisor.core.state.tabs import PageTool

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
_MOST_PARAMETERS = 8
_MOST_VALUES = 6
_LONGEST_NAME = 40
_LONGEST_VALUE = 30


class Schema(msgspec.Struct, frozen=True):
    """The outer level of a JSON Schema."""

    properties: Mapping[str, Any] = {}
    required: tuple[str, ...] = ()
    is_closed: bool = False
    """Whether the tool accepts no arguments other than those in the schema."""


def schema_of(tool: PageTool) -> Schema:
    """Return a tool's schema. Ignore invalid parts."""
    try:
        schema = msgspec.json.decode(repair_surrogates(tool.schema)) if tool.schema else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        schema = {}
    if not isinstance(schema, dict):
        schema = {}
    properties, required = schema.get("properties"), schema.get("required")
    return Schema(
        properties if isinstance(properties, dict) else {},
        tuple(one for one in required if isinstance(one, str))
        if isinstance(required, list)
        else (),
        # A form has no further fields, even if the schema allows further arguments.
        is_closed=schema.get("additionalProperties") is False or tool.is_form,
    )


def parameters(tool: PageTool) -> str:
    """Return a summary of the parameters: ``("a": number, "kind"?: "x" | "y")``."""
    if tool.schema_dropped:
        return "(its schema is too long to read)"
    schema = schema_of(tool)
    listed = [
        f"{_name(name)}{'' if name in schema.required else '?'}: {_type(about)}"
        for name, about in list(schema.properties.items())[:_MOST_PARAMETERS]
    ]
    others = len(schema.properties) - len(listed)
    return f"({', '.join([*listed, *([f'{others} more'] if others else [])])})"


def check(tool: PageTool, arguments: Mapping[str, Any]) -> None:
    """Check arguments before they are sent to the page.

    Raises:
        InvalidArgument: an argument is missing, unknown or of the wrong type; ``field`` names it.
    """
    schema = schema_of(tool)
    hint = f"{quoted(tool.name)} has these arguments: {parameters(tool)}."
    for name in schema.required:
        if name not in arguments:
            raise InvalidArgument(f"The argument {_name(name)} is missing.", hint, field=_at(name))
    for name, value in arguments.items():
        about = schema.properties.get(name)
        if about is None and schema.is_closed:
            raise InvalidArgument(f"The tool has no argument {_name(name)}.", hint, field=_at(name))
        if isinstance(about, dict) and not _fits(value, about):
            shortened_value = cut_json(as_json(value), 100)
            raise InvalidArgument(
                f"The argument {_name(name)} must be {_type(about)}, not {shortened_value}.",
                hint,
                field=_at(name),
            )


def _at(name: str) -> str:
    return f"arguments.{name[:_LONGEST_NAME]}"


def _name(name: str) -> str:
    return shortened(quoted(name), _LONGEST_NAME)


def _types(about: Mapping[str, Any]) -> list[str]:
    kind = about.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return [one for one in kinds if isinstance(one, str) and one in _TYPES]


def _type(about: Any) -> str:
    if not isinstance(about, dict):
        return "any"
    values = about.get("enum")
    if isinstance(values, list) and values:
        listed = [cut_json(as_json(one), _LONGEST_VALUE) for one in values[:_MOST_VALUES]]
        return " | ".join([*listed, *(["…"] if len(values) > _MOST_VALUES else [])])
    return " | ".join(_types(about)[:_MOST_VALUES]) or "any"


def _fits(value: Any, about: Mapping[str, Any]) -> bool:
    values, types = about.get("enum"), _types(about)
    if isinstance(values, list) and values and value not in values:
        return False
    return not types or any(_is(value, one) for one in types)


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):  # in Python, bool is a number
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[kind])

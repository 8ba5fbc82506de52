"""The configuration's JSON Schema, and functions that look up a key's properties in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from tabwarden.config.model import Config

_Node = Mapping[str, Any]


@cache
def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of a configuration file, for editors."""
    schema = Config.model_json_schema()
    for section in schema["properties"].values():
        section.pop("default")  # redundant: each key in the section has its own default
    for model in (schema, *schema["$defs"].values()):
        for field in model["properties"].values():
            field.pop("title", None)  # repeats the key's name
            # Pydantic's schema also allows keys that match no pattern
            if "patternProperties" in field:
                field["additionalProperties"] = False
    about = (
        "Tabwarden's configuration file. Environment variables (TABWARDEN_SECTION__KEY) override "
        "this file."
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Tabwarden",
        "description": about,
    }


def node_at(keys: Sequence[str]) -> _Node | None:
    """Return the schema of the value at ``keys``; None if there is no such key."""
    node: _Node = config_schema()
    for key in keys:
        below = (_below(one, key) for one in _alternatives(node))
        child = next((one for one in below if one is not None), None)
        if child is None:
            return None
        node = child
    return node


def names_at(keys: Sequence[str]) -> list[str]:
    """Return the names allowed below ``keys``; [] if any name is allowed or no name is allowed."""
    node = node_at(keys)
    if node is None:
        return []
    return [name for one in _alternatives(node) for name in _names(one)]


def is_secret(keys: Sequence[str]) -> bool:
    """Whether the value at ``keys`` is a secret, which must never be shown."""
    node = node_at(keys)
    return node is not None and any(one.get("writeOnly") for one in _alternatives(node))


def holds_secret(values: Mapping[str, Any], keys: tuple[str, ...] = ()) -> bool:
    """Whether ``values``, the content at ``keys``, contains a secret."""
    for name, value in values.items():
        path = (*keys, str(name))
        if isinstance(value, Mapping):
            if holds_secret(value, path):
                return True
        elif value is not None and is_secret(path):
            return True
    return False


def accepted(node: _Node) -> str:
    """Describe the allowed values, such as "auto, xhr or native"; "" if there is no short
    description.
    """
    return " or ".join(dict.fromkeys(filter(None, map(_description, _alternatives(node)))))


def is_scalar(node: _Node) -> bool:
    """Whether the key's value is always a scalar, never a mapping or a list."""
    return all(one.get("type") not in {"object", "array"} for one in _alternatives(node))


def takes_text_only(node: _Node) -> bool:
    """Whether the key accepts only text, including text that looks like a number."""
    kinds = {one.get("type") for one in _alternatives(node)} - {"null"}
    return kinds == {"string"} and not any("enum" in one for one in _alternatives(node))


def _description(node: _Node) -> str:
    if "enum" in node:
        *rest, last = map(str, node["enum"])
        return f"{', '.join(rest)} or {last}" if rest else last
    if "const" in node:
        return str(node["const"])
    kind = node.get("type")
    if kind in {"number", "integer"}:
        return f"a {'whole ' if kind == 'integer' else ''}number{_bounds(node)}"
    if kind == "string":
        return {"path": "a path", "password": "text (never shown)"}.get(
            node.get("format", ""), "text"
        )
    if kind == "array":
        return f"a list of {accepted(node.get('items', {})) or 'values'}"
    return {"boolean": "true or false", "null": "null", "object": "a mapping"}.get(str(kind), "")


def _bounds(node: _Node) -> str:
    phrases = {
        "exclusiveMinimum": "more than",
        "minimum": "at least",
        "exclusiveMaximum": "less than",
        "maximum": "at most",
    }
    bounds = [f"{words} {node[name]:,.15g}" for name, words in phrases.items() if name in node]
    return f", {', '.join(bounds)}" if bounds else ""


def _alternatives(node: _Node) -> Iterator[_Node]:
    """Yield each alternative (``anyOf``) of a schema, with references resolved."""
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        yield from _alternatives(config_schema()["$defs"][name])
    elif "anyOf" in node:
        for one in node["anyOf"]:
            yield from _alternatives(one)
    else:
        yield node


def _names(node: _Node) -> list[str]:
    return [*node.get("properties", ()), *node.get("propertyNames", {}).get("enum", ())]


def _below(node: _Node, key: str) -> _Node | None:
    child: _Node | None = node.get("properties", {}).get(key)
    if child is not None:
        return child
    free = node.get("additionalProperties")
    if isinstance(free, Mapping) and key in (_names(node) or [key]):
        return free
    patterns: Mapping[str, _Node] = node.get("patternProperties", {})
    return next(iter(patterns.values()), None)

"""JavaScript values as ``Runtime.evaluate`` returns them by value, which Hermes expects."""

from __future__ import annotations

from typing import Any, NamedTuple

_OWN_TYPES = {"bigint", "function", "symbol", "undefined", "number"}
"""The kinds of described values whose ``typeof`` is not ``object``."""


class RuntimeValue(NamedTuple):
    value: Any
    type: str
    """``typeof`` of the value."""


def runtime_value(value: Any) -> RuntimeValue:
    """Return a value from ``browser_evaluate`` in the format of ``Runtime.evaluate``.

    An element becomes ``{}``, as do dates, maps and similar objects. ``Infinity`` becomes the
    string "Infinity". ``null`` can't be distinguished from ``undefined`` here, and is treated as
    ``undefined``.
    """
    kind = _described(value)
    if kind in ("number", "symbol"):
        return RuntimeValue(value["value"], kind)
    if kind == "bigint":
        return RuntimeValue(f"{value['value']}n", kind)
    if kind is not None:
        return RuntimeValue({}, kind if kind in _OWN_TYPES else "object")
    return RuntimeValue(_plain(value), _type_of(value))


def _described(value: Any) -> str | None:
    if isinstance(value, dict) and value.keys() == {"$type", "value"}:
        return str(value["$type"])
    return None


def _plain(value: Any) -> Any:
    """Return the properties of a value that JSON.stringify would keep."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind = _described(value)
    if kind in ("number", "bigint", "function", "symbol", "undefined"):
        return None
    if kind is not None:
        return {}
    return {
        name: _plain(item)
        for name, item in value.items()
        if _described(item) not in ("function", "symbol", "undefined")
    }


def _type_of(value: Any) -> str:
    if value is None:
        return "undefined"
    for kind, name in ((bool, "boolean"), (int | float, "number"), (str, "string")):
        if isinstance(value, kind):
            return name
    return "object"

"""Names in camelCase, for HTTP clients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def camel(name: str) -> str:
    """Convert ``snake_case`` to camelCase."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def camel_keys(value: Any) -> Any:
    """Convert all keys to camelCase, at any depth. Only for values whose keys are ours, not a
    page's.
    """
    if isinstance(value, Mapping):
        return {camel(str(key)): camel_keys(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [camel_keys(below) for below in value]
    return value

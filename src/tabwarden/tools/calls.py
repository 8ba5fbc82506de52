"""Calls: what a model asked for, as each API says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument

__all__ = ["Arguments", "Call", "arguments_of", "field_of"]

Arguments = Mapping[str, Any] | str | None
"""A call's arguments: an object, its JSON text, or nothing."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call of a model."""

    id: str
    """The API's, which the result names; "" where it has none."""
    name: str
    arguments: Arguments = None


def arguments_of(given: Arguments) -> dict[str, Any]:
    """Arguments as an object, whichever way a model's API gives them.

    Raises:
        InvalidArgument: not JSON, or no object.
    """
    read: Any = given
    if isinstance(given, str):
        try:
            read = json.loads(given) if given.strip() else {}
        except ValueError as error:
            raise InvalidArgument(
                f"The arguments are not JSON: {error}.",
                "Call it again with a JSON object.",
                field="arguments",
            ) from None
    if read is None:
        return {}
    if not isinstance(read, Mapping):
        raise InvalidArgument(
            f"The arguments are {type(read).__name__}, not an object.",
            'Call it again with a JSON object, such as {"url": "https://example.com"}.',
            field="arguments",
        )
    return dict(read)


def field_of(thing: Any, name: str, default: Any = None) -> Any:
    """A field of what an API answers: a dictionary's key, or an SDK object's attribute."""
    if isinstance(thing, Mapping):
        return thing.get(name, default)
    return getattr(thing, name, default)

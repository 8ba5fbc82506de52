"""A model's tool calls, in the form of any API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument

Arguments = Mapping[str, Any] | str | None
"""A call's arguments: an object, its JSON text, or nothing."""


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """A model's tool call."""

    id: str
    """The API's id for the call; "" if it has no id. The result must repeat the id."""
    name: str
    arguments: Arguments = None


def arguments_of(given: Arguments) -> dict[str, Any]:
    """Return the arguments as an object. Raise InvalidArgument if they are not a JSON object."""
    read: Any = given
    if isinstance(given, str):
        try:
            read = json.loads(given) if given.strip() else {}
        except ValueError as error:
            raise InvalidArgument(
                f"The arguments are not valid JSON: {error}.",
                "Call the tool again with a JSON object.",
                field="arguments",
            ) from None
    if read is None:
        return {}
    if not isinstance(read, Mapping):
        raise InvalidArgument(
            f"The arguments must be a JSON object, not {type(read).__name__}.",
            'Call the tool again with a JSON object, such as {"url": "https://example.com"}.',
            field="arguments",
        )
    return dict(read)


def field_of(thing: Any, name: str, default: Any = None) -> Any:
    """Return a field of an API's reply, which may be a dictionary or an SDK object."""
    if isinstance(thing, Mapping):
        return thing.get(name, default)
    return getattr(thing, name, default)

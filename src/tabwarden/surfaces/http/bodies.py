"""Bodies: what a client sent, read within bounds of size and time, as a JSON object."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request

from tabwarden.errors import Cancelled, InvalidArgument

__all__ = ["MAX_BYTES", "BodyTooLarge", "NotJson", "fields_of"]

MAX_BYTES = 4 * 1024 * 1024
"""Longest body that is read."""
_READ_S = 20.0
"""How long a client may take to send it."""


class BodyTooLarge(InvalidArgument):
    """More than ``MAX_BYTES``."""

    def __init__(self) -> None:
        super().__init__(
            f"The body is longer than {MAX_BYTES} bytes.", "Send less at once.", field="body"
        )


class NotJson(InvalidArgument):
    """A body of another type."""


async def fields_of(request: Request, in_query: Collection[str] = ()) -> dict[str, Any]:
    """What a client gave: of a POST the JSON object in its body, else its query without ``task``.

    Args:
        request: the client's.
        in_query: fields of a POST that may stand in the query too.

    Raises:
        BodyTooLarge: it is.
        NotJson: the body says that it is something else.
        InvalidArgument: no JSON object, or it did not come in time; a field given twice, or in the
            wrong place.
        Cancelled: the client hung up.
    """
    query = _fields_of_query(request)
    body = await _object_of(request)
    given, elsewhere = (body, query) if request.method == "POST" else (query, body)
    for name in [name for name in in_query if name in query and name not in body]:
        body[name] = query.pop(name)
    for name in elsewhere:
        place = "body" if request.method == "POST" else "query"
        raise InvalidArgument(
            f"{name} is not where this request has its fields.",
            f"Give it in the {place}; only task (or profile) is always in the query.",
            field=name,
        )
    return given


async def _object_of(request: Request) -> dict[str, Any]:
    """The JSON object in a request's body; an empty body is an empty object.

    Raises:
        BodyTooLarge: it is.
        InvalidArgument: it is no JSON, no object, or did not come in time.
        Cancelled: the client hung up.
    """
    try:
        async with asyncio.timeout(_READ_S):
            body = await _bytes_of(request)
    except TimeoutError:
        raise InvalidArgument(
            f"The body did not arrive within {_READ_S:.0f} s.",
            "Send as many bytes as Content-Length says.",
            field="body",
        ) from None
    except ClientDisconnect:
        raise Cancelled("The HTTP client disconnected before it had sent its body.") from None
    if not body:
        return {}
    _check_type(request.headers.get("content-type", ""))
    try:
        read = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidArgument(
            f"The body is not JSON: {error}.", 'Send an object: {"name": value}.', field="body"
        ) from None
    if not isinstance(read, dict):
        raise InvalidArgument(
            "The body is JSON, but not an object.", 'Send one: {"name": value}.', field="body"
        )
    return read


def _check_type(content_type: str) -> None:
    """A body without a type is taken for JSON.

    Raises:
        NotJson: it is called something else.
    """
    named, _, parameters = content_type.lower().partition(";")
    kind, parameters = named.strip(), parameters.replace(" ", "").replace('"', "")
    is_json = kind in ("", "application/json") or kind.endswith("+json")
    if not is_json or ("charset=" in parameters and "charset=utf-8" not in parameters):
        raise NotJson(
            f"The body is {content_type[:100]!r}, not JSON.",
            "Send Content-Type: application/json (curl --json).",
            field="Content-Type",
        )


async def _bytes_of(request: Request) -> bytes:
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > MAX_BYTES:
        raise BodyTooLarge
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BYTES:
            raise BodyTooLarge
    return bytes(body)


def _fields_of_query(request: Request) -> dict[str, Any]:
    """The fields in a request's query, without the name of its task.

    Raises:
        InvalidArgument: one is given twice.
    """
    fields: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in fields:
            raise InvalidArgument(f"{name} is given twice.", "Give it once.", field=name)
        fields[name] = value
    return {name: value for name, value in fields.items() if name not in ("task", "profile")}

"""Bodies: what a client sent, read within bounds of size and time, as a JSON object."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request

from tabwarden.errors import Cancelled, InvalidArgument

__all__ = ["MAX_BYTES", "BodyTooLarge", "fields_of"]

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


async def fields_of(request: Request) -> dict[str, Any]:
    """What a client gave: of a POST the JSON object in its body, else its query without ``task``.

    Raises:
        BodyTooLarge: it is.
        InvalidArgument: no JSON object, or it did not come in time; a field given twice, or in the
            wrong place.
        Cancelled: the client hung up.
    """
    query = _fields_of_query(request)
    body = await _object_of(request)
    given, elsewhere = (body, query) if request.method == "POST" else (query, body)
    for name in elsewhere:
        place = "body" if request.method == "POST" else "query"
        raise InvalidArgument(
            f"{name} is not where this request has its fields.",
            f"Give it in the {place}; only task is always in the query.",
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
    """The fields in a request's query, without ``task``.

    Raises:
        InvalidArgument: one is given twice.
    """
    fields: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in fields:
            raise InvalidArgument(f"{name} is given twice.", "Give it once.", field=name)
        fields[name] = value
    fields.pop("task", None)
    return fields

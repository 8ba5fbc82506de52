"""Read a request's body as a JSON object, with limits for its size and time."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request

from tabwarden.digits import whole_number
from tabwarden.errors import Cancelled, InvalidArgument
from tabwarden.surfaces.http.timing import BODY_S

MAX_BYTES = 4 * 1024 * 1024
"""Maximum length of a body."""


class BodyTooLarge(InvalidArgument):
    def __init__(self) -> None:
        super().__init__(
            f"The body exceeds {MAX_BYTES} bytes.", "Send less per request.", field="body"
        )


class NotJson(InvalidArgument):
    """The body's content type is not JSON."""


async def fields_of(request: Request, in_query: Collection[str] = ()) -> dict[str, Any]:
    """Return the client's fields: a POST's JSON object, otherwise the query without ``task``.

    Args:
        in_query: the fields of a POST that may also be in the query.

    Raises:
        InvalidArgument: the body is too long, is not a JSON object, or arrived too late; or a field
            is given twice or in the wrong place.
        Cancelled: the client disconnected.
    """
    query = fields_in_query(request)
    body = await _object_of(request)
    given, elsewhere = (body, query) if request.method == "POST" else (query, body)
    for name in [name for name in in_query if name in query and name not in body]:
        body[name] = query.pop(name)
    for name in elsewhere:
        place = "body" if request.method == "POST" else "query"
        raise InvalidArgument(
            f"{name} is in the wrong place for this request.",
            f"Put it in the {place}. Only task (or profile) always belongs in the query.",
            field=name,
        )
    return given


async def _object_of(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request's body; ``{}`` if the body is empty."""
    try:
        async with asyncio.timeout(BODY_S):
            body = await _bytes_of(request)
    except TimeoutError:
        raise InvalidArgument(
            f"The body did not arrive within {BODY_S:.0f} s.",
            "Send the number of bytes in Content-Length.",
            field="body",
        ) from None
    except ClientDisconnect:
        raise Cancelled("The HTTP client disconnected before it sent its body.") from None
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
            "The body is JSON but not an object.", 'Send an object: {"name": value}.', field="body"
        )
    return read


def _check_type(content_type: str) -> None:
    """Raise ``NotJson`` for any other content type. A body without a type counts as JSON."""
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
    length = whole_number(request.headers.get("content-length", "0"))
    if length is not None and length > MAX_BYTES:
        raise BodyTooLarge
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BYTES:
            raise BodyTooLarge
    return bytes(body)


def fields_in_query(request: Request) -> dict[str, Any]:
    """Return the fields in a request's query, except the name of the task.

    Raises:
        InvalidArgument: a field is given twice.
    """
    fields: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in fields:
            raise InvalidArgument(f"{name} is given twice.", "Give it once.", field=name)
        fields[name] = value
    return {name: value for name, value in fields.items() if name not in ("task", "profile")}

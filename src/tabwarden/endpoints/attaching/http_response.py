"""An HTTP response of limited length, because we may not trust the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import httpx2

MAX_ANSWER_BYTES = 8 * 1024 * 1024
"""Limit for one response after decompression. The responses that we need are a few kilobytes."""


class ResponseTooLong(ValueError):
    """The response is longer than ``MAX_ANSWER_BYTES``."""


class HttpResponse(NamedTuple):
    status_code: int
    headers: Mapping[str, str]
    content: bytes


async def asked(client: httpx2.AsyncClient, method: str, url: str, **given: Any) -> HttpResponse:
    """Send a request and read the response, with the arguments of ``AsyncClient.request``.

    Raises:
        ResponseTooLong: the response is too long. httpx2.HTTPError: see ``AsyncClient.request``.
    """
    content = bytearray()
    async with client.stream(method, url, **given) as response:
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > MAX_ANSWER_BYTES:
                raise ResponseTooLong(f"the response is larger than {MAX_ANSWER_BYTES} bytes")
    return HttpResponse(response.status_code, response.headers, bytes(content))

"""An HTTP answer of bounded length: who answers at an address may be anybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import httpx2

__all__ = ["MAX_ANSWER_BYTES", "Answer", "AnswerTooLong", "asked"]

MAX_ANSWER_BYTES = 8 * 1024 * 1024
"""Of an answer, unpacked; what we ask for takes some kilobytes."""


class AnswerTooLong(ValueError):
    """It goes on after ``MAX_ANSWER_BYTES``."""


class Answer(NamedTuple):
    """What was answered, whole."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes


async def asked(client: httpx2.AsyncClient, method: str, url: str, **given: Any) -> Answer:
    """Send a request and read the answer, which is unpacked as it comes.

    Args:
        client: sends it.
        method: GET, POST, ...
        url: where to.
        given: as of ``AsyncClient.request``.

    Raises:
        AnswerTooLong: it is. httpx2.HTTPError: as ``AsyncClient.request``.
    """
    content = bytearray()
    async with client.stream(method, url, **given) as response:
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > MAX_ANSWER_BYTES:
                raise AnswerTooLong(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
    return Answer(response.status_code, response.headers, bytes(content))

"""Read a body piece by piece, from a browser stream (``IO``) or from a URL that needs no server
(``data:``, or a page's ``blob:``)."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import AsyncGenerator
from urllib.parse import unquote_to_bytes

from tabwarden.errors import InvalidArgument
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone
from tabwarden.protocol import io, runtime
from tabwarden.supervisor.runtime import CommandRefused, Race

_BLOB = "fetch({}).then((response) => response.blob())"
_PIECE = 1 << 18
"""The size of a piece. The browser waits for this many bytes or for the end of the stream, so
progress is reported in steps of this size."""


async def pieces(race: Race, session_id: str, handle: str) -> AsyncGenerator[bytes, None]:
    """Yield the pieces of a stream. Request each piece while the caller handles the previous piece.

    Use this with ``contextlib.aclosing``, because the browser keeps the stream until it is closed.
    Raise ``CommandRefused`` if the stream can't be read to its end.
    """
    read = io.Read(handle=handle, size=_PIECE)
    pending = race.start(read, session_id)
    try:
        while True:
            piece = await race.result(pending)
            if not piece.eof:
                pending = race.start(read, session_id)
            data = piece.data.encode()
            if data:
                yield base64.b64decode(data) if piece.base64_encoded else data
            if piece.eof:
                return
    finally:
        race.supervisor.send(io.Close(handle=handle), session_id)


async def inline_body(call: Call, url: str) -> tuple[str, AsyncGenerator[bytes, None]]:
    """Return the MIME type and body for a ``data:`` or ``blob:`` URL. Raise ``InvalidArgument`` if
    the URL can't be decoded, or if the tab's page has no such blob."""
    if url[:5].lower() == "data:":
        return _decoded(url)
    frame_id = call.state.top_frame_id(call.tab.tab_id)
    try:
        world = await call.task.worlds.of(call.race, frame_id or "")
        fetched = await call.race.call(
            runtime.Evaluate(
                expression=_BLOB.format(json.dumps(url)),
                unique_context_id=world.unique_id,
                await_promise=True,
                silent=True,
            ),
            world.session_id,
        )
        object_id = fetched.result.object_id
        if fetched.exception_details is not None or object_id is None:
            raise _unknown(url)
        described = await call.race.call(
            runtime.CallFunctionOn(
                function_declaration="function () { return this.type }",
                object_id=object_id,
                return_by_value=True,
            ),
            world.session_id,
        )
        blob = await call.race.call(io.ResolveBlob(object_id=object_id), world.session_id)
    except (CommandRefused, WorldGone):
        raise _unknown(url) from None
    kind = described.result.value
    return (
        kind.partition(";")[0] if isinstance(kind, str) else "",
        pieces(call.race, world.session_id, f"blob:{blob.uuid}"),
    )


def _decoded(url: str) -> tuple[str, AsyncGenerator[bytes, None]]:
    head, comma, rest = url[5:].partition(",")
    try:
        if not comma:
            raise ValueError
        body = unquote_to_bytes(rest)
        if head.lower().endswith(";base64"):
            body = base64.b64decode(b"".join(body.split()), validate=True)
    except (ValueError, binascii.Error):
        raise InvalidArgument("This data: URL can't be decoded.", field="url") from None

    async def whole() -> AsyncGenerator[bytes, None]:
        yield body

    return head.partition(";")[0] or "text/plain", whole()


def _unknown(url: str) -> InvalidArgument:
    return InvalidArgument(
        f"This tab's page has no blob {url[:200]!r}.",
        "A blob: URL works only in the page that created it, and only while that page is open. "
        "Give that page's tab_id, or click the element that starts the download.",
        field="url",
    )

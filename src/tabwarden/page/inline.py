"""Bodies that no server sends: what a ``data:`` URL holds, and what a page keeps as a ``blob:``."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import AsyncGenerator
from urllib.parse import unquote_to_bytes

from tabwarden.errors import InvalidArgument
from tabwarden.page.stream import pieces
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone
from tabwarden.protocol import io, runtime
from tabwarden.supervisor import CommandRefused, Race, Tab

__all__ = ["inline_body"]

_BLOB = "fetch({}).then((response) => response.blob())"


async def inline_body(
    task: Task, race: Race, tab: Tab, url: str
) -> tuple[str, AsyncGenerator[bytes, None]]:
    """The MIME type and the body of a ``data:`` or ``blob:`` URL.

    Raises:
        InvalidArgument: it holds nothing, or the tab's page does not know it.
    """
    if url[:5].lower() == "data:":
        return _decoded(url)
    frame_id = task.state.top_frame_id(tab.tab_id)
    try:
        world = await task.worlds.of(race, frame_id or "")
        asked = await race.call(
            runtime.Evaluate(
                expression=_BLOB.format(json.dumps(url)),
                unique_context_id=world.unique_id,
                await_promise=True,
                silent=True,
            ),
            world.session_id,
        )
        object_id = asked.result.object_id
        if asked.exception_details is not None or object_id is None:
            raise _unknown(url)
        described = await race.call(
            runtime.CallFunctionOn(
                function_declaration="function () { return this.type }",
                object_id=object_id,
                return_by_value=True,
            ),
            world.session_id,
        )
        blob = await race.call(io.ResolveBlob(object_id=object_id), world.session_id)
    except (CommandRefused, WorldGone):
        raise _unknown(url) from None
    kind = described.result.value
    return (
        kind.partition(";")[0] if isinstance(kind, str) else "",
        pieces(race, world.session_id, f"blob:{blob.uuid}"),
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
        f"The page of this tab has no {url[:200]!r}.",
        "A blob: URL lives as long as the page that made it, and only there: name its tab, or "
        "click what downloads it.",
        field="url",
    )

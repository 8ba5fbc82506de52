"""The stream of ``GET /events``: a task's events, as server-sent events.

Each event has an id. A client that reconnects with ``Last-Event-ID`` gets the events that it missed
and that are still kept. The first event is always ``state``. ``gap`` reports lost events. ``end``
gives the reason why the server ends the stream. The format:
https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Any

from starlette.types import Receive, Scope, Send

from tabwarden.surfaces.http.streams.events import event_json, name_of
from tabwarden.surfaces.http.streams.feed import Reader
from tabwarden.surfaces.http.timing import HEARTBEAT_S, RETRY_MS, STALLED_S

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),
]


class EventStream:
    """The response, as an ASGI application.

    Args:
        wanted: the names of the events to send. If empty, all events are sent.
        leave: called when the stream ends.
        beat_s: seconds between heartbeats.
    """

    def __init__(
        self,
        reader: Reader,
        wanted: Collection[str],
        state: Callable[[], Mapping[str, Any]],
        leave: Callable[[], None],
        *,
        beat_s: float = HEARTBEAT_S,
    ) -> None:
        self._reader = reader
        self._wanted = wanted
        self._state = state
        self._leave = leave
        self._beat_s = beat_s
        self._is_begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(send, whole=scope["method"] != "HEAD"))
        gone = asyncio.ensure_future(_disconnect(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leave()
            for one in (sending, gone):
                one.cancel()
            ended = await asyncio.gather(sending, gone, return_exceptions=True)
        if sending.cancelled() and self._is_begun:  # the client is gone, or may read no more
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        for error in ended:
            if isinstance(error, Exception) and not isinstance(error, OSError | TimeoutError):
                raise error

    async def _send(self, send: Send, *, whole: bool) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [*_HEADERS]})
        self._is_begun = True
        async for piece in self._pieces() if whole else _nothing():
            async with asyncio.timeout(STALLED_S):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pieces(self) -> AsyncIterator[bytes]:
        reader = self._reader
        yield f"retry: {RETRY_MS}\n\n".encode() + _event("state", self._state(), reader.at)
        while True:
            event = reader.next()
            if reader.missed:
                lost = reader.missed if reader.missed > 0 else None
                reader.missed = 0
                yield _event("gap", {**self._state(), "type": "gap", "missed": lost})
            if event is not None:
                name = name_of(type(event))
                if not self._wanted or name in self._wanted:
                    yield _event(name, event_json(event), reader.at)
            elif reader.feed.ended:
                yield _event("end", {"type": "end", "reason": reader.feed.ended})
                return
            elif not await reader.wait(self._beat_s):
                yield b": still here\n\n"


async def _nothing() -> AsyncIterator[bytes]:
    pieces: tuple[bytes, ...] = ()
    for piece in pieces:
        yield piece


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(name: str, data: Mapping[str, Any], event_id: str = "") -> bytes:
    """Encode one event. The data takes one line, because its JSON has no line breaks."""
    lines = [f"id: {event_id}"] if event_id else []
    lines += [f"event: {name}", f"data: {json.dumps(data, default=str)}"]
    return ("\n".join(lines) + "\n\n").encode()

"""``Connection``: sends commands and receives replies and events of many sessions over one wire."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from tabwarden.wire.base import Wire
from tabwarden.wire.envelope import (
    UNREADABLE,
    Envelope,
    ProtocolError,
    decode_envelope,
    encode_command,
)

log = logging.getLogger("tabwarden.wire")

_REPLY_TO = re.compile(rb'\s*\{\s*"id"\s*:\s*(\d{1,18})\s*,')


class Reply(NamedTuple):
    """The outcome of a command: a result, an error from the browser, or a lost connection."""

    method: str
    result: msgspec.Raw | None
    error: ProtocolError | None
    lost: str | None = None
    """Why no reply will arrive: the wire closed, or the session was detached."""


class _Waiting(NamedTuple):
    method: str
    session_id: str | None
    on_reply: Callable[[Reply], None] | None


class Connection:
    """Sends commands, passes each reply to its caller, and passes events to one listener. Only
    ``send`` and ``forget`` may be called from any thread; call the other methods on the wire's
    thread.

    Args:
        wire: an open wire; the connection starts and owns it.
        on_event: called for each event, inside the read loop; must not await.
        on_close: called once with the reason, after every waiting call has failed.
    """

    def __init__(
        self,
        wire: Wire,
        on_event: Callable[[Envelope], None],
        on_close: Callable[[str], None],
    ) -> None:
        self._wire = wire
        self._on_event = on_event
        self._on_close = on_close
        self._waiting: dict[int, _Waiting] = {}
        self._ids = itertools.count(1)
        self.lost: str | None = None
        """Why the connection ended; None while it is open."""

    def start(self) -> None:
        self._wire.start(self._received, self._closed)

    @property
    def in_flight(self) -> int:
        """The number of commands whose callers are waiting for a reply."""
        return len(self._waiting)

    def send(
        self,
        method: str,
        params: bytes = b"{}",
        session_id: str | None = None,
        on_reply: Callable[[Reply], None] | None = None,
    ) -> int:
        """Send one command without waiting; return its id, for ``forget``. ``on_reply`` is called
        once, inside the read loop. If the connection is already lost, ``on_reply`` is called before
        this method returns. Without ``on_reply``, the reply is ignored."""
        command_id = next(self._ids)
        if self.lost is not None:
            if on_reply is not None:
                on_reply(Reply(method, None, None, self.lost))
            return command_id
        if on_reply is not None:
            self._waiting[command_id] = _Waiting(method, session_id, on_reply)
        self._wire.send(encode_command(command_id, method, params, session_id))
        if self.lost is not None:  # just closed; ``_lose`` lets only one thread report it
            self._lose(command_id, self.lost)
        return command_id

    def forget(self, command_id: int) -> None:
        """Ignore the reply to a command whose caller has stopped waiting."""
        self._waiting.pop(command_id, None)

    async def call(
        self, method: str, params: bytes = b"{}", session_id: str | None = None
    ) -> Reply:
        """Send one command and wait for its reply. The caller must set a time limit."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        def resolve(reply: Reply) -> None:
            if not future.done():
                future.set_result(reply)

        command_id = self.send(method, params, session_id, resolve)
        try:
            return await future
        finally:
            self.forget(command_id)

    def session_ended(self, session_id: str, reason: str) -> None:
        """Fail a closed session's pending calls, because Chrome never responds to them."""
        for command_id, waiting in list(self._waiting.items()):
            if waiting.session_id == session_id:
                self._lose(command_id, reason)

    async def aclose(self) -> None:
        """Close the wire. Waiting calls fail."""
        await self._wire.aclose()

    def _received(self, message: bytes) -> None:
        try:
            envelope = decode_envelope(message)
        except UNREADABLE as error:
            log.warning("dropped an invalid CDP message: %s: %.200r", error, message)
            self._refuse(message, error)
            return
        if envelope.id is None:
            self._on_event(envelope)
            return
        waiting = self._waiting.pop(envelope.id, None)
        if waiting is not None and waiting.on_reply is not None:
            result = envelope.result if envelope.error is None else None
            waiting.on_reply(Reply(waiting.method, result, envelope.error))

    def _refuse(self, message: bytes, error: Exception) -> None:
        """Fail the call whose reply is unreadable, because no other reply will arrive."""
        head = _REPLY_TO.match(message)
        waiting = self._waiting.pop(int(head[1]), None) if head else None
        if waiting is not None and waiting.on_reply is not None:
            words = f"The reply is malformed: {error}"
            waiting.on_reply(Reply(waiting.method, None, ProtocolError(message=words)))

    def _closed(self, reason: str) -> None:
        if self.lost is not None:
            return
        self.lost = reason
        for command_id in list(self._waiting):
            self._lose(command_id, reason)
        self._on_close(reason)

    def _lose(self, command_id: int, reason: str) -> None:
        waiting = self._waiting.pop(command_id, None)
        if waiting is not None and waiting.on_reply is not None:
            waiting.on_reply(Reply(waiting.method, None, None, reason))

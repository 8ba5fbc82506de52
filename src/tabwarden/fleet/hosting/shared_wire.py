"""``SharedWire``: lets many clients use one browser's pipe, in turn or at the same time.

A pipe has only one client: the host. Each client of the host gets a session of the browser's own
target (``Target.attachToBrowserTarget``), which does everything that a connection to a debugging
port does. When the session ends, Chromium detaches the sessions that it opened. The browser
therefore needs no debugging port, to which a page or another process could connect.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import msgspec
from msgspec import UNSET, Raw, UnsetType

from tabwarden.protocol import repair_surrogates
from tabwarden.wire import UNREADABLE, Wire

log = logging.getLogger("tabwarden.fleet")

MOST_UNREAD_BYTES = 256 * 1024 * 1024
"""A client with more unread bytes than this is disconnected."""
_NO_SUCH_SESSION = Raw(b'{"code":-32001,"message":"Session with given id not found."}')
"""Chromium's error for an unknown session."""


class _Message(msgspec.Struct, omit_defaults=True, rename={"session_id": "sessionId"}):
    id: int | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class _NamesSession(msgspec.Struct, rename={"session_id": "sessionId"}):
    session_id: str


_message_decoder = msgspec.json.Decoder(_Message)
_session_decoder = msgspec.json.Decoder(_NamesSession)
_encoder = msgspec.json.Encoder()


class SessionEnded(Exception):
    """The browser or the client has disconnected; the message says which."""


class BrowserSession:
    """One client's view of the browser: the client sends and receives as if it had its own
    connection.

    Use it on the event loop of its ``SharedWire``.
    """

    def __init__(self, wire: SharedWire, session_id: str) -> None:
        self._shared = wire
        self._session_id = session_id
        self._unread: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._unread_bytes = 0
        self._why = ""

    def send(self, message: bytes) -> None:
        """Send one message from the client. The client can reach only the sessions that it has
        opened.
        """
        self._shared._send(self, message)

    async def receive(self) -> bytes:
        """Wait for the next message to the client.

        Raises:
            SessionEnded: no more messages will arrive.
        """
        message = await self._unread.get()
        if message is None:
            raise SessionEnded(self._why)
        self._unread_bytes -= len(message)
        return message

    def detach(self) -> None:
        """End the session and the sessions that the client has opened. Safe to call twice."""
        self._shared._detach(self, "the client has disconnected")

    def _deliver(self, message: bytes) -> None:
        self._unread_bytes += len(message)
        if self._unread_bytes > MOST_UNREAD_BYTES:
            self._shared._detach(self, "the client reads too slowly")
        else:
            self._unread.put_nowait(message)

    def _end(self, why: str) -> None:
        if not self._why:
            self._why = why
            self._unread.put_nowait(None)


class SharedWire:
    """Shares a browser's wire among clients. It starts and owns the wire.

    Args:
        wire: an open wire to the browser itself.
        on_close: called once when the wire has closed.
    """

    def __init__(self, wire: Wire, on_close: Callable[[], None]) -> None:
        self._wire = wire
        self._on_close = on_close
        self._clients: dict[str, BrowserSession] = {}
        """By the id of the session with the browser's target."""
        self._owners: dict[str, BrowserSession] = {}
        """By the id of every other session: the client that opened it."""
        self._attaching: dict[int, asyncio.Future[BrowserSession]] = {}
        self._last_id = 0
        self._closed = ""
        wire.start(self._received, self._ended)

    async def attach(self) -> BrowserSession:
        """Open a session for a client. The caller must set a time limit.

        Raises:
            SessionEnded: the browser has exited, or rejects the session.
        """
        if self._closed:
            raise SessionEnded(self._closed)
        attached: asyncio.Future[BrowserSession] = asyncio.get_running_loop().create_future()
        self._attaching[self._call("Target.attachToBrowserTarget", b"{}")] = attached
        return await attached

    async def aclose(self) -> None:
        """Close the wire, and end all sessions."""
        await self._wire.aclose()

    # -- to the browser ------------------------------------------------------------------------

    def _call(self, method: str, params: bytes) -> int:
        self._last_id += 1
        self._wire.send(_encoder.encode(_Message(self._last_id, method, Raw(params))))
        return self._last_id

    def _send(self, client: BrowserSession, data: bytes) -> None:
        message = _read(data)
        if message is None or client._session_id not in self._clients:
            return
        if message.session_id is UNSET:
            message.session_id = client._session_id
            data = _encoder.encode(message)
        elif self._owners.get(message.session_id) is not client:
            refusal = _Message(message.id, error=_NO_SUCH_SESSION, session_id=message.session_id)
            client._deliver(_encoder.encode(refusal))
            return
        self._wire.send(data)

    def _detach(self, client: BrowserSession, why: str) -> None:
        if self._clients.pop(client._session_id, None) is not None:
            self._owners = {key: one for key, one in self._owners.items() if one is not client}
            params = _encoder.encode(_NamesSession(client._session_id))
            self._call("Target.detachFromTarget", params)
        client._end(why)

    # -- from the browser ----------------------------------------------------------------------

    def _received(self, data: bytes) -> None:
        message = _read(data)
        if message is None:
            return
        if message.session_id is UNSET:
            self._replied(message)
            return
        client = self._clients.get(message.session_id)
        if client is not None:
            message.session_id = UNSET
            data = _encoder.encode(message)
        else:
            client = self._owners.get(message.session_id)
        if client is None:
            return  # requested by a client that has disconnected
        if message.method == "Target.attachedToTarget":
            self._owners[_session_of(message)] = client
        elif message.method == "Target.detachedFromTarget":
            self._owners.pop(_session_of(message), None)
        client._deliver(data)

    def _replied(self, message: _Message) -> None:
        """Process a reply to a command from the host. Ignore events, which the host does not
        need.
        """
        attached = self._attaching.pop(message.id, None) if message.id is not UNSET else None
        if attached is None:
            return
        if message.result is UNSET:
            if not attached.done():
                attached.set_exception(SessionEnded(f"the browser rejected a client: {message!r}"))
            return
        session_id = _session_decoder.decode(message.result).session_id
        client = self._clients[session_id] = BrowserSession(self, session_id)
        if attached.done():  # the caller has stopped waiting
            self._detach(client, "the caller stopped waiting")
        else:
            attached.set_result(client)

    def _ended(self, why: str) -> None:
        self._closed = why
        for attached in self._attaching.values():
            if not attached.done():
                attached.set_exception(SessionEnded(why))
        for client in list(self._clients.values()):
            client._end(why)
        self._clients.clear()
        self._owners.clear()
        self._on_close()


def _read(data: bytes) -> _Message | None:
    """Decode the envelope. If the message is not CDP, log that and return None."""
    try:
        try:
            return _message_decoder.decode(data)
        except msgspec.DecodeError:
            return _message_decoder.decode(repair_surrogates(data))
    except UNREADABLE as error:
        log.warning("dropped a message that is not CDP: %s: %.200r", error, data)
        return None


def _session_of(message: _Message) -> str:
    params = message.params
    return _session_decoder.decode(Raw(b"{}") if params is UNSET else params).session_id

"""The pipe wire (``--remote-debugging-pipe``): NUL-terminated JSON over two file descriptors.

No port is open to other processes. Chrome exits when the pipe closes, even if our process was
killed (docs/facts.md, "How a launched browser ends").
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections import deque
from collections.abc import Callable

from tabwarden.wire.base import MAX_MESSAGE_BYTES

log = logging.getLogger("tabwarden.wire")


class _Reader(asyncio.Protocol):
    """Splits the byte stream into messages. Joins the parts of a long message only once, at its
    end.
    """

    def __init__(self, deliver: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        self._deliver = deliver
        self._ended = ended
        self._partial: list[bytes] = []
        self._partial_bytes = 0

    def data_received(self, data: bytes) -> None:
        first, *rest = data.split(b"\0")
        if not rest:
            self._keep(first)
            return
        self._partial.append(first)
        self._deliver(b"".join(self._partial))
        for message in rest[:-1]:
            self._deliver(message)
        self._partial, self._partial_bytes = [], 0
        self._keep(rest[-1])

    def _keep(self, piece: bytes) -> None:
        if not piece:
            return
        self._partial.append(piece)
        self._partial_bytes += len(piece)
        if self._partial_bytes > MAX_MESSAGE_BYTES:
            self._partial, self._partial_bytes = [], 0
            self._ended(f"the browser sent a message longer than {MAX_MESSAGE_BYTES} bytes")

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended(f"the pipe broke: {exc}" if exc else "the browser closed the pipe")


class _Outbox:
    """The write side: sends a message at once, from the caller's thread. Threads don't wait for
    each other. If a thread is already writing, other threads only queue their messages, and the
    writing thread sends them.
    """

    def __init__(self, fd: int, ended: Callable[[str], None]) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._messages: deque[bytes | memoryview] = deque()
        self._writing = threading.Lock()
        self._stopped = False
        """True if the pipe is closed, or if it is full and the event loop is waiting until it is
        writable.
        """
        self._closed = False

    def put(self, message: bytes) -> None:
        self._messages.append(message)
        self._drain()

    def _drain(self) -> None:
        # Check again after each release: another thread may have queued a message in the meantime.
        while self._messages and not self._stopped and self._writing.acquire(blocking=False):
            try:
                self._write()
            finally:
                self._writing.release()

    def _write(self) -> None:
        while self._messages and not self._stopped:
            message = self._messages[0]
            try:
                written = os.write(self._fd, message)
            except BlockingIOError:
                written = 0
            except OSError as error:
                self._stopped = True
                self._loop.call_soon_threadsafe(self._ended, f"the pipe broke: {error}")
                return
            if written == len(message):
                self._messages.popleft()
            else:
                self._messages[0] = memoryview(message)[written:]
                self._stopped = True
                self._loop.call_soon_threadsafe(self._wait_for_room)

    def _wait_for_room(self) -> None:
        if not self._closed:
            self._loop.add_writer(self._fd, self._go_on)

    def _go_on(self) -> None:
        self._loop.remove_writer(self._fd)
        self._stopped = False
        self._drain()

    def close(self) -> None:
        """Close the pipe; call this on the event loop's thread. This method first waits for a write
        in progress, which ends quickly. Otherwise, the writing thread could write to a reused
        descriptor.
        """
        with self._writing:
            if self._closed:
                return
            self._closed = self._stopped = True
            self._messages.clear()
            self._loop.remove_writer(self._fd)
            os.close(self._fd)


class PipeWire:
    """A wire over two file descriptors, which it owns; ``open`` creates it."""

    def __init__(self) -> None:
        self._read: asyncio.ReadTransport | None = None
        self._outbox: _Outbox | None = None
        self._on_message: Callable[[bytes], None] | None = None
        self._on_close: Callable[[str], None] | None = None
        self._early: list[bytes] = []
        self._end_reason: str | None = None

    @classmethod
    async def open(cls, read_fd: int, write_fd: int) -> PipeWire:
        """Take over ``read_fd`` (browser to us) and ``write_fd`` (us to browser)."""
        wire = cls()
        loop = asyncio.get_running_loop()
        wire._outbox = _Outbox(write_fd, wire._ended)
        wire._read, _ = await loop.connect_read_pipe(
            lambda: _Reader(wire._received, wire._ended), os.fdopen(read_fd, "rb", buffering=0)
        )
        return wire

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        self._on_message, self._on_close = on_message, on_close
        early, self._early = self._early, []
        ended = self._end_reason  # the wire closed before ``start``
        for message in early:
            if self._end_reason is ended:
                self._deliver(on_message, message)
        if ended is not None:
            on_close(ended)

    def send(self, message: bytes) -> None:
        if self._end_reason is None and self._outbox is not None:
            self._outbox.put(message + b"\0")

    async def aclose(self) -> None:
        self._ended("Tabwarden closed the connection")

    def _received(self, message: bytes) -> None:
        if self._end_reason is not None:
            return
        if self._on_message is None:
            self._early.append(message)
        else:
            self._deliver(self._on_message, message)

    def _deliver(self, on_message: Callable[[bytes], None], message: bytes) -> None:
        try:
            on_message(message)
        # The callback failed. If we ignored the error, a message would be silently lost.
        except Exception as error:
            log.exception("the pipe's reader failed")
            self._ended(f"the pipe's reader failed: {error!r}")

    def _ended(self, reason: str) -> None:
        if self._end_reason is not None:
            return
        self._end_reason = reason
        if self._read is not None:
            self._read.close()
        if self._outbox is not None:
            self._outbox.close()
        if self._on_close is not None:
            self._on_close(reason)

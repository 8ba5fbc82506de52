"""The pipe wire (``--remote-debugging-pipe``): NUL-ended JSON over two file descriptors.

No port is open for others to reach, and Chrome ends when its end of the pipe closes, however
our process died (FINDINGS 12).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable

from tabwarden.wire.base import MAX_MESSAGE_BYTES

__all__ = ["PipeWire"]

log = logging.getLogger("tabwarden.wire")


class _Reader(asyncio.Protocol):
    """Cuts the byte stream into messages. A message that spans reads is joined once."""

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
            self._ended(f"the browser sent a message above {MAX_MESSAGE_BYTES} bytes")

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended(f"the pipe broke: {exc}" if exc else "the browser closed the pipe")


class _Writer(asyncio.BaseProtocol):
    """The write side's end of life: a broken pipe is the wire's end too."""

    def __init__(self, ended: Callable[[str], None]) -> None:
        self._ended = ended

    def pause_writing(self) -> None:
        """Commands are small and their number bounded by callers' budgets: the buffer holds."""

    def resume_writing(self) -> None:
        """See ``pause_writing``."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended(f"the pipe broke: {exc}" if exc else "the browser closed the pipe")


class PipeWire:
    """A wire over a pair of pipe ends, which it owns from then on.

    Build with ``await PipeWire.open(read_fd, write_fd)``.
    """

    def __init__(self) -> None:
        self._read: asyncio.ReadTransport | None = None
        self._write: asyncio.WriteTransport | None = None
        self._on_message: Callable[[bytes], None] | None = None
        self._on_close: Callable[[str], None] | None = None
        self._early: list[bytes] = []
        self._end_reason: str | None = None

    @classmethod
    async def open(cls, read_fd: int, write_fd: int) -> PipeWire:
        """Take over ``read_fd`` (browser to us) and ``write_fd`` (us to browser)."""
        wire = cls()
        loop = asyncio.get_running_loop()
        wire._write, _ = await loop.connect_write_pipe(
            lambda: _Writer(wire._ended), os.fdopen(write_fd, "wb", buffering=0)
        )
        wire._read, _ = await loop.connect_read_pipe(
            lambda: _Reader(wire._received, wire._ended), os.fdopen(read_fd, "rb", buffering=0)
        )
        return wire

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """See ``Wire.start``."""
        self._on_message, self._on_close = on_message, on_close
        early, self._early = self._early, []
        ended = self._end_reason  # before anybody listened
        for message in early:
            if self._end_reason is ended:
                self._deliver(on_message, message)
        if ended is not None:
            on_close(ended)

    def send(self, message: bytes) -> None:
        """See ``Wire.send``."""
        if self._end_reason is None and self._write is not None:
            self._write.write(message + b"\0")

    async def aclose(self) -> None:
        """See ``Wire.aclose``."""
        self._ended("the connection was closed by Tabwarden")

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
        except Exception as error:  # a listener's: what it missed would be hidden from the caller
            log.exception("the pipe's reader failed")
            self._ended(f"the pipe's reader failed: {error!r}")

    def _ended(self, reason: str) -> None:
        if self._end_reason is not None:
            return
        self._end_reason = reason
        if self._read is not None:
            self._read.close()
        # A writer that lost its pipe is closing already; aborting it again trips asyncio.
        if self._write is not None and not self._write.is_closing():
            self._write.abort()
        if self._on_close is not None:
            self._on_close(reason)

"""Faulty pipes between a launched browser and Tabwarden."""

from __future__ import annotations

import os
import threading

from tabwarden.wire import PipeWire

__all__ = ["FaultyPipe"]

_CHUNK = 65_536


class FaultyPipe:
    """Stands in for ``PipeWire`` where a browser is launched: real pipes, with a pump between.

    Args:
        chunk: pass on so many bytes at a time.
    """

    def __init__(self, chunk: int = _CHUNK) -> None:
        self.passed = 0
        """Bytes that came from the browser so far."""
        self._chunk = chunk
        self._cut_at: int | None = None
        self._garble = b""
        self._flowing = threading.Event()
        self._flowing.set()
        self._pumps: list[threading.Thread] = []

    async def open(self, read_fd: int, write_fd: int) -> PipeWire:
        """See ``PipeWire.open``."""
        inner_read, from_browser = os.pipe()
        to_browser, inner_write = os.pipe()
        for source, sink, comes in (
            (read_fd, from_browser, True),
            (to_browser, write_fd, False),
        ):
            os.set_blocking(source, True)
            os.set_blocking(sink, True)
            pump = threading.Thread(target=self._pump, args=(source, sink, comes), daemon=True)
            self._pumps.append(pump)
            pump.start()
        return await PipeWire.open(inner_read, inner_write)

    def cut(self, after_bytes: int = 0) -> None:
        """Close the browser's output after this many more bytes."""
        self._cut_at = self.passed + after_bytes

    def garble(self, old: bytes) -> None:
        """Corrupt the next occurrence of these bytes, if it is within one chunk."""
        self._garble = old

    def stall(self) -> None:
        """Forward nothing more from the browser."""
        self._flowing.clear()

    def flow(self) -> None:
        """End a stall."""
        self._flowing.set()

    def join(self) -> None:
        """Wait for the pump threads, which end with the browser."""
        self.flow()
        for pump in self._pumps:
            pump.join(20)
            assert not pump.is_alive(), "a pump still runs"

    def _pump(self, source: int, sink: int, comes: bool) -> None:
        with os.fdopen(source, "rb", buffering=0) as read, os.fdopen(sink, "wb", 0) as write:
            while data := read.read(_CHUNK):
                if comes:
                    self._flowing.wait()
                    data = self._spoilt(data)
                try:
                    for start in range(0, len(data), self._chunk):
                        write.write(data[start : start + self._chunk])
                except BrokenPipeError:
                    return
                if comes and self._cut_at is not None and self.passed >= self._cut_at:
                    return

    def _spoilt(self, data: bytes) -> bytes:
        if self._garble and self._garble in data:
            data, self._garble = data.replace(self._garble, b"\xff{[" + self._garble, 1), b""
        if self._cut_at is not None:
            data = data[: max(0, self._cut_at - self.passed)]
        self.passed += len(data)
        return data

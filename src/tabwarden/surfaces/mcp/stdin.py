"""Standard input as lines that can be waited for and left: Ctrl-C must not wait for one more."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator

__all__ = ["stdin_lines"]

_STDIN = 0


async def stdin_lines() -> AsyncIterator[str]:
    """The lines of standard input until it is closed, UTF-8; what is not, is marked in them.

    They are read in a daemon thread: a read that nobody ends can't be woken, only left behind.
    (Not by ``sys.stdin``, whose lock the interpreter would wait for at its end.)
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def tell(line: str | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def read() -> None:
        with os.fdopen(os.dup(_STDIN), encoding="utf-8", errors="replace") as stdin:
            for line in stdin:
                tell(line)
        tell(None)

    threading.Thread(target=read, name="tabwarden-stdin", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line

"""Shutter: takes the pictures of a task one after the other.

Chromium mixes up two that overlap: a picture of the whole page then shows only its first screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.page.task.timing import OTHER_PICTURE_MS
from tabwarden.supervisor import Race


class Shutter:
    """Use it on the engine's loop."""

    def __init__(self) -> None:
        self._open: asyncio.Future[None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether a picture is being taken."""
        return self._open is not None

    def open(self) -> asyncio.Future[None]:
        """Begin a picture. Pass the result to ``close``."""
        self._open = asyncio.get_running_loop().create_future()
        return self._open

    def close(self, opened: asyncio.Future[None]) -> None:
        opened.set_result(None)
        if self._open is opened:
            self._open = None

    @asynccontextmanager
    async def opened(self, race: Race) -> AsyncIterator[None]:
        """Wait for the picture that is being taken, if it comes soon. Then take one."""
        if self._open is not None:
            await race.finished(self._open, at_most_ms=OTHER_PICTURE_MS)
        opened = self.open()
        try:
            yield
        finally:
            self.close(opened)

"""Take a task's screenshots one after the other.

Chromium mixes up screenshots that are taken at the same time. For example, a screenshot of the
whole page then shows only the first screen. While Chromium captures an emulated device that has a
scale, it also reports the mouse at ``x / scale``, ``y / scale``. So inputs on such a device wait
for the screenshot and for the page's next frame, and the recorder takes no screenshot while a call
runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.page.task.timing import OTHER_PICTURE_MS, REDRAWN_MS, SLOW_PICTURE_MS
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.handlers import metrics_of
from tabwarden.supervisor.runtime import Race

_DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


class Shutter:
    """The lock for a task's screenshots. Use it on the engine's event loop."""

    def __init__(self) -> None:
        self._open: asyncio.Future[None] | None = None
        self._took_picture = False
        """Whether a screenshot has been taken since the last input."""

    @property
    def is_open(self) -> bool:
        """Whether a picture is being taken."""
        return self._open is not None

    def open(self) -> asyncio.Future[None]:
        """Begin to take a picture. Pass the returned value to ``close``."""
        self._open, self._took_picture = asyncio.get_running_loop().create_future(), True
        return self._open

    def close(self, opened: asyncio.Future[None]) -> None:
        opened.set_result(None)
        if self._open is opened:
            self._open = None

    async def closed(self, race: Race, at_most_ms: float = OTHER_PICTURE_MS) -> None:
        """Wait for the picture that is being taken, but only for ``at_most_ms``."""
        if self._open is not None:
            await race.finished(self._open, at_most_ms=at_most_ms)

    async def away(self, race: Race, session_id: str | None) -> None:
        """Make sure that taking a picture does not change the mouse position of an input."""
        await self.closed(race, SLOW_PICTURE_MS)
        if self._took_picture:
            self._took_picture = self.is_open
            # This command repairs the scale, even while a slow picture is being taken.
            race.start(metrics_of(race.supervisor.state.emulation.device), session_id)
            drawn = runtime.Evaluate(expression=_DRAWN, await_promise=True, silent=True)
            await race.answered(race.start(drawn, session_id), at_most_ms=REDRAWN_MS)

    @asynccontextmanager
    async def opened(self, race: Race) -> AsyncIterator[None]:
        """Wait briefly for a picture that is being taken. Then take a picture during the block."""
        await self.closed(race)
        opened = self.open()
        try:
            yield
        finally:
            self.close(opened)

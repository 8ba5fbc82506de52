"""Paced: passes pictures to one listener at its own rate."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from tabwarden.page.screencast.picture import Picture

log = logging.getLogger("tabwarden.screencast")

Listener = Callable[[Picture], None]


class Paced:
    """Passes on the newest picture, at most ``fps`` times per second. It drops the pictures in
    between, but never the last one."""

    def __init__(self, listener: Listener, *, max_width: int, fps: float) -> None:
        self.max_width = max_width
        self.fps = fps
        self._listener = listener
        self._next_at = 0.0
        self._newest: Picture | None = None
        self._timer: asyncio.TimerHandle | None = None

    def offer(self, picture: Picture, loop: asyncio.AbstractEventLoop) -> None:
        self._newest = picture
        if self._timer is not None:
            return
        if loop.time() >= self._next_at:
            self._pass_on(loop)
        else:
            self._timer = loop.call_at(self._next_at, self._pass_on, loop)

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._newest = None

    def _pass_on(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        picture, self._newest = self._newest, None
        self._next_at = loop.time() + 1 / self.fps
        if picture is None:
            return
        try:
            self._listener(picture)
        except Exception:  # a listener must not break the engine
            log.exception("a listener of the screencast failed")

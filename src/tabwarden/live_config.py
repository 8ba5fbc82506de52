"""LiveConfig: the configuration as it is now, for what runs long: a change of its file is seen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from tabwarden.config import BrowserConfig, Config
from tabwarden.errors import InvalidArgument

__all__ = ["LiveConfig"]

log = logging.getLogger("tabwarden.config")

_LOOK_S = 0.25
_Seen = tuple[int, int, int] | None


class LiveConfig:
    """The configuration, read again when its file is another one.

    A file that can't be obeyed changes nothing: what was read last stays, and ``problem`` says why.

    Args:
        load: reads it: file, environment and arguments.
        path: its file, there or not (``config_file``); None: there is none to look at.

    Raises:
        InvalidArgument: as ``load`` says, the first time.
    """

    def __init__(self, load: Callable[[], Config], path: Path | None) -> None:
        self._load = load
        self._path = path
        self._seen = self._look()
        self._now = load()
        self.problem: InvalidArgument | None = None
        """Why the file as it stands is not obeyed."""

    @classmethod
    def fixed(cls, browser: BrowserConfig) -> LiveConfig:
        """One that does not change."""
        given = Config.model_construct(browser=browser)
        return cls(lambda: given, None)

    @property
    def now(self) -> Config:
        """As it is now; costs one ``stat`` of the file."""
        seen = self._look()
        if seen != self._seen:
            self._seen = seen
            self._read()
        return self._now

    @property
    def browser(self) -> BrowserConfig:
        """Its ``browser`` section as it is now."""
        return self.now.browser

    async def changes(self) -> AsyncIterator[Config]:
        """Each new configuration, within a quarter of a second; never ends by itself."""
        last = self._now
        while True:
            now = self.now
            if now is not last:
                last = now
                yield now
            else:
                await asyncio.sleep(_LOOK_S)

    def _read(self) -> None:
        try:
            self._now = self._load()
            self.problem = None
        except InvalidArgument as error:
            self.problem = error
            log.warning("the configuration stays as it was: %s %s", error.message, error.hint)

    def _look(self) -> _Seen:
        if self._path is None:
            return None
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

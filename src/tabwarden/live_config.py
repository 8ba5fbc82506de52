"""LiveConfig: the configuration as it is now, for what runs long: a change of its file is seen."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import stat
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tabwarden.config import BrowserConfig, Config, config_file
from tabwarden.errors import InvalidArgument

__all__ = ["LiveConfig"]

log = logging.getLogger("tabwarden.config")

_LOOK_S = 0.25
_SETTLED_NS = 50_000_000
"""A file changed so lately may change again and look the same: clocks of file systems are coarse
(4 ms on Linux)."""
_BEING_WRITTEN_NS = 1_000_000_000
"""How long an empty file may be one that an editor has just begun to write."""


class _Look(NamedTuple):
    """How the file looks from outside."""

    fault: int | None
    """``errno`` of asking; None: it is there."""
    changed_ns: int = 0
    modified_ns: int = 0
    size: int = 0
    inode: int = 0
    mode: int = 0

    @property
    def is_gone(self) -> bool:
        return self.fault in {errno.ENOENT, errno.ENOTDIR}


class LiveConfig:
    """The configuration, read again when its file is another one. Safe from any thread.

    A file that can't be obeyed changes nothing: what was read last stays, and ``problem`` says why.
    That is so too for a file that is gone, as nobody can tell a moment of an editor's from a wish,
    and no switch may come on again by a slip.

    Args:
        load: reads it: file, environment and arguments.
        path: its file, there or not (``config_file``); None: there is none to look at.

    Raises:
        InvalidArgument: as ``load`` says, the first time.
    """

    def __init__(self, load: Callable[[], Config], path: Path | None) -> None:
        self._load = load
        self._path = path
        self._reading = threading.Lock()
        look = self._look()
        self._now = load()
        self._had_a_file = look.fault is None
        self._seen = look if _is_settled(look) else None
        self.problem: InvalidArgument | None = None
        """Why the file as it stands is not obeyed."""

    @property
    def file(self) -> Path:
        """Its file, there or not; the usual place where there is none to look at."""
        return self._path or config_file()

    @classmethod
    def fixed(cls, browser: BrowserConfig) -> LiveConfig:
        """One that does not change."""
        given = Config.model_construct(browser=browser)
        return cls(lambda: given, None)

    @property
    def now(self) -> Config:
        """As it is now; costs one ``stat`` of the file."""
        if self._look() != self._seen:
            with self._reading:
                # Looked at again: another thread may have read it meanwhile.
                look = self._look()
                if look != self._seen and not self._is_being_written(look):
                    self._read(look)
        return self._now

    @property
    def browser(self) -> BrowserConfig:
        """Its ``browser`` section as it is now."""
        return self.now.browser

    @asynccontextmanager
    async def followed(self, obey: Callable[[Config], None]) -> AsyncIterator[None]:
        """Have each new configuration obeyed in the block, within a quarter of a second.

        Args:
            obey: called with it, on the block's event loop; what it raises is logged, and the next
                configuration is told all the same.
        """
        following = asyncio.create_task(self._tell(self._now, obey))
        try:
            yield
        finally:
            following.cancel()

    async def _tell(self, last: Config, obey: Callable[[Config], None]) -> None:
        while True:
            now = self.now
            if now is not last:
                last = now
                try:
                    obey(now)
                except Exception:
                    log.exception("a change of the configuration was not obeyed everywhere")
            await asyncio.sleep(_LOOK_S)

    def _read(self, look: _Look) -> None:
        self._seen = look if _is_settled(look) else None
        try:
            if look.is_gone and self._had_a_file:
                raise InvalidArgument(
                    f"The configuration file {self._path} is gone.",
                    "It is obeyed again when it is back; an empty one is the defaults.",
                    field="config",
                )
            found = self._load()
        except InvalidArgument as error:
            if self.problem is None or str(self.problem) != str(error):
                log.warning("the configuration stays as it was: %s %s", error.message, error.hint)
            self.problem = error
            return
        self._had_a_file = look.fault is None
        if self.problem is not None:
            log.info("the configuration is obeyed again")
            self.problem = None
        if found != self._now:
            self._now = found

    def _is_being_written(self, look: _Look) -> bool:
        """An editor that writes in place empties the file first."""
        empty = stat.S_ISREG(look.mode) and look.size == 0
        return empty and _age_ns(look) < _BEING_WRITTEN_NS

    def _look(self) -> _Look:
        if self._path is None:
            return _Look(errno.ENOENT)
        try:
            found = os.stat(self._path)
        except OSError as error:
            return _Look(error.errno)
        return _Look(
            None,
            found.st_ctime_ns,
            found.st_mtime_ns,
            found.st_size,
            found.st_ino,
            found.st_mode,
        )


def _is_settled(look: _Look) -> bool:
    return look.fault is not None or _age_ns(look) > _SETTLED_NS


def _age_ns(look: _Look) -> int:
    """Since it changed. A time in the future is another machine's, and tells nothing: long ago."""
    age = time.time_ns() - look.changed_ns
    return age if age >= 0 else _BEING_WRITTEN_NS

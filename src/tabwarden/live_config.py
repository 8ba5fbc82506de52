"""``LiveConfig``: the configuration of a long-running program, reloaded when the file changes."""

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
"""A file that changed more recently than this is read again. File-system clocks are coarse (4 ms on
Linux), so a second change could have the same timestamp.
"""
_BEING_WRITTEN_NS = 1_000_000_000
"""If an empty file changed more recently than this, an editor may still be writing it."""


class _Look(NamedTuple):
    fault: int | None
    """The ``errno`` of the failed ``stat``; None if the file exists."""
    changed_ns: int = 0
    modified_ns: int = 0
    size: int = 0
    inode: int = 0
    mode: int = 0

    @property
    def is_gone(self) -> bool:
        return self.fault in {errno.ENOENT, errno.ENOTDIR}


class LiveConfig:
    """The current configuration. Thread-safe.

    If the file becomes invalid or is deleted, the last valid configuration stays in effect, and
    ``problem`` says why. Otherwise a typo, or an editor that briefly deletes the file, could enable
    a setting that the file disables.

    Args:
        load: reads the configuration from file, environment and arguments.
        path: the file to watch, which may not exist yet; None to watch no file.

    Raises:
        InvalidArgument: the first call of ``load`` raised this error.
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
        """Why the current file is not in effect; None if it is in effect."""

    @property
    def file(self) -> Path:
        """The file's path, even if the file does not exist; the default path if no file is
        watched.
        """
        return self._path or config_file()

    @classmethod
    def fixed(cls, browser: BrowserConfig) -> LiveConfig:
        """Return a configuration that never changes."""
        config = Config.model_construct(browser=browser)
        return cls(lambda: config, None)

    def adjust(self, change: Callable[[Config], Config]) -> None:
        """Apply a change to the current configuration and to each later one.

        Args:
            change: returns the changed configuration.
        """
        with self._reading:
            load = self._load
            self._load = lambda: change(load())
            self._now = change(self._now)

    @property
    def now(self) -> Config:
        """The current configuration. Each access costs one ``stat`` of the file."""
        if self._look() != self._seen:
            with self._reading:
                # Check again: another thread may have read the file in the meantime.
                look = self._look()
                if look != self._seen and not self._is_being_written(look):
                    self._read(look)
        return self._now

    @property
    def browser(self) -> BrowserConfig:
        return self.now.browser

    @asynccontextmanager
    async def followed(self, obey: Callable[[Config], None]) -> AsyncIterator[None]:
        """During the block, pass each new configuration to ``obey`` within a quarter of a second.

        ``obey`` is called on the block's event loop. Its errors are logged.
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
                    log.exception("a configuration change could not be applied everywhere")
            await asyncio.sleep(_LOOK_S)

    def _read(self, look: _Look) -> None:
        self._seen = look if _is_settled(look) else None
        try:
            if look.is_gone and self._had_a_file:
                raise InvalidArgument(
                    f"The configuration file {self._path} was deleted.",
                    "Restore it, or create an empty file to use the defaults.",
                    field="config",
                )
            config = self._load()
        except InvalidArgument as error:
            if self.problem is None or str(self.problem) != str(error):
                log.warning("keeping the previous configuration: %s %s", error.message, error.hint)
            self.problem = error
            return
        self._had_a_file = look.fault is None
        if self.problem is not None:
            log.info("the configuration file is valid again")
            self.problem = None
        if config != self._now:
            self._now = config

    def _is_being_written(self, look: _Look) -> bool:
        """Whether the file was just truncated: editors may do this before they write."""
        empty = stat.S_ISREG(look.mode) and look.size == 0
        return empty and _age_ns(look) < _BEING_WRITTEN_NS

    def _look(self) -> _Look:
        if self._path is None:
            return _Look(errno.ENOENT)
        try:
            status = os.stat(self._path)
        except OSError as error:
            return _Look(error.errno)
        return _Look(
            None,
            status.st_ctime_ns,
            status.st_mtime_ns,
            status.st_size,
            status.st_ino,
            status.st_mode,
        )


def _is_settled(look: _Look) -> bool:
    return look.fault is not None or _age_ns(look) > _SETTLED_NS


def _age_ns(look: _Look) -> int:
    """Return the nanoseconds since the file changed. A time in the future comes from another clock;
    the change is then treated as old.
    """
    age = time.time_ns() - look.changed_ns
    return age if age >= 0 else _BEING_WRITTEN_NS

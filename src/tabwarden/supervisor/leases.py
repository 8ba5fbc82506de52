"""Leases: which browser contexts are some living task's own, told to every process of this user.

A context of a task's own must outlive its connection, or a reconnect would find no tabs; so the
browser does not dispose of it when its owner is killed. What does is a lease: a small file, named
after the context and locked for as long as its owner lives. The next task that attaches to
that browser disposes of those whose lease nobody holds. And whoever attaches to the browser can
tell a context that has a supervisor from one that a person looks at.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import time
from pathlib import Path

from platformdirs import user_cache_path

from tabwarden.locks import try_lock

__all__ = ["Lease", "abandoned", "forget", "is_held"]

log = logging.getLogger("tabwarden.supervisor")

_CONTEXT_ID = re.compile(r"[A-Za-z0-9._-]{8,128}")
"""It becomes a file's name, and comes from a browser that may be anybody's."""
_BEING_TAKEN_S = 5.0
_FORGOTTEN_S = 7 * 24 * 3600.0
"""So long after it was taken a lease whose browser has not been seen again is removed."""


class Lease:
    """This process's hold on one context; ``take`` gives one."""

    def __init__(self, context_id: str, fd: int) -> None:
        self.context_id = context_id
        self._fd: int | None = fd

    @classmethod
    def take(cls, context_id: str) -> Lease | None:
        """Hold a context that was just made; None where no file can be kept."""
        path = _path(context_id)
        if path is None:
            return None
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fd = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            log.warning("no lease for a browser context: %s", error.strerror)
            return None
        try_lock(fd)
        return cls(context_id, fd)

    def end(self) -> None:
        """The context is gone."""
        self.leave()
        forget(self.context_id)

    def leave(self) -> None:
        """It may still be there, and is left to whoever comes next."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def is_held(context_id: str) -> bool:
    """Whether a living task has this context, in this process or in another of this user."""
    path = _path(context_id)
    return path is not None and _is_locked(path)


def abandoned() -> list[str]:
    """Contexts whose owner ended and could not dispose of them; their browsers may be gone too."""
    now, found = time.time(), []
    try:
        paths = list(_folder().iterdir())
    except OSError:
        return []
    for path in paths:
        try:
            age_s = now - path.stat().st_mtime
        except OSError:
            continue
        if age_s < _BEING_TAKEN_S or _is_locked(path):
            continue
        if age_s > _FORGOTTEN_S:
            forget(path.name)
        else:
            found.append(path.name)
    return found


def forget(context_id: str) -> None:
    """Remove the lease of a context that is there no more."""
    path = _path(context_id)
    if path is not None:
        with contextlib.suppress(OSError):
            path.unlink()


def _folder() -> Path:
    return user_cache_path("tabwarden", appauthor=False) / "contexts"


def _path(context_id: str) -> Path | None:
    return _folder() / context_id if _CONTEXT_ID.fullmatch(context_id) else None


def _is_locked(path: Path) -> bool:
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not try_lock(fd)
    finally:
        os.close(fd)

"""Leases: tell all of this user's processes which browser contexts belong to a running task.

A task's own context must survive a lost connection; otherwise, a reconnect would find no tabs.
Therefore, the browser must not dispose of contexts by itself, and a context remains if its owner is
killed. For this reason, each context has a lease: a small file that is named after the context and
locked while the context's owner is running. The next task that attaches to the browser disposes of
the contexts whose leases are unlocked. A lease also shows that the context is used by a supervisor
and not by a person.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import time
from pathlib import Path

from platformdirs import user_cache_path

from tabwarden.files.locks import try_lock
from tabwarden.files.private_folder import make_private_folder

FORGOTTEN_S = 7 * 24 * 3600.0
"""An unlocked lease file older than this is deleted."""
BEING_TAKEN_S = 5.0
"""A lease file younger than this may be unlocked because its owner is still creating it."""

log = logging.getLogger("tabwarden.supervisor")

_CONTEXT_ID = re.compile(r"[A-Za-z0-9._-]{8,128}")
"""A context id becomes a file name, so we check the ID's format, because the browser may not be
trustworthy.
"""


class Lease:
    """This process's lease on one context, created by ``take``."""

    def __init__(self, context_id: str, fd: int) -> None:
        self.context_id = context_id
        self._fd: int | None = fd

    @classmethod
    def take(cls, context_id: str) -> Lease | None:
        """Take the lease of a new context; return None if its file can't be written."""
        path = _path(context_id)
        if path is None:
            return None
        try:
            make_private_folder(path.parent)
            fd = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            log.warning("no lease for a browser context: %s", error.strerror)
            return None
        try_lock(fd)
        return cls(context_id, fd)

    def end(self) -> None:
        """End the lease, because the context no longer exists."""
        self.leave()
        forget(self.context_id)

    def leave(self) -> None:
        """Unlock the lease but keep its file, so that the next task cleans up the context."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def is_held(context_id: str) -> bool:
    """Whether a running task of this user owns this context, in this process or another."""
    path = _path(context_id)
    return path is not None and _is_locked(path)


def abandoned() -> list[str]:
    """Return the ids of contexts whose owners ended without disposing of them."""
    now, context_ids = time.time(), []
    try:
        paths = list(_folder().iterdir())
    except OSError:
        return []
    for path in paths:
        try:
            age_s = now - path.stat().st_mtime
        except OSError:
            continue
        if age_s < BEING_TAKEN_S or _is_locked(path):
            continue
        if age_s > FORGOTTEN_S:
            forget(path.name)
        else:
            context_ids.append(path.name)
    return context_ids


def forget(context_id: str) -> None:
    """Delete the lease of a context that no longer exists."""
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

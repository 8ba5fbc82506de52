"""Admission: whether a server has room for one more browser. Pure: it reads nothing itself."""

from __future__ import annotations

import msgspec

from tabwarden.actions.sessions.timing import RETRY_AFTER_S
from tabwarden.config import ServerConfig
from tabwarden.errors import Capacity

_OPENING_MB = 150
"""What a browser that still opens will take, at least. Fifty tasks that begin together would else
all see the same free memory."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a server may have."""

    max_tasks: int
    """How many tasks may have a browser."""
    min_free_memory_mb: float = 0
    """A browser opens only if this much memory stays free; 0: always."""
    idle_s: float = 0
    """After how many seconds without a call a task's browser closes; 0: never."""

    @classmethod
    def of(cls, config: ServerConfig) -> Limits:
        """Return the limits that a server's configuration sets."""
        return cls(
            max_tasks=config.max_tasks,
            min_free_memory_mb=config.min_free_memory_mb,
            idle_s=config.idle_minutes * 60,
        )


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What a server has now."""

    open: int
    """How many tasks have a browser."""
    opening: int
    """How many tasks wait for theirs to open."""
    free_memory_mb: float | None
    """None: this system does not tell."""


def refusal(limits: Limits, usage: Usage) -> Capacity | None:
    """Return why no other browser may open now; None if one may.

    ``data["reason"]`` is ``tasks`` or ``memory``.
    """
    again = f"Try again in {RETRY_AFTER_S:g} s, or end a task that nobody needs any more."
    taken = usage.open + usage.opening
    if taken >= limits.max_tasks:
        return Capacity(
            f"{taken} tasks have a browser, which is the limit (server.max_tasks).",
            again,
            retry_after_s=RETRY_AFTER_S,
            field="task",
            reason="tasks",
        )
    free, wanted = usage.free_memory_mb, limits.min_free_memory_mb
    if free is None or not wanted or free - usage.opening * _OPENING_MB >= wanted:
        return None
    opening = f", and {usage.opening} browsers are opening" if usage.opening else ""
    return Capacity(
        f"This machine has {free:.0f} MB of memory free{opening}. A browser opens only if "
        f"{wanted:g} MB stay free (server.min_free_memory_mb).",
        again,
        retry_after_s=RETRY_AFTER_S,
        field="task",
        reason="memory",
    )

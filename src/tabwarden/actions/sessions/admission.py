"""Decide whether a server can open another browser. Pure: does no I/O."""

from __future__ import annotations

import msgspec

from tabwarden.actions.sessions.timing import RETRY_AFTER_S
from tabwarden.config import ServerConfig
from tabwarden.errors import Capacity

_OPENING_MB = 150
"""The memory to reserve for each browser that is opening. Without the reserve, fifty tasks that
start at the same time would all count on the same free memory."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """A server's limits."""

    max_tasks: int
    """Maximum number of tasks with a browser."""
    min_free_memory_mb: float = 0
    """A browser opens only if this much memory stays free; 0 sets no limit."""
    idle_s: float = 0
    """Seconds without a call after which a task's browser is closed; 0 means never."""

    @classmethod
    def of(cls, config: ServerConfig) -> Limits:
        """Return the limits that a server's configuration sets."""
        return cls(
            max_tasks=config.max_tasks,
            min_free_memory_mb=config.min_free_memory_mb,
            idle_s=config.idle_minutes * 60,
        )


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """A server's current usage."""

    open: int
    """Number of tasks with an open browser."""
    opening: int
    """Number of tasks whose browser is opening."""
    free_memory_mb: float | None
    """The free memory; None if the system does not report it."""


def refusal(limits: Limits, usage: Usage) -> Capacity | None:
    """Return the error if another browser must not open now; None if it may open.

    ``data["reason"]`` is ``tasks`` or ``memory``.
    """
    again = f"Try again in {RETRY_AFTER_S:g} s, or stop a task that is no longer needed."
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
        f"This machine has {free:.0f} MB of free memory{opening}. A browser opens only if "
        f"{wanted:g} MB remain free (server.min_free_memory_mb).",
        again,
        retry_after_s=RETRY_AFTER_S,
        field="task",
        reason="memory",
    )

"""An errand: a page target of our own for a while, in the task's browser but none of its tabs."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.errors import NotSupported
from tabwarden.page.task import Task
from tabwarden.supervisor import BeginErrand, EndErrand, Race, SupervisorState

__all__ = ["errand"]


@asynccontextmanager
async def errand(task: Task, race: Race) -> AsyncIterator[str]:
    """Its session, on which nothing is enabled; the target is closed when the block ends.

    Raises:
        NotSupported: the browser makes none.
    """
    key = secrets.token_hex(8)

    def session_of(state: SupervisorState) -> str | None:
        return next((s for s, k in state.errand_sessions.items() if k == key), None)

    task.supervisor.feed(BeginErrand(key))
    try:
        await race.until(lambda state: key not in state.errands or session_of(state) is not None)
        session_id = session_of(task.state)
        if session_id is None:
            raise NotSupported("The browser opens no page beside its tabs.")
        yield session_id
    finally:
        task.supervisor.feed(EndErrand(key))

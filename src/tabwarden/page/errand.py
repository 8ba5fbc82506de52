"""An errand: a page target of our own for a while, in the task's browser but none of its tabs."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.errors import NotSupported
from tabwarden.page.task import Task
from tabwarden.protocol import target
from tabwarden.supervisor import CloseBackstage, CommandRefused, OpenBackstage, Race

__all__ = ["errand"]

_keys = itertools.count(1)


@asynccontextmanager
async def errand(
    task: Task, race: Race, browser_context_id: str | None = None
) -> AsyncIterator[str]:
    """Its session, on which nothing is enabled; the target is closed when the block ends.

    Raises:
        NotSupported: the browser makes none.
    """
    key = f"b-{next(_keys)}"
    task.supervisor.feed(OpenBackstage(key, browser_context_id))
    try:
        await race.until(lambda state: state.backstage.get(key) != "")
        target_id = task.state.backstage.get(key)
        if target_id is None:
            raise NotSupported("The browser opens no page beside its tabs.")
        try:
            command = target.AttachToTarget(target_id=target_id, flatten=True)
            attached = await race.call(command, None)
        except CommandRefused as refused:
            raise NotSupported(
                f"The browser refused a page of ours: {refused.error.message}."
            ) from None
        yield attached.session_id
    finally:
        task.supervisor.feed(CloseBackstage(key))

"""A hidden target: a temporary page in the task's browser that does not count as one of the task's
tabs."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.errors import NotSupported
from tabwarden.page.task import Call
from tabwarden.protocol import target
from tabwarden.supervisor.core.state.inputs import CloseBackstage, OpenBackstage
from tabwarden.supervisor.runtime import CommandRefused

_keys = itertools.count(1)


@asynccontextmanager
async def hidden_target(call: Call, browser_context_id: str | None = None) -> AsyncIterator[str]:
    """Yield the session of a hidden target. Close the target when the block ends. Raise
    ``NotSupported`` if the browser can't create one."""
    key = f"b-{next(_keys)}"
    call.task.supervisor.feed(OpenBackstage(key, browser_context_id))
    try:
        await call.race.until(lambda state: state.backstage.get(key) != "")
        target_id = call.state.backstage.get(key)
        if target_id is None:
            raise NotSupported(
                "The browser can't open a hidden helper page.",
                "If it is part of an application, do this on the application's own page.",
            )
        try:
            command = target.AttachToTarget(target_id=target_id, flatten=True)
            attachment = await call.race.call(command, None)
        except CommandRefused as error:
            raise NotSupported(
                f"The browser refused to open a helper page: {error.error.message}."
            ) from None
        yield attachment.session_id
    finally:
        call.task.supervisor.feed(CloseBackstage(key))

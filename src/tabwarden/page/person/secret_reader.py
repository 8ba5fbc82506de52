"""Read the text that a person typed in secret fields, so that results and recordings can mask
it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from tabwarden.page.control import Change, ControlReleased
from tabwarden.page.person.timing import ASKED_S
from tabwarden.page.task import Task, mask_secret_fields
from tabwarden.protocol import decode_result, runtime
from tabwarden.wire import Reply


class SecretReader:
    """Reads a task's secrets before the person leaves a page, and when control ends."""

    def __init__(self, task: Task) -> None:
        self._task = task
        task.control.watch(self._changed)

    def read(self) -> None:
        """Request the secrets from their documents, without waiting for the replies."""
        self._ask(lambda: None)

    def _ask(self, on_end: Callable[[], None]) -> None:
        worlds, supervisor = self._task.control.secret_worlds, self._task.supervisor
        left = set(worlds)
        if not left:
            on_end()

        def on_reply(world: str, reply: Reply) -> None:
            self._add_secrets(world, reply)
            left.discard(world)
            if not left:
                on_end()

        for world, session_id in list(worlds.items()):
            command = runtime.Evaluate(
                expression="__tabwarden.secretsTyped()",
                unique_context_id=world,
                return_by_value=True,
                silent=True,
            )
            supervisor.send(command, session_id, partial(on_reply, world))

    def _add_secrets(self, world: str, reply: Reply) -> None:
        control = self._task.control
        if reply.result is None:  # the document is gone
            control.secret_worlds.pop(world, None)
            return
        values = decode_result(runtime.Evaluate, reply.result).result.value
        if isinstance(values, list):
            control.secrets.add(values)
            self._task.journal.secrets.add(values)

    def _changed(self, change: Change) -> None:
        if isinstance(change, ControlReleased) and change.why != "closed":
            self._task.supervisor.loop.call_soon_threadsafe(self._keep)

    def _keep(self) -> None:
        """Read the secrets, and then let the agent's calls run. The fields stay masked, because the
        agent may now take screenshots by any means."""
        mask_secret_fields(self._task)
        settled = self._task.control.end_reading_secrets
        late = self._task.supervisor.loop.call_later(ASKED_S, settled)  # the page hangs

        def end() -> None:
            late.cancel()
            settled()

        async def ask_late() -> None:
            await asyncio.wait(marks, timeout=ASKED_S)
            mask_secret_fields(self._task)
            self._ask(end)

        if marks := set(self._task.control.late_marks):
            self._task.supervisor.spawn(ask_late())
        else:
            self._ask(end)

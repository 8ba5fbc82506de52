"""Veil: password fields that a person typed into show dots, also if the page shows their text."""

from __future__ import annotations

from tabwarden.page.task.task import Task
from tabwarden.protocol import runtime


def veil(task: Task, *, lift: bool = False) -> None:
    """Veil the fields, or lift the veil. Nothing waits for the page: a session handles its commands
    in order, so the veil is there before the next picture."""
    expression = "__tabwarden.unveil()" if lift else "__tabwarden.veil()"
    for world, session_id in task.control.secret_worlds.items():
        command = runtime.Evaluate(expression=expression, unique_context_id=world, silent=True)
        task.supervisor.send(command, session_id)

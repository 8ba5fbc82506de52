"""Mask the secret fields that a person typed in, even if the page shows their text."""

from __future__ import annotations

from tabwarden.page.task.task import Task
from tabwarden.protocol import runtime


def mask_secret_fields(task: Task) -> None:
    """Show dots in the fields. There is no need to wait for the reply. A session handles its
    commands in order, so the dots appear before the next picture."""
    _evaluate(task, "__tabwarden.mask()")


def unmask_secret_fields(task: Task) -> None:
    """Show the fields as the page intends."""
    _evaluate(task, "__tabwarden.unmask()")


def _evaluate(task: Task, expression: str) -> None:
    for world, session_id in task.control.secret_worlds.items():
        command = runtime.Evaluate(expression=expression, unique_context_id=world, silent=True)
        task.supervisor.send(command, session_id)

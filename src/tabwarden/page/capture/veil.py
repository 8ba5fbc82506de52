"""Veil: draw dots in place of what a person types into a password field, while a screenshot is
taken. The page may show such a field's text to the person."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.page.task import Task, veil


@asynccontextmanager
async def secrets_veiled(task: Task) -> AsyncIterator[None]:
    """Veil the fields in the block, while a person has control. Afterwards they stay veiled."""
    if task.control.holder is None:
        yield
        return
    veil(task)
    try:
        yield
    finally:
        if task.control.holder is not None:
            veil(task, lift=True)

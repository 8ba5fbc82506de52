"""While a screenshot is taken, mask the secret fields that a person types in. The page may show the
text in these fields to the person."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.page.task import Task, mask_secret_fields, unmask_secret_fields


@asynccontextmanager
async def secret_fields_masked(task: Task) -> AsyncIterator[None]:
    """Mask the fields during the block if a person has control. If control has ended meanwhile, the
    fields stay masked."""
    if task.control.holder is None:
        yield
        return
    mask_secret_fields(task)
    try:
        yield
    finally:
        if task.control.holder is not None:
            unmask_secret_fields(task)

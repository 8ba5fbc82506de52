"""Masking: draw dots in place of what a person types into a password field, while a screenshot is
taken. The page may show such a field's text to the person."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.page.task import Task, mask_secret_fields, unmask_secret_fields


@asynccontextmanager
async def secret_fields_masked(task: Task) -> AsyncIterator[None]:
    """Mask the fields in the block, if a person has control. Later they are masked anyway."""
    if task.control.holder is None:
        yield
        return
    mask_secret_fields(task)
    try:
        yield
    finally:
        if task.control.holder is not None:
            unmask_secret_fields(task)

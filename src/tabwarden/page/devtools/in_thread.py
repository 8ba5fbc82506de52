"""In a thread: work that takes long, while the call's race goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tabwarden.page.task import Call

T = TypeVar("T")


async def in_thread(call: Call, work: Callable[[], T]) -> T:
    """Return what ``work`` returns. If the race ends first, the work goes on without the call."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    await call.race.finished(running)
    return running.result()

"""Progress of a call: told each second to a client that wants to know what it waits for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from tabwarden.budget import Budget

__all__ = ["Progress", "told_of"]

_EACH_S = 1.0


class Progress(msgspec.Struct, frozen=True):
    """How far a call is."""

    elapsed_ms: float
    budget_ms: float
    doing: str
    """What it waits for."""


async def told_of(
    call: asyncio.Future[Any], budget: Budget, tell: Callable[[Progress], Awaitable[None]]
) -> None:
    """Wait until a call is over, and tell each second how far it is.

    Args:
        call: what is waited for; what comes of it is the caller's to take.
        budget: the call's.
        tell: is told; what it raises ends the waiting.
    """
    began = time.monotonic()
    while not (await asyncio.wait([call], timeout=_EACH_S))[0]:
        elapsed_ms = (time.monotonic() - began) * 1000
        await tell(Progress(elapsed_ms, budget.timeout_ms, budget.doing or "running"))

"""Report a call's progress once per second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from tabwarden.budget import Budget

_EACH_S = 1.0


class CallProgress(msgspec.Struct, frozen=True):
    elapsed_ms: float
    budget_ms: float
    doing: str
    """A description of the call's current step."""


async def report_progress(
    call: asyncio.Future[Any], budget: Budget, tell: Callable[[CallProgress], Awaitable[None]]
) -> None:
    """Wait for ``call``, and pass its progress to ``tell`` once per second. An error in ``tell``
    ends the wait.
    """
    began = time.monotonic()
    while not (await asyncio.wait([call], timeout=_EACH_S))[0]:
        elapsed_ms = (time.monotonic() - began) * 1000
        await tell(CallProgress(elapsed_ms, budget.timeout_ms, budget.doing or "running"))

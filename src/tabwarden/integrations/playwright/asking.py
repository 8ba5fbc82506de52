"""Call both of Playwright's APIs with the same code.

The async API returns awaitables, and the sync API returns values. A coroutine that awaits only
``settled(...)`` works with both: with the sync API, the coroutine never suspends, so ``at_once``
can run it.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Coroutine
from typing import Any, TypeVar

from tabwarden.budget import Budget

T = TypeVar("T")


async def settled(value: Any, budget: Budget | None = None) -> Any:
    """Return the result of a Playwright call. If the call came from the async API, await it first.

    Args:
        value: the returned value.
        budget: limit for the wait. With the sync API, the call has already waited.

    Raises:
        BudgetExceeded: the wait took too long.
    """
    if not inspect.isawaitable(value):
        return value
    if budget is None:
        return await value
    try:
        async with asyncio.timeout(budget.remaining_s()):
            return await value
    except TimeoutError:
        raise budget.exceeded() from None


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends, and return its result."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    raise AssertionError("a call to Playwright's sync API returned an awaitable")

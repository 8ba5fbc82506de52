"""Functions that ``performance``, ``coverage`` and ``memory`` share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.files.download_folder import checked_filename
from tabwarden.page.navigation import navigate
from tabwarden.page.task import Call
from tabwarden.supervisor.runtime import Race

T = TypeVar("T")
_LOAD_SHARE = 0.5
"""The share of the call's time for loading the page. The rest is for a rescue and the results."""


async def load_page(
    call: Call, settle_s: float, *, ignore_cache: bool = False, outlives_replacement: bool = False
) -> str:
    """Reload the page, and wait ``settle_s`` seconds more. Return a note if the page is still
    loading."""
    budget = call.race.budget.child(at_most_ms=call.race.budget.remaining_ms() * _LOAD_SHARE)
    try:
        with Race(call.task.supervisor, budget, call.tab.tab_id) as inner:
            inner.outlives_replacement = outlives_replacement
            loaded = await navigate.load_again(call.within(inner), ignore_cache=ignore_cache)
            await inner.pause(settle_s * 1000)
            return loaded.note
    except BudgetExceeded:
        call.race.raise_if_ended()
        return "The page was still loading."


def check_name(filename: str | None, ending: str, hint: str) -> str | None:
    """Return a file name that has this extension. Raise ``InvalidArgument`` if it has another
    extension."""
    if filename is None:
        return None
    name = checked_filename(filename, "output")
    if "." not in name:
        name += ending
    if not name.endswith(ending):
        raise InvalidArgument(
            f"{filename[:200]!r} does not end with {ending}.", hint, field="filename"
        )
    return name


async def in_thread(call: Call, work: Callable[[], T]) -> T:
    """Run ``work`` in a thread and return its result. If the call is stopped first, ``work``
    continues in the background."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    await call.race.finished(running)
    return running.result()

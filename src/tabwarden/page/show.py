"""Show: the outline after an action, in the same call and within the same budget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Literal

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import Cancelled, TabwardenError
from tabwarden.page.act import Body, but_rescue, or_rescued, perform
from tabwarden.page.after import rest
from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.result import ActionResult
from tabwarden.page.snapshot import Snapshot, read
from tabwarden.page.task import Task
from tabwarden.supervisor import Interrupted, Race

__all__ = ["SHOWS", "Show", "and_show", "perform_and_show"]

Show = Literal["none", "diff", "full"]
SHOWS: tuple[Show, ...] = ("none", "diff", "full")


async def perform_and_show(
    task: Task, action: str, budget: Budget, body: Body, show: Show, **how: Any
) -> ActionResult:
    """``perform``, and then a snapshot of its tab, or what changed in it since the last one."""
    return await and_show(task, budget, lambda: perform(task, action, budget, body, **how), show)


async def and_show(
    task: Task, budget: Budget, action: Callable[[], Awaitable[ActionResult]], show: Show
) -> ActionResult:
    """The result of an action, with a snapshot of its tab, or of what changed there.

    The action is done by then: what keeps the page from being read is a note, not an error.
    """
    result = await action()
    if show == "none" or result.tab_id is None:
        return result
    try:
        shown = await _shown(task, budget, result.tab_id, show)
    except Cancelled:
        raise
    except TabwardenError as error:
        # The hint says what was done to a page that hangs, and what it cost.
        why = f"No snapshot could be taken after it: {error.message}"
        said = " ".join(filter(None, [result.note, why, error.hint]))
        return msgspec.structs.replace(result, note=said)
    return msgspec.structs.replace(result, snapshot=shown)


async def _shown(task: Task, budget: Budget, tab_id: str, show: Show) -> Snapshot:
    if not blocking_dialogs(task.state, tab_id):
        with suppress(Interrupted):  # the snapshot shows the dialog
            await or_rescued(task, tab_id, budget, _at_rest(task, budget, tab_id))
    return await read(task, budget, tab_id=tab_id, diff=show == "diff")


async def _at_rest(task: Task, budget: Budget, tab_id: str) -> None:
    with Race(task.supervisor, but_rescue(budget), tab_id) as race:
        await rest(task, race, tab_id)

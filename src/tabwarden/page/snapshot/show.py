"""Show: add a snapshot to an action's result, within the action's budget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import Cancelled, TabwardenError
from tabwarden.hints import joined
from tabwarden.page.call import Body, but_rescue, or_rescued, perform, rest
from tabwarden.page.snapshot.snapshot import Snapshot, read
from tabwarden.page.task import ActionResult, ActionSpec, Task, blocking_dialogs
from tabwarden.supervisor import Interrupted, Race

Show = Literal["none", "diff", "full"]
SHOWS: tuple[Show, ...] = ("none", "diff", "full")


async def perform_and_show(
    task: Task,
    spec: ActionSpec,
    budget: Budget,
    body: Body,
    show: Show,
    *,
    tab_id: str | None = None,
) -> ActionResult:
    """Run ``perform``, then add a snapshot to its result."""
    return await and_show(
        task, budget, lambda: perform(task, spec, budget, body, tab_id=tab_id), show
    )


async def and_show(
    task: Task, budget: Budget, action: Callable[[], Awaitable[ActionResult]], show: Show
) -> ActionResult:
    """Run an action and add a snapshot of its tab, or of the tab's changes, to the result.

    If the page can't be read, add a note and raise no error, because the action is already done.
    """
    result = await action()
    if show == "none" or result.tab_id is None:
        return result
    try:
        shown = await _shown(task, budget, result.tab_id, show)
    except Cancelled:
        raise
    except TabwardenError as error:
        # The hint says how a hung page was freed, and what that cost.
        why = f"The snapshot after the action failed: {error.message}"
        return msgspec.structs.replace(result, note=joined(result.note, why, error.hint))
    return msgspec.structs.replace(result, snapshot=shown)


async def _shown(task: Task, budget: Budget, tab_id: str, show: Show) -> Snapshot:
    if not blocking_dialogs(task.state, tab_id):
        with suppress(Interrupted):  # by a dialog, which the snapshot shows
            await or_rescued(task, tab_id, budget, _at_rest(task, budget, tab_id))
    return await read(task, budget, tab_id=tab_id, diff=show == "diff")


async def _at_rest(task: Task, budget: Budget, tab_id: str) -> None:
    with Race(task.supervisor, but_rescue(budget), tab_id) as race:
        await rest(task, race, tab_id)

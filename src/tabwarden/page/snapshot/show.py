"""Add a snapshot to an action's result, within the action's budget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import Cancelled, TabwardenError
from tabwarden.hints import joined
from tabwarden.page.call import budget_before_rescue, rest, run_or_rescue
from tabwarden.page.snapshot.snapshot import read
from tabwarden.page.snapshot.timing import EFFECT_MS
from tabwarden.page.snapshot.view import UNCHANGED
from tabwarden.page.task import (
    ActionResult,
    EffectWatch,
    Task,
    above_changes,
    is_blocked,
)
from tabwarden.supervisor.runtime import Interrupted, Race

Show = Literal["none", "diff", "full"]
SHOWS: tuple[Show, ...] = ("none", "diff", "full")
Addition = Show | Literal["effect"]
"""What a result shows. ``effect``: no snapshot, but an input's effect up to the moment when the
page rests. Interfaces for agents always show it.
"""


async def and_show(
    task: Task, budget: Budget, action: Callable[[], Awaitable[ActionResult]], show: Addition
) -> ActionResult:
    """Run an action. Add a snapshot of its tab, or of the changes in its tab, to the result.

    If the page can't be read, add a note instead of raising an error, because the action is done.
    """
    result = await action()
    if show == "none" or result.tab_id is None or (show == "effect" and not result.effect):
        return result
    try:
        return await _shown(task, budget, result, result.tab_id, show)
    except Cancelled:
        raise
    except TabwardenError as error:
        # The hint says how a hung page was freed, and which data was lost.
        what = "wait for the effect" if show == "effect" else "snapshot after the action"
        why = f"The {what} failed: {error.message}"
        failed = msgspec.structs.replace(result, note=joined(result.note, why, error.hint))
        return task.control.hide(failed)


async def _shown(
    task: Task, budget: Budget, result: ActionResult, tab_id: str, show: Addition
) -> ActionResult:
    has_input = result.effect or result.action == "batch"
    watch = task.memory_of(tab_id).last_input if has_input else None
    note: str | None = ""
    if not is_blocked(task.state, tab_id):
        with suppress(Interrupted):  # a dialog interrupts the wait; the snapshot shows it
            note = await run_or_rescue(
                task, tab_id, budget, _at_rest(task, budget, tab_id, watch, show)
            )
    effect = result.effect
    if watch is not None and effect:
        effect = watch.line(task.state, tells_value=result.value is not None)
    note = joined(result.note, note if note and note not in result.note else "")
    if show == "effect":
        return task.control.hide(msgspec.structs.replace(result, effect=effect, note=note))
    compares = show == "diff" and None in task.memory_of(tab_id).outlines
    shown = await read(task, budget, tab_id=tab_id, diff=show == "diff", brief=show == "diff")
    if compares and not shown.stale and UNCHANGED not in shown.text.splitlines():
        effect = above_changes(effect)
    done = task.control.hide(msgspec.structs.replace(result, effect=effect, note=note))
    return msgspec.structs.replace(done, snapshot=shown)


async def _at_rest(
    task: Task, budget: Budget, tab_id: str, watch: EffectWatch | None, show: Addition
) -> str | None:
    with Race(task.supervisor, budget_before_rescue(budget), tab_id) as race:
        if watch is None:
            return await rest(task, race, tab_id, arrives=show != "effect")
        watch.requests.keep_on()
        try:
            note = await rest(task, race, tab_id, watch, arrives=show != "effect")
            await watch.hear(race, watch.ask(race), at_most_ms=EFFECT_MS)
        finally:
            watch.requests.end()
        return note

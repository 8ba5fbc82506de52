"""Wait until a page shows the effect of an action, and has come to rest.

``stillness`` decides how long to wait. This module checks the page and waits between the checks.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import msgspec

from tabwarden.page.call.settle import is_on_its_way
from tabwarden.page.call.stillness import (
    Activity,
    Decision,
    after_arrival,
    after_input,
    combine,
    next_look_ms,
)
from tabwarden.page.call.timing import (
    BUSY_MS,
    DRAWN_MS,
    FOCUS_MS,
    GLANCE_MS,
    OWN_WORLD_MS,
    REST_MS,
    SETTLE_MS,
)
from tabwarden.page.task import EffectWatch, Task
from tabwarden.page.walker import WorldGone, start, value_of
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Frame
from tabwarden.supervisor.runtime import CommandRefused, Pending, Race

CHANGING_NOTE = "The page is still changing."
_OF_LATE_LISTS = ("hover", "press", "type")
SHARE = 0.4
"""The share of the remaining budget that a wait may use."""
MAY_BE_UNDRAWN = (
    "document.scripts.length > 0 && !document.body?.getElementsByTagName('*')[2500] &&"
    " !(document.body?.innerText.trim().length > 200 &&"
    " document.querySelector('main, [role=main]')?.innerText.trim() !== '')"
)
"""Whether to inject the walker into a new document, to check that the document is rendered. Most
pages get the walker only when they are read."""


def own_world_question(expression: str) -> runtime.Evaluate:
    """Return a command that evaluates an expression in the page's main world, with a time limit."""
    return runtime.Evaluate(
        expression=expression, return_by_value=True, silent=True, timeout=OWN_WORLD_MS
    )


BARS = own_world_question(
    "visualViewport.scale === 1 ? [innerWidth - visualViewport.width,"
    " innerHeight - visualViewport.height] : [0, 0]"
)
"""Reads the scroll bar sizes. Send this before the command that reads the metrics, so that its
reply arrives first."""
_Bar = Annotated[float, msgspec.Meta(ge=0, le=50)]


async def rest(
    task: Task,
    race: Race,
    tab_id: str,
    watch: EffectWatch | None = None,
    *,
    if_undrawn: bool = False,
    arrives: bool = True,
) -> str | None:
    """Wait until the page shows the effect. Return a note if the page is still changing after the
    wait.

    Args:
        watch: the input that has just been sent; None after a navigation.
        if_undrawn: return None at once unless the page shows nothing yet, or shows little and is
            busy.
        arrives: whether the page is read afterwards: then also wait for the new document after a
            navigation, and for the lists that keys and hovers open.
    """
    began, drawn_at, is_first, next_look_in_ms = time.monotonic(), 0.0, True, 0.0
    limit_ms = race.budget.remaining_ms() * SHARE
    at_most_ms = min(SETTLE_MS, limit_ms)
    is_endless = watch is None and _never_finishes(task.state.top_frame(tab_id))
    if is_endless or (not arrives and is_on_its_way(task.state, tab_id)):
        return ""
    await race.until(lambda state: not is_on_its_way(state, tab_id), at_most_ms=at_most_ms)
    while True:
        worlds = await _worlds(task, race, tab_id, watch)
        is_same_document = watch is not None and bool(worlds) and watch.stands(worlds[0])
        if not arrives and not is_same_document:
            return ""
        quiet_ms = REST_MS if is_same_document else 0
        activity = await _look(race, worlds, quiet_ms, next_look_in_ms)
        next_look_in_ms = 0
        if activity is None:  # the page is busy, or its document has just been replaced
            if watch is not None:
                return ""
            if (time.monotonic() - began) * 1000 >= min(DRAWN_MS, limit_ms):
                return CHANGING_NOTE
            await race.pause(GLANCE_MS)
            continue
        now = time.monotonic()
        waited_ms = (now - began) * 1000
        if watch is not None and is_same_document:
            decision, next_look_in_ms, in_page = _after_input(
                task, watch, activity, waited_ms, arrives=arrives
            )
        else:
            next_look_in_ms, in_page = GLANCE_MS, False
            if is_first and if_undrawn and not activity.is_undrawn:
                return None
            drawn_at = drawn_at or (0.0 if activity.is_undrawn else now)
            drawn_ms = (now - drawn_at) * 1000 if drawn_at else 0
            decision = after_arrival(activity, waited_ms, drawn_ms)
            if decision != "wait":
                task.memory_of(tab_id).drawn_document = task.state.document_in(tab_id)
        is_first = False
        if decision == "wait" and waited_ms < limit_ms:
            if not in_page or len(worlds) > 1:
                await race.pause(min(GLANCE_MS, next_look_in_ms))
                next_look_in_ms = 0
            continue
        return "" if decision == "go" else CHANGING_NOTE


def _never_finishes(top: Frame | None) -> bool:
    """Whether a document was not received completely, so that it looks busy for ever."""
    ended_early = top is not None and top.lifecycle & {"used", "stopped"}
    return bool(ended_early) and top is not None and "DOMContentLoaded" not in top.lifecycle


def _after_input(
    task: Task, watch: EffectWatch, activity: Activity, waited_ms: float, *, arrives: bool
) -> tuple[Decision, float, bool]:
    """Return the decision, the time to the next look, and whether to wait in the page, which ends
    the wait at the next change."""
    if watch.requests.awaits:
        activity = msgspec.structs.replace(activity, busy=True)
        watch.requests.were_awaited = True
    may_be_late = arrives and watch.action in _OF_LATE_LISTS
    has_facts = not activity.changed and watch.has_facts(task.state)
    decision = after_input(activity, waited_ms, may_be_late=may_be_late, has_facts=has_facts)
    next_ms = next_look_ms(activity, waited_ms, may_be_late=may_be_late)
    return decision, next_ms, not activity.busy


async def wait_until_drawn(task: Task, race: Race, tab_id: str) -> str | None:
    """Wait for a web application that shows nothing yet. Return None if no wait was needed.
    Otherwise return "", or a note if the page is still changing after the wait."""
    top = task.state.top_frame(tab_id)
    if top is None or top.navigating or "used" in top.lifecycle or _has_waited(task, tab_id):
        return None
    at_most_ms = min(SETTLE_MS, race.budget.remaining_ms() * SHARE)
    if not await race.until(lambda state: not is_on_its_way(state, tab_id), at_most_ms=at_most_ms):
        return None
    if task.worlds.known(top.frame_id) is None:
        pending = race.start(own_world_question(MAY_BE_UNDRAWN), top.session_id)
        if not await race.answered(pending, at_most_ms=BUSY_MS):
            return CHANGING_NOTE
        try:
            if (await race.result(pending)).result.value is not True:
                return None
        except CommandRefused:
            return None
    return await rest(task, race, tab_id, if_undrawn=True)


def _has_waited(task: Task, tab_id: str) -> bool:
    """Whether a call has already waited for the tab's document."""
    return task.memory_of(tab_id).drawn_document == task.state.document_in(tab_id)


async def _worlds(
    task: Task, race: Race, tab_id: str, watch: EffectWatch | None
) -> Sequence[ExecutionContext]:
    """Return the worlds to check, starting with the top document's world."""
    top = task.state.top_frame_id(tab_id)
    try:
        world = await task.worlds.of(race, top) if top is not None else None
    except WorldGone:
        world = None
    if world is None:
        return ()
    below = watch.worlds_below(world) if watch is not None else ()
    return (world, *below)


async def _look(
    race: Race, worlds: Sequence[ExecutionContext], quiet_ms: int, wait_ms: float
) -> Activity | None:
    """Return the activity in the documents; None if the top document does not respond.

    With ``wait_ms``, wait in the page for the next change, at most so long.
    """
    activities: list[Activity] = []
    if wait_ms:
        pending = [start(race, worlds[0], "activityAfter", quiet_ms, wait_ms)]
    else:
        pending = [start(race, world, "activity", quiet_ms) for world in worlds]
    for at, one in enumerate(pending):
        try:
            if await race.answered(one, at_most_ms=FOCUS_MS if at else BUSY_MS + wait_ms):
                activities.append(msgspec.convert(await value_of(race, one), Activity))
            elif at == 0:
                return None
        except WorldGone:
            if at == 0:
                return None
    return combine(activities) if activities else None


async def bar_sizes(race: Race, pending: Pending[runtime.EvaluateResult]) -> tuple[float, float]:
    """Return the width of the viewport's vertical scroll bar and the height of the horizontal one,
    in CSS pixels. Return zeros if the browser has not replied. Never wait for the reply."""
    if await race.answered(pending, at_most_ms=0):
        with suppress(CommandRefused, msgspec.ValidationError):
            return msgspec.convert((await race.result(pending)).result.value, tuple[_Bar, _Bar])
    return 0.0, 0.0

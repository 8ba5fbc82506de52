"""After an input, find out whether it caused a navigation, without sleeping.

A small round trip on the page's session delivers all events caused by the input. If a navigation or
a request has begun by then, wait for it up to a limit.
"""

from __future__ import annotations

import time
from typing import Any

from tabwarden.page.call.timing import (
    EARLIER_MS,
    FLUSH_MS,
    GLANCE_MS,
    NAVIGATION_MS,
    REQUESTS_MS,
    SHOWS_MS,
)
from tabwarden.page.task import Call, Task
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Pending, Race

BUSY_NOTE = "The page is still busy with the effects of this action."
LOADING_NOTE = "The new page is still loading."


async def settle(call: Call, *, flushed: bool = False) -> str:
    """Wait for the effects of an input. Return a note if they are still in progress. If the page's
    session has already replied since the input (``flushed``), skip the round trip."""
    if not flushed and not is_on_its_way(
        call.state, call.tab.tab_id
    ):  # during a navigation, the browser would delay the command
        flush = call.race.start(runtime.Evaluate(expression="0", silent=True), call.tab.session_id)
        if not await answers_soon(call.race, flush):
            return BUSY_NOTE
    is_quiet = await call.race.until(
        lambda state: not state.is_asking(call.tab.tab_id), at_most_ms=_share(call.race, FLUSH_MS)
    )
    if not is_quiet:
        return BUSY_NOTE
    if not is_on_its_way(call.state, call.tab.tab_id):
        await _wait_for_requests(call)
    if not is_on_its_way(call.state, call.tab.tab_id):
        return ""
    arrived = await call.race.until(
        lambda state: not is_on_its_way(state, call.tab.tab_id),
        at_most_ms=_share(call.race, NAVIGATION_MS),
    )
    return "" if arrived else LOADING_NOTE


async def _wait_for_requests(call: Call) -> None:
    """Wait for the requests and frame navigations that the input began, and then for the page to
    show their results."""
    race, watch = call.race, call.memory.last_input
    if watch is None or not watch.awaits(call.state):
        return
    ended = watch.requests.none_left()
    began = time.monotonic()
    if not await race.finished(ended, at_most_ms=_share(race, REQUESTS_MS)):
        watch.requests.pass_over()
        return
    left_ms = max(0.0, REQUESTS_MS - (time.monotonic() - began) * 1000)
    await race.until(lambda state: not watch.awaits(state), at_most_ms=_share(race, left_ms))
    began = time.monotonic()
    while (waited_ms := (time.monotonic() - began) * 1000) < SHOWS_MS:
        changed_ago_ms = await watch.changed_ago_ms(race, FLUSH_MS)
        if changed_ago_ms is not None and changed_ago_ms < waited_ms + EARLIER_MS:
            return
        if await race.until(
            lambda state: is_on_its_way(state, call.tab.tab_id), at_most_ms=GLANCE_MS
        ):
            return


def is_settled(task: Task, tab: Tab) -> bool:
    """Whether all known effects of an input are complete."""
    state = task.state
    return not state.is_asking(tab.tab_id) and not is_on_its_way(state, tab.tab_id)


async def answers_soon(race: Race, pending: Pending[Any]) -> bool:
    """Whether the page responds as quickly as an idle page."""
    return await race.answered(pending, at_most_ms=_share(race, FLUSH_MS))


def is_on_its_way(state: SupervisorState, tab_id: str) -> bool:
    """Whether the tab's top frame is navigating or not yet parsed. False if its document never
    finishes loading and the loaded part is already in use."""
    frame = state.top_frame(tab_id)
    if frame is None:
        return False
    is_used = frame.is_parsed or "used" in frame.lifecycle
    return frame.navigating or (bool(frame.lifecycle) and not is_used)


def _share(race: Race, at_most_ms: float) -> float:
    """Shorten a wait so that the caller's budget leaves time to finish the action."""
    return min(at_most_ms, race.budget.remaining_ms() * 0.5)

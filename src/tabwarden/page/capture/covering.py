"""Covering: cover the secrets that a page shows, so that no picture has them.

The covers stay. A picture that was taken meanwhile may show what was not covered yet, so whoever
gets pictures all the time drops such a picture.
"""

from __future__ import annotations

import asyncio

from tabwarden.budget import Budget
from tabwarden.errors import FrameNotFound, TabwardenError
from tabwarden.page.capture.timing import COVER_MS
from tabwarden.page.elements import open_closed
from tabwarden.page.task import Task
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.handlers import descendants
from tabwarden.supervisor.runtime import Interrupted, Race

_ROUNDS = 4


async def cover_secrets(task: Task, race: Race, tab_id: str) -> bool | None:
    """Cover the secrets in all frames of a tab.

    Args:
        task: whose secrets.
        race: limits the wait, with a short limit of its own.
        tab_id: the tab.

    Returns:
        Whether there were some that were not covered before; None if the page did not answer.
    """
    top = task.state.top_frame_id(tab_id)
    if not task.vault.hidden.is_known or top is None:
        return False
    frames = [top, *descendants(task.state, [top])]
    work = asyncio.gather(*(_cover(task, race, one) for one in frames), return_exceptions=True)
    try:
        if not await race.finished(work, at_most_ms=COVER_MS * task.supervisor.hang_patience):
            return None
    finally:
        work.cancel()
    found = work.result()
    race.raise_if_ended()
    return None if any(isinstance(one, BaseException) for one in found) else any(found)


async def cover_all(task: Task, race: Race, tab_id: str) -> bool:
    """Cover the secrets of a tab until there are no more. Return False if the page does not answer,
    or shows another one each time."""
    for _ in range(_ROUNDS):
        found = await cover_secrets(task, race, tab_id)
        if not found:
            return found is False
    return False


async def may_show(task: Task, tab_id: str) -> bool:
    """Cover a tab's secrets, outside of any call. Return whether a picture that was just taken may
    be shown: it shows no secret that was not covered."""
    try:
        with Race(task.supervisor, Budget(2 * COVER_MS), tab_id, through_dialogs=True) as race:
            return await cover_secrets(task, race, tab_id) is False
    except (TabwardenError, Interrupted):
        return False


async def _cover(task: Task, race: Race, frame_id: str) -> bool:
    world = None
    try:
        world = await task.worlds.of(race, frame_id)
        drawn = await call_walker(race, world, "drawnTexts")
        if drawn["suspects"] and await open_closed(race, world):
            drawn = await call_walker(race, world, "drawnTexts")
        parts = [
            [_units(drawn["text"], start), _units(drawn["text"], end)]
            for start, end in task.vault.hidden.places_in(drawn["text"])
        ]
        numbers = [
            number
            for number, text in enumerate(drawn["fields"])
            if any(True for _ in task.vault.hidden.places_in(text))
        ]
        if not parts and not numbers:
            return False
        return bool(await call_walker(race, world, "coverTexts", parts, numbers))
    except (WorldGone, FrameNotFound):  # the document is gone, and so is what it showed
        if world is not None and task.state.worlds.get(frame_id) == world:
            raise
        return True  # look at the next document


def _units(text: str, index: int) -> int:
    """Return an index in JavaScript's units."""
    return index if text.isascii() else len(text[:index].encode("utf-16-le")) // 2

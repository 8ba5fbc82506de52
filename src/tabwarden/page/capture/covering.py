"""Cover the secrets that a page shows, so that no screenshot contains them.

The covers remain on the page. An image that was taken before the covers were drawn may show a
secret, so the live view and recordings drop such images.
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
        task: the task with the secrets.
        race: the race that limits the wait, in addition to a short fixed limit.
        tab_id: the tab.

    Returns:
        Whether new secrets were covered; None if the page did not respond.
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
    results = work.result()
    race.raise_if_ended()
    return None if any(isinstance(one, BaseException) for one in results) else any(results)


async def cover_all(task: Task, race: Race, tab_id: str) -> bool:
    """Cover a tab's secrets until all are covered. Return False if the page does not respond or
    keeps showing new secrets."""
    for _ in range(_ROUNDS):
        has_covered = await cover_secrets(task, race, tab_id)
        if not has_covered:
            return has_covered is False
    return False


async def may_show(task: Task, tab_id: str) -> bool:
    """Cover a tab's secrets, outside of any call. Return whether the last image may be shown: True
    if all secrets were already covered."""
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
    except (WorldGone, FrameNotFound):  # the document and its content are gone
        if world is not None and task.state.worlds.get(frame_id) == world:
            raise
        return True  # the next document must be checked


def _units(text: str, index: int) -> int:
    """Convert an index to UTF-16 code units, which JavaScript uses."""
    return index if text.isascii() else len(text[:index].encode("utf-16-le")) // 2

"""Going to a URL, and what its server answered: an error has a page too, which may look fine."""

from __future__ import annotations

from http import HTTPStatus

from tabwarden.page.navigate import WaitUntil, goto
from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.protocol import runtime
from tabwarden.supervisor import CommandRefused, Race, Tab

__all__ = ["goto_and_tell"]

_STATUS = "performance.getEntriesByType('navigation')[0]?.responseStatus"
_TOLD_MS = 50.0
_ERRORS = range(400, 600)


async def goto_and_tell(
    task: Task, race: Race, tab: Tab, url: str, *, wait_until: WaitUntil = "load"
) -> Done:
    """``goto``; with a note when the server answered with an error.

    The page is asked for that while the browser process is asked for the title (so whoever performs
    this need not refresh).
    """
    done = await goto(task, race, tab, url, wait_until=wait_until)
    now = task.state.tabs.get(tab.tab_id, tab)
    asked = race.start(runtime.Evaluate(expression=_STATUS, silent=True), now.session_id)
    await task.refresh(race, tab.tab_id)
    if not await race.answered(asked, at_most_ms=_TOLD_MS):
        return done
    try:
        status = (await race.result(asked)).result.value
    except CommandRefused:
        return done
    if not isinstance(status, int) or status not in _ERRORS:
        return done
    return done._replace(note=" ".join(filter(None, [done.note, _words(status)])))


def _words(status: int) -> str:
    try:
        return f"The server answered {status} ({HTTPStatus(status).phrase})."
    except ValueError:
        return f"The server answered {status}."

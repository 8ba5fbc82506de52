"""HTTP status: navigate, and report an HTTP error, which the page itself may not show."""

from __future__ import annotations

from http import HTTPStatus

from tabwarden.page.navigation.navigate import WaitUntil, goto
from tabwarden.page.navigation.timing import STATUS_MS
from tabwarden.page.task import Call, Done
from tabwarden.protocol import runtime
from tabwarden.supervisor import CommandRefused

_STATUS = "performance.getEntriesByType('navigation')[0]?.responseStatus"
_ERRORS = range(400, 600)


async def goto_and_tell(call: Call, url: str, *, wait_until: WaitUntil = "load") -> Done:
    """Run ``goto``, and add a note if the server replied with an HTTP error. Refresh the tab at the
    same time, so that the caller need not refresh it."""
    done = await goto(call, url, wait_until=wait_until)
    now = call.state.tabs.get(call.tab.tab_id, call.tab)
    asked = call.race.start(runtime.Evaluate(expression=_STATUS, silent=True), now.session_id)
    await call.task.refresh(call.race, call.tab.tab_id)
    if not await call.race.answered(asked, at_most_ms=STATUS_MS):
        return done
    try:
        status = (await call.race.result(asked)).result.value
    except CommandRefused:
        return done
    if not isinstance(status, int) or status not in _ERRORS:
        return done
    return done._replace(note=" ".join(filter(None, [done.note, _words(status)])))


def _words(status: int) -> str:
    try:
        return f"The server replied {status} ({HTTPStatus(status).phrase})."
    except ValueError:
        return f"The server replied {status}."

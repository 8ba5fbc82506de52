"""HTTP status: navigate, and report an HTTP error, which the page itself may not show.

The same question tells whether the page may have drawn nothing yet, so most pages cost no other.
"""

from __future__ import annotations

from http import HTTPStatus

from tabwarden.hints import joined
from tabwarden.page.call import MAY_BE_UNDRAWN, own_world_question, rest
from tabwarden.page.navigation.navigate import WaitUntil, goto
from tabwarden.page.navigation.timing import STATUS_MS
from tabwarden.page.task import Call, Done
from tabwarden.supervisor import CommandRefused

_STATUS = "performance.getEntriesByType('navigation')[0]?.responseStatus"
_SEEN = f"[{_STATUS}, {MAY_BE_UNDRAWN}]"
_EARLY = ("commit", "domcontentloaded")
_ERRORS = range(400, 600)


async def goto_and_tell(call: Call, url: str, *, wait_until: WaitUntil = "load") -> Done:
    """Run ``goto``, wait for a page that draws itself, and add a note if the server replied with an
    HTTP error. Refresh the tab at the same time, so that the caller need not refresh it."""
    done = await goto(call, url, wait_until=wait_until)
    now = call.state.tabs.get(call.tab.tab_id, call.tab)
    asked = call.race.start(own_world_question(_SEEN), now.session_id)
    await call.task.refresh(call.race, call.tab.tab_id)
    if not await call.race.answered(asked, at_most_ms=STATUS_MS):
        return done
    try:
        seen = (await call.race.result(asked)).result.value
    except CommandRefused:
        return done
    match seen:
        case [status, bool(may_be_undrawn)]:
            note = _words(status) if status in _ERRORS else ""
        case _:
            return done
    if may_be_undrawn and wait_until not in _EARLY:
        note = joined(note, await rest(call.task, call.race, now.tab_id, if_undrawn=True) or "")
    return done._replace(note=joined(done.note, note)) if note else done


def _words(status: int) -> str:
    try:
        return f"The server replied {status} ({HTTPStatus(status).phrase})."
    except ValueError:
        return f"The server replied {status}."

"""Documents that do not finish loading, such as an event stream or a stalled response. The received
part can be read, so the navigation stops waiting."""

from __future__ import annotations

import time

from tabwarden.page.call import own_world_question
from tabwarden.page.navigation.timing import ANSWER_MS, BUSY_S, STOPPED_MS
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.inputs import UsedWhileArriving
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import CommandRefused, Race

_ARRIVING_NOTE = (
    "The document is still being received. The part received so far can be read and used."
)
_STOPPED_NOTE = (
    "The document was received faster than the browser could render it, so Tabwarden "
    "stopped loading it. The part received so far can be read and used."
)
_ARRIVES = (
    "[performance.getEntriesByType('navigation')[0]?.responseEnd === 0,"
    " /^(text\\/event-stream|multipart\\/)/.test(document.contentType)]"
)


async def arriving_note(race: Race, tab: Tab, *, is_late: bool) -> str:
    """Return a note if the tab's document is still arriving and is endless or late. Return "" if
    the document has arrived, is waiting for a script or a stylesheet, or does not respond.

    If the document arrives so fast that the page hardly responds, stop loading it.
    """
    document = race.supervisor.state.document_in(tab.tab_id)
    pending = race.start(own_world_question(_ARRIVES), tab.session_id)
    began = time.monotonic()
    at_most_ms = min(ANSWER_MS, race.budget.remaining_ms() * 0.5)
    if not await race.answered(pending, at_most_ms=at_most_ms):
        return ""
    try:
        answer = (await race.result(pending)).result.value
    except CommandRefused:
        return ""
    match answer:
        case [True, bool(is_endless)] if is_late or is_endless:
            if time.monotonic() - began < BUSY_S * race.supervisor.hang_patience:
                race.supervisor.feed(UsedWhileArriving(tab.tab_id, document))
                return _ARRIVING_NOTE
        case _:
            return ""
    race.start(page.StopLoading(), tab.session_id)

    def is_over() -> bool:
        top = race.supervisor.state.top_frame(tab.tab_id)
        return top is None or top.loader_id != document or top.is_parsed

    await race.until(lambda _: is_over(), at_most_ms=STOPPED_MS)
    return _STOPPED_NOTE

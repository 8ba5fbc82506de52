"""Documents that do not finish loading, such as an event stream or a stalled response. The received
part can be read, so the navigation stops waiting."""

from __future__ import annotations

import time

from tabwarden.page.call import own_world_question
from tabwarden.page.navigation.timing import ANSWER_MS, BUSY_S, STALLED_S, STOPPED_MS
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.inputs import UsedWhileArriving
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import CommandRefused, Race

_ARRIVING_NOTE = (
    "The document is still being received. The part received so far can be read and used."
)
_STOPPED_NOTE = (
    "The document kept growing fast, so Tabwarden stopped loading it. The part received so far can "
    "be read and used."
)
_ARRIVES = (
    "[performance.getEntriesByType('navigation')[0]?.responseEnd === 0,"
    " /^(text\\/event-stream|multipart\\/)/.test(document.contentType),"
    " document.body?.getElementsByTagName('*')[2000]"
    " ? document.getElementsByTagName('*').length * 100"
    " : document.body?.innerText.trim() ? document.body.textContent.length : 0]"
)
"""Whether the document is still arriving, whether its type is endless, and its size in characters
(for a large document, an estimate)."""
_FLOOD = 200_000
"""A document that grows by so many characters between two questions would soon make the page
hang."""


class Arrival:
    """Watches a tab's document while the browser receives it."""

    def __init__(self, race: Race, tab: Tab) -> None:
        self._race, self._tab = race, tab
        self._document, self._size = "", 0
        """The document at the last question, and its size in characters; 0 if it showed nothing."""
        self._grew_at = 0.0

    async def note(self, *, is_late: bool) -> str:
        """Return a note if the document is still arriving, and it is endless, late, or shows
        something and has stopped growing. Return "" if the document has arrived, is waiting for a
        script or a stylesheet, or does not respond.

        If the document arrives so fast that the page hardly responds, or soon will, stop loading
        it.
        """
        race, tab = self._race, self._tab
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
            case [True, bool(is_endless), int(size)]:
                growth = self._growth(document, size)
                is_stalled = size > 0 and time.monotonic() - self._grew_at > STALLED_S
                if not (is_late or is_endless or is_stalled):
                    return ""
            case _:
                return ""
        is_busy = time.monotonic() - began > BUSY_S * race.supervisor.hang_patience
        if not is_busy and growth < _FLOOD:
            race.supervisor.feed(UsedWhileArriving(tab.tab_id, document))
            return _ARRIVING_NOTE
        race.start(page.StopLoading(), tab.session_id)

        def is_over() -> bool:
            top = race.supervisor.state.top_frame(tab.tab_id)
            return top is None or top.loader_id != document or top.is_parsed

        await race.until(lambda _: is_over(), at_most_ms=STOPPED_MS)
        return _STOPPED_NOTE

    def _growth(self, document: str, size: int) -> int:
        """Return by how much the document has grown since the last question."""
        last, (self._document, self._size) = (self._document, self._size), (document, size)
        if (document, size) != last:
            self._grew_at = time.monotonic()
        return size - last[1] if document == last[0] else 0

"""Receiver: asks the page whether the focused field, which gets the typed text, is secret."""

from __future__ import annotations

from tabwarden.journal import typed
from tabwarden.page.input.typing.timing import RECEIVER_MS
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone, start, value_of


class Receiver:
    """Asks before the text is sent, and hears the answer after it, so that nothing waits."""

    def __init__(self, call: Call, text: str) -> None:
        self._race, self._text = call.race, text
        top = call.state.top_frame_id(call.tab.tab_id)
        world = call.task.worlds.known(top) if top is not None else None
        self._asked = start(call.race, world, "secretNow") if world is not None else None

    async def noted(self) -> None:
        """Note in the journal what the page said. Without an answer, the text stays hidden."""
        if self._asked is None or not await self._race.answered(
            self._asked, at_most_ms=RECEIVER_MS
        ):
            return
        try:
            is_secret = await value_of(self._race, self._asked)
        except WorldGone:
            return
        if is_secret is not None:
            typed(self._text, is_secret=is_secret)

"""Press guard: a mouse press reaches the intended element or no element.

A page may move, replace or cover an element between the aim and the press. A guard script in the
element's frame, and in each frame around that, blocks a press that would land elsewhere
(``js/input/press_guard.js``). The caller then aims again. This never acts twice, because a blocked
press had no effect.
"""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.errors import NotInteractable
from tabwarden.hints import Hint, Next
from tabwarden.page.call import answered, is_on_its_way
from tabwarden.page.elements import Aimed
from tabwarden.page.input.timing import GUARD_ANSWER_MS
from tabwarden.page.task import Call, PageSeen, Ref
from tabwarden.page.walker import WorldGone, start, value_of
from tabwarden.supervisor import Race

TRIES = 5


class Went(NamedTuple):
    """The outcome of some presses."""

    landed: bool | None
    """Whether the presses hit the intended element. None if the page is too busy to say."""
    strayed: bool = False
    """Whether the guard blocked a later press, as in a double click, that would have missed."""
    clicked: bool | None = None
    """Whether a click event followed. No click follows if another element is under the mouse at the
    release."""
    seen: PageSeen | None = None
    """The page's state after the press, if the reply included it."""


class Press:
    """Ask how a press went, together with the press.

    The answer arrives with the press's own reply, which saves a round trip.
    """

    def __init__(self, race: Race, aimed: Aimed, releases: int) -> None:
        self._race = race
        self._world = aimed.worlds[0]
        # After a press in a child frame, the guards in its parent frames get no signal.
        self._asked = (
            start(race, self._world, "pressDone", releases) if len(aimed.worlds) == 1 else None
        )

    async def told(self) -> Went | None:
        """Return how the press went, or None if that is not known yet."""
        asked = self._asked
        if asked is None or not await self._race.answered(asked, at_most_ms=GUARD_ANSWER_MS):
            return None
        try:
            told = await value_of(self._race, asked)
        except WorldGone:
            return None
        if told["landed"] is None:
            return None
        seen = PageSeen(self._world, told["focus"], told["title"])
        return Went(told["landed"], told["strayed"], told["clicked"], seen)


async def landed(call: Call, aimed: Aimed) -> Went:
    """Return how completed presses went."""
    return await _told(call, aimed, "pressSeen")


async def begun(call: Call, aimed: Aimed) -> Went:
    """Return how a press went while its button is still down. If the press missed, the guard stays
    until the release, and ``landed`` then returns the outcome.
    """
    return await _told(call, aimed, "pressBegun")


async def _told(call: Call, aimed: Aimed, question: str) -> Went:
    if is_on_its_way(call.state, call.tab.tab_id):  # a command would wait for the new page
        return Went(None)
    asked = [start(call.race, world, question) for world in aimed.worlds]
    for one in asked:
        if not await answered(call.race, one):
            return Went(None)
    try:
        told = [await value_of(call.race, one) for one in asked]
    except WorldGone:
        return Went(None)
    return Went(
        all(one["landed"] is not False for one in told),
        any(one["strayed"] for one in told),
        told[0].get("clicked"),
    )


def runs_away(ref: Ref) -> NotInteractable:
    """The error for an element that moves away at every press."""
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) moves away or gets covered whenever the "
        "mouse approaches.",
        Hint("Nothing was clicked. Take a snapshot, or try a key", Next("press", key="..."), "."),
        ref=ref.ref,
        reason="moving",
    )

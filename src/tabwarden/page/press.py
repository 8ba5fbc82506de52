"""Press: the mouse's button goes down on the element that was aimed at, or on nothing.

Between the aim and the press a page may move, replace or cover an element. A witness in its frame,
and one in each frame around it, keeps a press that lands elsewhere from the page (``js/press.js``);
then it is aimed anew. Nothing that could act is sent twice: what was kept back has not acted.
"""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.errors import NotInteractable
from tabwarden.page.aim import Aimed
from tabwarden.page.refs import Ref
from tabwarden.page.result import PageSeen
from tabwarden.page.settle import answered, is_on_its_way
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, start, value_of
from tabwarden.supervisor import Race, Tab

__all__ = ["TRIES", "Press", "Went", "begun", "landed", "runs_away"]

TRIES = 5


class Went(NamedTuple):
    """How presses went."""

    landed: bool | None
    """Whether on the element that was aimed at; None: the page is busy with them."""
    strayed: bool = False
    """A later one of several would not have, and was kept from the page."""
    clicked: bool | None = None
    """Whether a click came of it: none does where something else is there by the release."""
    seen: PageSeen | None = None
    """How the page stands since, where that was told with it."""


_SOON_MS = 20.0
"""The answer is on its way when the press's own reply is there, or does not come by itself."""


class Press:
    """The question how a press went, sent with it: what answers comes with the press's own reply,
    and saves the trip that would ask for it.
    """

    def __init__(self, race: Race, aimed: Aimed, releases: int) -> None:
        self._race = race
        self._world = aimed.worlds[0]
        # In a frame nothing tells the frames around it that all is over.
        self._asked = (
            start(race, self._world, "pressDone", releases) if len(aimed.worlds) == 1 else None
        )

    async def told(self) -> Went | None:
        """How it went; None: it can't be said yet."""
        asked = self._asked
        if asked is None or not await self._race.answered(asked, at_most_ms=_SOON_MS):
            return None
        try:
            told = await value_of(self._race, asked)
        except WorldGone:
            return None
        if told["landed"] is None:
            return None
        seen = PageSeen(self._world, told["focus"], told["title"])
        return Went(told["landed"], told["strayed"], told["clicked"], seen)


async def landed(task: Task, race: Race, tab: Tab, aimed: Aimed) -> Went:
    """How presses went, which nobody waits for any more."""
    return await _told(task, race, tab, aimed, "pressSeen")


async def begun(task: Task, race: Race, tab: Tab, aimed: Aimed) -> Went:
    """How a press went whose button is down still: one that did not land is waited for until it is
    released, and asked for by ``landed`` then."""
    return await _told(task, race, tab, aimed, "pressBegun")


async def _told(task: Task, race: Race, tab: Tab, aimed: Aimed, question: str) -> Went:
    if is_on_its_way(task.state, tab.tab_id):  # commands would wait for where it leads to
        return Went(None)
    asked = [start(race, world, question) for world in aimed.worlds]
    for one in asked:
        if not await answered(race, one):
            return Went(None)
    try:
        told = [await value_of(race, one) for one in asked]
    except WorldGone:
        return Went(None)
    return Went(
        all(one["landed"] is not False for one in told),
        any(one["strayed"] for one in told),
        told[0].get("clicked"),
    )


def runs_away(ref: Ref) -> NotInteractable:
    """The error for an element that is elsewhere each time that it is pressed."""
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) moves away, or is covered, whenever the mouse "
        "comes to it.",
        "Nothing was clicked. Take a new snapshot; it may have a keyboard way (browser_press).",
        ref=ref.ref,
        reason="moving",
    )

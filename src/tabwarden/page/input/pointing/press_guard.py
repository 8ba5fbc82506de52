"""Make sure that a mouse press reaches the intended element or no element.

A page may move, replace or cover an element after we aim and before we press. A guard script in the
element's frame, and in each frame around it, blocks a press that would hit another element
(``js/input/press_guard.js``). The caller then aims again. The action never happens twice, because a
blocked press has no effect.
"""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.errors import NotInteractable
from tabwarden.hints import Hint, Next
from tabwarden.page.call import answers_soon, is_on_its_way
from tabwarden.page.elements import Aim
from tabwarden.page.task import Call, DocumentEffect, PageSeen, Ref, document_effect
from tabwarden.page.walker import WorldGone, call_walker, start, value_of
from tabwarden.supervisor.runtime import Race

GUARD_ANSWER_MS = 20.0
"""How long to wait for the guard's reply. The reply arrives right after the reply to the press, or
never."""
_RESTS_MS = 100
"""After a press that missed, how long the element must stay under the mouse before the next
press."""
_RESTED_MS = 600
"""How long to wait for the element to stay there. Some elements move away from the mouse."""
TRIES = 5


class PressOutcome(NamedTuple):
    """The outcome of one or more presses."""

    is_hit: bool | None
    """Whether the presses hit the intended element. None if the page is too busy to reply."""
    is_stray: bool = False
    """Whether the guard blocked a later press that would have missed, such as the second press of a
    double click."""
    is_clicked: bool | None = None
    """Whether a click event followed; None if unknown. If the button is released on another
    element, no click event follows."""
    page: PageSeen | None = None
    """The page's state after the press, if the reply contained it."""
    effects: tuple[DocumentEffect, ...] = ()
    """The effects of the press in the documents that replied."""
    is_unseen: bool = False
    """Whether all documents replied that they received no press."""


class Press:
    """Requests the outcome of a press together with the press itself, to save a round trip."""

    def __init__(self, race: Race, aimed: Aim, releases: int) -> None:
        self._race = race
        self._world = aimed.worlds[0]
        # The guards in parent frames don't see a press in a child frame.
        self._question = (
            start(race, self._world, "pressDone", releases) if len(aimed.worlds) == 1 else None
        )

    async def read_outcome(self) -> PressOutcome | None:
        """Return the outcome of the press, or None if it is not known yet."""
        question = self._question
        if question is None or not await self._race.answered(question, at_most_ms=GUARD_ANSWER_MS):
            return None
        try:
            reply = await value_of(self._race, question)
        except WorldGone:
            return None
        if reply["landed"] is None:
            return None
        page = PageSeen(self._world, reply["focus"], reply["title"])
        effect = document_effect(reply["effect"])
        effects = (effect,) if effect is not None else ()
        return PressOutcome(reply["landed"], reply["strayed"], reply["clicked"], page, effects)


async def read_press(call: Call, aimed: Aim) -> PressOutcome:
    """Return the outcome of completed presses."""
    return await _read_outcome(call, aimed, "pressSeen")


async def read_open_press(call: Call, aimed: Aim) -> PressOutcome:
    """Return the outcome of a press whose button is still down.

    If the press missed, the guard stays until the release. After that, ``read_press`` returns the
    outcome.
    """
    return await _read_outcome(call, aimed, "pressBegun")


async def _read_outcome(call: Call, aimed: Aim, question: str) -> PressOutcome:
    if is_on_its_way(call.state, call.tab.tab_id):  # a command would have to wait for the new page
        return PressOutcome(None)
    pending = [start(call.race, world, question) for world in aimed.worlds]
    for one in pending:
        if not await answers_soon(call.race, one):
            return PressOutcome(None)
    try:
        replies = [await value_of(call.race, one) for one in pending]
    except WorldGone:
        return PressOutcome(None)
    is_known = any(one["landed"] is not None for one in replies)
    return PressOutcome(
        all(one["landed"] is not False for one in replies) if is_known else None,
        any(one["strayed"] for one in replies),
        replies[0].get("clicked"),
        effects=tuple(filter(None, (document_effect(one.get("effect")) for one in replies))),
        is_unseen=not is_known,
    )


async def wait_until_rests(call: Call, ref: Ref, aimed: Aim) -> None:
    """After a press that missed, wait until the element stays in place under the mouse."""
    try:
        await call_walker(call.race, aimed.worlds[0], "rests", ref.local_id, _RESTS_MS, _RESTED_MS)
    except WorldGone:
        return


def runs_away_error(ref: Ref) -> NotInteractable:
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) moves away or is covered whenever the mouse "
        "approaches.",
        Hint("Nothing was clicked. Take a snapshot, or try a key", Next("press", key="..."), "."),
        ref=ref.ref,
        reason="moving",
    )

"""Press: the mouse's button goes down on the element that was aimed at, or on nothing.

Between the aim and the press a page may move, replace or cover an element. A witness in its frame,
and one in each frame around it, keeps a press that lands elsewhere from the page (``js/press.js``);
then it is aimed anew. Nothing that could act is sent twice: what was kept back has not acted.
"""

from __future__ import annotations

from tabwarden.errors import NotInteractable
from tabwarden.page.aim import Aimed
from tabwarden.page.refs import Ref
from tabwarden.page.settle import answered, is_on_its_way
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, start, value_of
from tabwarden.supervisor import Race, Tab

__all__ = ["TRIES", "landed", "runs_away"]

TRIES = 5


async def landed(task: Task, race: Race, tab: Tab, aimed: Aimed) -> bool | None:
    """Whether a press went to the element that was aimed at; None: the page is busy with it."""
    if is_on_its_way(task.state, tab.tab_id):  # commands would wait for where it leads to
        return None
    asked = [start(race, world, "pressSeen") for world in aimed.worlds]
    for one in asked:
        if not await answered(race, one):
            return None
    try:
        return all([await value_of(race, one) is not False for one in asked])
    except WorldGone:
        return None


def runs_away(ref: Ref) -> NotInteractable:
    """The error for an element that is elsewhere each time that it is pressed."""
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) moves away, or is covered, whenever the mouse "
        "comes to it.",
        "Nothing was clicked. Take a new snapshot; it may have a keyboard way (browser_press).",
        ref=ref.ref,
        reason="moving",
    )

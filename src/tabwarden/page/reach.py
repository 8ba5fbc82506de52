"""Reach: be sure that the mouse arrives in the frame that it is aimed at.

The browser process routes input to out-of-process frames by what was last drawn. A frame that has
just loaded, moved or been scrolled is not where the document says it is, for a moment: a click then
goes to the page around it, or nowhere (docs/decisions/0004: 13 of 80 right after a load). So a bare
move of the mouse goes ahead, a witness in the frame tells that it came, and only then are
buttons pressed. Nothing that could act is ever sent twice.
"""

from __future__ import annotations

from tabwarden.errors import NotInteractable
from tabwarden.page.aim import Aimed, aim, locate
from tabwarden.page.refs import Ref, stale
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call, start
from tabwarden.protocol import input as input_
from tabwarden.supervisor import Race, Tab

__all__ = ["reach"]

_TRIES = 20
_WAIT_MS = 60.0


async def reach(task: Task, race: Race, tab: Tab, ref: Ref, *, presses: int = 0) -> Aimed:
    """A point of the tab's viewport that hits a ref's element, and that the mouse gets to; see
    ``aim`` for ``presses``.

    Raises:
        StaleRef, NotInteractable, Obscured: as ``aim``; also when the mouse never arrives.
    """
    for _ in range(_TRIES):
        aimed = await aim(task, race, ref, presses=presses)
        point, world = aimed.point, await locate(task, race, ref)
        if world.session_id == tab.session_id:
            return aimed  # one renderer draws both: what the document says is so
        try:
            # Sent together, they are handled in this order, up to the move, which is awaited.
            expected = start(race, world, "mouseExpected")
            moved = race.start(
                input_.DispatchMouseEvent(type="mouseMoved", x=point.x, y=point.y), tab.session_id
            )
            await race.result(expected)
            came = await call(race, world, "mouseCame", _WAIT_MS)
            await race.answered(moved, at_most_ms=_WAIT_MS)
        except WorldGone as gone:
            raise stale(ref, "its document was replaced while it was aimed at") from gone
        if came:
            return aimed
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is in a frame that the mouse does not reach.",
        "Take a new snapshot; its frame may be covered or not drawn.",
        ref=ref.ref,
        reason="unreached",
    )

"""Make sure that the mouse reaches the intended frame, even if it is an out-of-process iframe.

The browser process uses the last painted image to route input to out-of-process frames. For a
moment after a frame loads, moves or scrolls, that image differs from the document, and a click goes
to the surrounding page or is lost (docs/decisions/0004: 13 of 80 clicks right after a load). So we
first send a mouse move, and a listener in the frame confirms that the move arrived. Only after this
confirmation do we press a button. We never repeat an event that could change the page.
"""

from __future__ import annotations

from tabwarden.errors import NotInteractable
from tabwarden.journal import set_on_current_call
from tabwarden.page.call import refuse_if_covered
from tabwarden.page.elements import Aim, aim, locate
from tabwarden.page.task import Call, Ref, stale
from tabwarden.page.walker import WorldGone, call_walker, start
from tabwarden.protocol import input as input_

_MOUSE_CAME_MS = 60.0
"""How long a mouse move may take to reach a frame in another process."""
_TRIES = 20


async def reach(call: Call, ref: Ref, *, presses: int | None = None) -> Aim:
    """Return a point in the tab's viewport where the mouse reaches the ref's element.

    Raises:
        StaleRef, Obscured: see ``aim``.
        NotInteractable: see ``aim``; also if the mouse never reaches the frame.
    """
    for _ in range(_TRIES):
        aimed = await aim(call, ref, presses=presses)
        set_on_current_call(point=(aimed.point.x, aimed.point.y))
        point, world = aimed.point, await locate(call, ref)
        if world.session_id == call.tab.session_id:
            return aimed  # the frame is in the same process as the tab's page
        try:
            # The browser handles these commands in order, so they can be sent together. Only the
            # mouse move is awaited.
            expected = start(call.race, world, "mouseExpected")
            move = call.race.start(
                input_.DispatchMouseEvent(type="mouseMoved", x=point.x, y=point.y),
                call.tab.session_id,
            )
            await call.race.result(expected)
            has_come = await call_walker(call.race, world, "mouseCame", _MOUSE_CAME_MS)
            await call.race.answered(move, at_most_ms=_MOUSE_CAME_MS)
        except WorldGone as error:
            raise stale(ref, "its document was replaced during the action") from error
        if has_come:
            return aimed
    await refuse_if_covered(call)
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is in a frame that mouse events do not reach.",
        "The frame may be covered, or not drawn yet. Take a new snapshot.",
        ref=ref.ref,
        reason="unreached",
    )

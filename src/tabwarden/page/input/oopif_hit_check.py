"""Reach: make sure that the mouse arrives in the intended frame.

The browser process routes input to out-of-process frames by the last drawn image. For a moment
after a frame loads, moves or scrolls, that image differs from the document. During that moment, a
click goes to the surrounding page, or nowhere (docs/decisions/0004: 13 of 80 right after a load).
So we first send a plain mouse move, and a listener in the frame confirms that the move arrived.
Only then are buttons pressed. Events that could act on the page are never sent twice.
"""

from __future__ import annotations

from tabwarden.errors import NotInteractable
from tabwarden.page.elements import Aimed, aim, locate
from tabwarden.page.input.timing import MOUSE_CAME_MS
from tabwarden.page.task import Call, Ref, stale
from tabwarden.page.walker import WorldGone, call_walker, start
from tabwarden.protocol import input as input_

_TRIES = 20


async def reach(call: Call, ref: Ref, *, presses: int = 0) -> Aimed:
    """Return a point in the tab's viewport where the mouse reaches the ref's element.

    Raises:
        StaleRef, NotInteractable, Obscured: as ``aim``; also if the mouse never arrives.
    """
    for _ in range(_TRIES):
        aimed = await aim(call, ref, presses=presses)
        point, world = aimed.point, await locate(call, ref)
        if world.session_id == call.tab.session_id:
            return aimed  # one renderer draws both, so the document's positions are right
        try:
            # The browser handles these commands in order, so they can be sent together. Only the
            # mouse move is awaited.
            expected = start(call.race, world, "mouseExpected")
            moved = call.race.start(
                input_.DispatchMouseEvent(type="mouseMoved", x=point.x, y=point.y),
                call.tab.session_id,
            )
            await call.race.result(expected)
            came = await call_walker(call.race, world, "mouseCame", MOUSE_CAME_MS)
            await call.race.answered(moved, at_most_ms=MOUSE_CAME_MS)
        except WorldGone as gone:
            raise stale(ref, "its document was replaced during the action") from gone
        if came:
            return aimed
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is in a frame that the mouse can't reach.",
        "Take a new snapshot; its frame may be covered or not drawn.",
        ref=ref.ref,
        reason="unreached",
    )

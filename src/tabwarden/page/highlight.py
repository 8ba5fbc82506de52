"""Highlight: a box around an element for a person who looks, drawn over the page by the browser.

The page can't notice it. The next action takes it away, or its time does.
"""

from __future__ import annotations

import asyncio

from tabwarden.page.aim import box, locate
from tabwarden.page.refs import stale
from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, element
from tabwarden.protocol import dom, overlay
from tabwarden.supervisor import Race, Tab

__all__ = ["LONGEST_S", "highlight"]

LONGEST_S = 60.0
_FILLED = dom.RGBA(r=214, g=0, b=108, a=0.25)
_EDGE = dom.RGBA(r=214, g=0, b=108, a=1)


async def highlight(task: Task, race: Race, tab: Tab, ref: str, duration_s: float) -> Done:
    """Scroll a ref's element into view and draw a box around it.

    The value is ``{"x", "y", "width", "height"}`` in CSS pixels of the viewport.

    Raises:
        StaleRef: the element is gone.
    """
    found = task.refs.find(ref)
    x, y, width, height = await box(task, race, found)
    world = await locate(task, race, found)
    try:
        object_id = await element(race, world, found.local_id)
    except WorldGone as gone:
        raise stale(found, "its document was replaced") from gone
    if object_id is None:
        raise stale(found, "it is no longer in the page")
    looks = overlay.HighlightConfig(
        show_info=False, content_color=_FILLED, border_color=_EDGE, padding_color=_FILLED
    )
    shown = [
        race.start(command, world.session_id)
        for command in (
            dom.Enable(),
            overlay.Enable(),
            overlay.HighlightNode(highlight_config=looks, object_id=object_id),
        )
    ]
    for one in shown:
        await race.result(one)
    _until_then(task, world.session_id, duration_s)
    return Done({"x": x, "y": y, "width": width, "height": height})


def _until_then(task: Task, session_id: str, duration_s: float) -> None:
    over = asyncio.get_running_loop().call_later(duration_s, task.unhighlight)

    def take_away() -> None:
        over.cancel()
        if task.state.health.status == "live" and session_id in task.state.sessions:
            task.supervisor.send(overlay.Disable(), session_id)

    task.highlighted = take_away

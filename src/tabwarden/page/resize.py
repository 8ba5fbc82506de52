"""Resize: how large a tab's viewport is."""

from __future__ import annotations

from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.page.worlds import call
from tabwarden.protocol import emulation
from tabwarden.supervisor import Race, Tab

__all__ = ["LARGEST", "SMALLEST", "resize"]

SMALLEST = 100
LARGEST = 8192
"""CSS pixels a side; a surface of 8,192 squared takes a quarter of a gigabyte."""


async def resize(task: Task, race: Race, tab: Tab, width: int, height: int) -> Done:
    """Make the viewport this large, over navigations too; a window keeps its own size.

    The value is ``{"width", "height"}`` as the page sees it.
    """
    await race.call(
        emulation.SetDeviceMetricsOverride(
            width=width, height=height, device_scale_factor=0, mobile=False
        ),
        tab.session_id,
    )
    world = await task.worlds.of(race, task.state.top_frame_id(tab.tab_id) or tab.target_id)
    return Done(await call(race, world, "viewport"))

"""A cube to turn with the mouse."""

from __future__ import annotations

import asyncio

from judges.miniwob.glyphs import read_slanted
from judges.miniwob.nodes import NotShown, Point
from judges.miniwob.oracles.registry import oracle, quoted
from judges.miniwob.picture import QUERY, WIDTH, Color
from judges.miniwob.verbs import PAUSE_S, Page

_CUBE, _BOTTOM = Point(80, 115), 175
_LEAST, _MORE = 24, 10
"""In pixels: how far a first drag goes, and how much farther the next if that changed nothing."""
_ENDS = ("1", "6")
"""The sides that come by turning up or down. The others come by turning to the side."""


@oracle("drag-cube")
async def turn_cube(page: Page) -> None:
    (goal,) = quoted(page.goal)
    outline = await page.look()
    submit = outline.find("button", "Submit")
    before, far = "", _LEAST
    for _ in range(30):
        side = await _active_side(page)
        if side == goal:
            # Not at once: the press would turn the cube by the mouse's way to the button.
            await page.hover(submit)
            await page.click(submit)
            return
        far = min(far + _MORE, 60) if side == before else _LEAST
        up = goal in _ENDS or side in _ENDS
        await page.drag(
            _CUBE, Point(_CUBE.x, _CUBE.y - far) if up else Point(_CUBE.x + far, _CUBE.y)
        )
        before = side
    raise NotShown(f"the side {goal} does not become active")


async def _active_side(page: Page) -> str:
    """The red digit, when neither the cube nor its colors change any more."""
    before: list[Color] = []
    while True:
        picture = await page.picture()
        now = [picture.color(x, y) for y in range(QUERY, _BOTTOM, 2) for x in range(0, WIDTH, 2)]
        digit = picture.mask(_is_red, bottom=_BOTTOM)
        if now == before and digit.getbbox():
            return read_slanted(digit, "123456")
        before = now
        await asyncio.sleep(PAUSE_S)


def _is_red(color: Color) -> bool:
    return color[0] > 200 and max(color[1:]) < 120

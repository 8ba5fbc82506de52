"""Boxes of a color, which a tool has to say in words."""

from __future__ import annotations

import colorsys
import re

from judges.miniwob.nodes import Node, NotShown, Outline, Point
from judges.miniwob.oracles.registry import oracle, said
from judges.miniwob.picture import Color
from judges.miniwob.verbs import Page

_HUES = {"red": 0, "orange": 36, "yellow": 60, "green": 120, "blue": 210, "purple": 270}
_HEX = re.compile(r"#([0-9a-f]{6})\b", re.I)


@oracle("click-color")
async def click_color(page: Page) -> None:
    (color,) = said(r"Click on the (\w+) colored box", page.goal)
    outline = await page.look()
    await page.click(outline.find(where=lambda one: one.says(color)))


@oracle("click-shades")
async def click_shades(page: Page) -> None:
    (color,) = said(r"all the shades of (\w+)", page.goal)
    outline = await page.look()
    for one in [*outline.all(ref=True, where=lambda one: one.says(color))] or [
        outline.find(where=lambda one: one.says(color))
    ]:
        await page.click(one)
    await page.click(outline.find("button", "Submit"))


async def shade(page: Page, outline: Outline, name: str) -> Node | Point:
    """The swatch of a color: as the text says it, or else where the picture shows it."""
    best = max(outline.all(ref=True), key=lambda one: _purity(_color_of(one), name))
    if _purity(_color_of(best), name):
        return best
    swatches = (await page.picture()).blobs(lambda color: _purity(color, name) > 0.5, least=60)
    if not swatches:
        raise NotShown(f"neither text nor picture shows a {name} swatch")
    return swatches[0].center


def _color_of(node: Node) -> Color:
    found = _HEX.search(" ".join(node.states.values()))
    if found is None:
        return 0, 0, 0
    red, green, blue = bytes.fromhex(found[1])
    return red, green, blue


def _purity(color: Color, name: str) -> float:
    """How clearly it is a shade of the named color: 0 if it is of another."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in color))
    away = abs((hue * 360 - _HUES[name] + 180) % 360 - 180)
    return saturation * value if away < 11 else 0.0

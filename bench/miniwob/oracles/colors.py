"""Boxes of a color, which a tool has to say in words."""

from __future__ import annotations

from bench.miniwob.oracles.registry import oracle, said
from bench.miniwob.verbs import Page


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

"""Numbers to order, to compare and to compute."""

from __future__ import annotations

import re

from judges.miniwob.nodes import NotShown
from judges.miniwob.oracles.registry import oracle
from judges.miniwob.verbs import Page


@oracle("ascending-numbers")
async def click_in_order(page: Page) -> None:
    """The first click hides the other numbers: what covers them stands in their order."""
    outline = await page.look()
    numbers = outline.all(None, re.compile(r"^\d$"), ref=True)
    outline = await page.click(next(one for one in numbers if one.label == "1"), look=True)
    covers = outline.all("generic|img", ref=True)
    rest = [one for one in numbers if one.label != "1"]
    if len(covers) != len(rest):
        raise NotShown(f"{len(covers)} covers of {len(rest)} numbers have a ref")
    places = {one.label: cover for one, cover in zip(rest, covers, strict=True)}
    for number in sorted(places):
        await page.click(places[number])


@oracle("find-greatest")
async def pick_greatest(page: Page) -> None:
    outline = await page.look()
    cards = outline.all(None, re.compile(r"^\d+$"))
    await page.click(outline.holder(max(cards, key=lambda one: int(one.label))))
    await page.click(outline.find("button", "Submit"))

"""Things to drag onto one another."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from judges.miniwob.nodes import Node, NotShown, Outline
from judges.miniwob.oracles.registry import oracle, quoted, said
from judges.miniwob.tools.tool import Refused
from judges.miniwob.verbs import Page


@oracle("drag-box")
async def drag_box(page: Page) -> None:
    outline = await page.look()
    await page.drag(outline.find(None, "s"), outline.find(None, "L"))
    await page.click(outline.find("button", "Submit"))


def _items(outline: Outline) -> list[Node]:
    """The items of a list, each as the node that a drag can take."""
    items = outline.all("listitem")
    if len(items) < 2:
        raise NotShown("no list of items")
    return [outline.holder(one) for one in items]


@oracle("drag-items")
async def drag_in_list(page: Page) -> None:
    name, where = said(r"Drag ([\w-]+) (.*)\.$", page.goal)
    outline = await page.look()
    items = _items(outline)
    names = [_name(outline, one) for one in items]
    at = names.index(name)
    if where == "to the top":
        goal = 0
    elif where == "to the bottom":
        goal = len(items) - 1
    elif "by one" in where:
        goal = at + (1 if where.startswith("down") else -1)
    else:
        goal = int(said(r"(\d)", where)[0]) - 1
    await page.drag(items[at], items[goal])


@oracle("drag-items-grid")
async def drag_in_grid(page: Page) -> None:
    name, where = said(r"Drag ([\w-]+) (.*)\.$", page.goal)
    outline = await page.look()
    items = _items(outline)
    at = [_name(outline, one) for one in items].index(name)
    steps = {"up": -3, "down": 3, "left": -1, "right": 1}
    if "by one" in where:
        goal = at + steps[where.split()[0]]
    else:
        row = 0 if "top" in where else 2 if "bottom" in where else 1
        column = 0 if "left" in where else 2 if "right" in where else 1
        goal = 3 * row + column
    await page.drag(items[at], items[goal])


@oracle("drag-sort-numbers")
async def sort_numbers(page: Page) -> None:
    outline = await page.look()
    for _ in range(10):
        items = _items(outline)
        numbers = [int(_name(outline, one)) for one in items]
        if numbers == sorted(numbers):
            break
        wrong = next(
            i for i, (a, b) in enumerate(zip(numbers, sorted(numbers), strict=True)) if a != b
        )
        least = numbers.index(sorted(numbers)[wrong])
        outline = await page.drag(items[least], items[wrong], look=True)
    await page.click(outline.find("button", "Submit"))


def _name(outline: Outline, item: Node) -> str:
    return item.label or next((one.label for one in outline.under(item) if one.label), "")


@oracle("daily-calendar")
async def create_event(page: Page) -> None:
    amount, unit, _, hour, half = said(
        r"Create a ([\d.]+) (\w+) event named (.*), between (\d+)([AP]M)", page.goal
    )
    (name,) = quoted(page.goal)
    cells = round(float(amount) * (2 if unit.startswith("hour") else 1 / 30))
    outline = await page.look()
    for first, last in _runs(outline, (hour + half).lower(), cells):
        try:
            outline = await page.drag(first, last, look=True)
        except Refused:  # an event covers a cell that was out of view
            continue
        break
    else:
        raise NotShown(f"the text shows no {cells} half hours with a ref to drag along")
    if not outline.has("textbox"):
        # The mouse came up beside the new event, which still follows it: a press on it ends that.
        outline = await page.click(outline.find(None, "New event"), look=True)
    await page.type(outline.find("textbox"), name)
    await page.click(outline.find("button", "Create"))


def _runs(outline: Outline, hour: str, cells: int) -> Iterator[tuple[Node, Node]]:
    """The first and last of so many free half hours in a row, in the four hours from ``hour``."""
    hours = [one for one in outline if re.fullmatch(r"\d+[ap]m", one.label)]
    first = next(at for at, one in enumerate(hours) if one.label == hour)
    until = hours[first + 4].order if first + 4 < len(hours) else math.inf
    halves = [
        one
        for one in outline
        if hours[first].order < one.order < until and one.ref and not one.label
    ]
    for at in range(len(halves) - cells + 1):
        run = halves[at : at + cells]
        if not any(one.is_on("obscured") for one in run):
            yield run[0], run[-1]

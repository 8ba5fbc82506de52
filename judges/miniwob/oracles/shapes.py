"""Shapes, letters and digits in a grid: which there are, where, how large, and of which color."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from judges.miniwob.glyphs import Ink, read, trimmed
from judges.miniwob.nodes import Node, Outline, Point
from judges.miniwob.oracles.drawing import COLORS, is_like, shape_of
from judges.miniwob.oracles.registry import oracle, said
from judges.miniwob.picture import QUERY, Blob, Color, Picture
from judges.miniwob.tools.tool import Refused
from judges.miniwob.verbs import Page

CELL, COLUMNS, MARGIN = 20, 7, 2
SMALL, LARGE = 10, 20
"""The size of a shape, and of a letter's font."""
_SPILL = 2
"""A large letter reaches so many pixels into the cell below."""


@dataclass(frozen=True)
class Item:
    at: Node | Point
    color: str
    large: bool
    what: str
    """``circle``, ``rectangle``, ``triangle``, or the letter or digit."""

    def fits(self, words: str) -> bool:
        """Whether a description such as ``small red letter`` fits."""
        kind = "shape" if len(self.what) > 1 else "digit" if self.what.isdigit() else "letter"
        size = "large" if self.large else "small"
        return {size, self.color, kind, self.what, "item"}.issuperset(words.split())


@oracle("click-shape")
async def click_shape(page: Page) -> None:
    (words,) = said(r"Click on an? (.+)$", page.goal)
    outline = await page.look()
    if named := outline.all(None, words, ref=True):
        await page.click(named[0])
        return
    items = items_told(outline) or items_seen(await page.picture(), outline, rows=7)
    await page.click(next(one for one in items if one.fits(words)).at)


@oracle("count-shape")
async def count_shapes(page: Page) -> None:
    (words,) = said(r"How many (.+)s are there", page.goal)
    outline = await page.look()
    items = items_told(outline) or items_seen(await page.picture(), outline, rows=6)
    await page.click(outline.find("button", str(sum(one.fits(words) for one in items))))


_TAGS = {"rect": "rectangle", "circle": "circle", "polygon": "triangle"}


def items_told(outline: Outline) -> list[Item]:
    """What a tool's text says of the shapes: tag, color and size, such as ``circle red 16x16``."""
    items = []
    for node in outline.all(ref=True):
        if found := re.fullmatch(r"(\w+) (\w+) \d+x(\d+)", node.states.get("svg", "")):
            tag, color, height = found.groups()
            what = _TAGS.get(tag) or node.label
            items.append(Item(node, color, int(height) > (SMALL + LARGE) / 2, what))
    return items


def _boxes_told(outline: Outline) -> list[Node]:
    return outline.all(ref=True, where=lambda one: "outline" in one.states.get("svg", ""))


@oracle("drag-shapes")
async def drag_shapes(page: Page) -> None:
    (kind,) = said(r"Drag all (\w+)s into", page.goal)
    outline = await page.look()
    boxes = _boxes_told(outline)
    items = [one for one in items_told(outline) if one.what == kind]
    if not boxes or not await _dropped(page, items, boxes[0]):
        picture = await page.picture()
        (box,) = _boxes_seen(picture)
        shapes = [one for one, _ in _shapes_seen(picture) if shape_of(one).lower() == kind]
        for at, shape in enumerate(shapes):
            await page.drag(shape.center, Point(box.left + 14 + 16 * at, box.center.y))
    await page.click(outline.find("button", "Submit"))


@oracle("drag-shapes-2")
async def sort_shapes(page: Page) -> None:
    (what,) = said(r"Drag all (.*) into the left box", page.goal)
    outline = await page.look()
    boxes, items = _boxes_told(outline), items_told(outline)
    fit = [one for one in items if one.what in what or one.color in what.split()]
    rest = [one for one in items if one not in fit]
    if not (
        len(boxes) == 2
        and await _dropped(page, fit, boxes[0])
        and await _dropped(page, rest, boxes[1])
    ):
        await _sort_seen(page, what)
    await page.click(outline.find("button", "Submit"))


async def _dropped(page: Page, items: list[Item], box: Node) -> bool:
    """Whether the tool can drop the items into a box by their refs."""
    try:
        for item in items:
            await page.drag(item.at, box)
    except Refused:
        return False
    return True


async def _sort_seen(page: Page, what: str) -> None:
    picture = await page.picture()
    left, right = sorted(_boxes_seen(picture), key=lambda one: one.left)
    filled = Counter[Blob]()
    for shape, color in _shapes_seen(picture):
        fits = shape_of(shape).lower() in what or color in what.split()
        box = left if fits else right
        row, column = divmod(filled[box], 4)
        filled[box] += 1
        await page.drag(shape.center, Point(box.left + 13 + 14 * column, box.top + 16 + 14 * row))


def _boxes_seen(picture: Picture) -> list[Blob]:
    black = picture.blobs(is_like(COLORS["black"]), least=100)
    return [one for one in black if one.width > 60 and one.fill < 0.5]


def _shapes_seen(picture: Picture) -> list[tuple[Blob, str]]:
    return [
        (one, name)
        for name, color in COLORS.items()
        for one in picture.blobs(is_like(color), bottom=195, least=30)
        if one.width <= 22 and one.height <= 22 and one.fill > 0.4
    ]


def items_seen(picture: Picture, outline: Outline, rows: int) -> list[Item]:
    """What the grid below the instruction holds. The outline tells which letters there are."""
    cells = [
        (MARGIN + CELL * column, QUERY + MARGIN + CELL * row)
        for row in range(rows)
        for column in range(COLUMNS)
    ]
    seen = [(cell, *_ink(picture, *cell)) for cell in cells]
    seen = [one for one in seen if any(sum(row[5:15]) > 0.8 for row in one[2][5:15])]
    letters = Counter(one.label for one in outline if len(one.label) == 1 and one.role != "button")
    kinds = [_shape(ink) or _shape(ink[_SPILL:]) for _, _, ink in seen]
    glyphs = [ink[_SPILL:] for (_, _, ink), kind in zip(seen, kinds, strict=True) if not kind]
    found = iter(read(glyphs, (SMALL, LARGE), letters))
    return [
        Item(Point(x + CELL / 2, y + CELL / 2), color, size == LARGE, what)
        for ((x, y), color, _), kind in zip(seen, kinds, strict=True)
        for what, size in [kind or next(found)]
    ]


def _ink(picture: Picture, left: int, top: int) -> tuple[str, Ink]:
    """The color of a cell that is otherwise white, and how much of it is in each pixel."""
    cell = [[picture.color(left + x, top + y) for x in range(CELL)] for y in range(CELL)]
    pixels = [pixel for row in cell for pixel in row if min(pixel) < 250]
    color = min(COLORS, key=lambda one: sum(_mixed(pixel, COLORS[one])[1] for pixel in pixels))
    return color, tuple(tuple(_mixed(pixel, COLORS[color])[0] for pixel in row) for row in cell)


def _mixed(pixel: Color, color: Color) -> tuple[float, float]:
    """How much of a color is in a mixture with white, and how badly that explains the pixel."""
    away = [255 - one for one in color]
    share = sum((255 - a) * b for a, b in zip(pixel, away, strict=True)) / sum(b * b for b in away)
    share = min(max(share, 0.0), 1.0)
    return share, sum((255 - a - share * b) ** 2 for a, b in zip(pixel, away, strict=True))


def _shape(ink: Ink) -> tuple[str, int] | None:
    """The shape and its size; None for a letter."""
    rows = [[x for x, share in enumerate(row) if share > 0.5] for row in trimmed(ink)]
    rows = [row for row in rows if row]
    widths = [len(row) for row in rows]
    size = min((SMALL, LARGE), key=lambda one: abs(one - len(rows)))
    solid = all(row[-1] - row[0] + 1 == len(row) for row in rows)
    if not solid or abs(len(rows) - size) > 1 or abs(max(widths) - size) > 1:
        return None
    fill = sum(widths) / (len(rows) * max(widths))
    if fill > 0.92:
        return "rectangle", size
    if fill > 0.7:
        return "circle", size
    return ("triangle", size) if widths == sorted(widths) and fill > 0.4 else None

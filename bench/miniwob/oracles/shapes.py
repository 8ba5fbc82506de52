"""Shapes, letters and digits in a grid: which there are, where, how large, and of which color."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bench.miniwob.glyphs import Ink, read, trimmed
from bench.miniwob.nodes import Outline, Point
from bench.miniwob.oracles.drawing import COLORS
from bench.miniwob.oracles.registry import oracle, said
from bench.miniwob.picture import QUERY, Color, Picture
from bench.miniwob.verbs import Page

CELL, COLUMNS, MARGIN = 20, 7, 2
SMALL, LARGE = 10, 20
"""The size of a shape, and of a letter's font."""
_SPILL = 2
"""A large letter reaches so many pixels into the cell below."""


@dataclass(frozen=True)
class Item:
    at: Point
    color: str
    size: int
    what: str
    """``circle``, ``rectangle``, ``triangle``, or the letter or digit."""

    def fits(self, words: str) -> bool:
        """Whether a description such as ``small red letter`` fits."""
        kind = "shape" if len(self.what) > 1 else "digit" if self.what.isdigit() else "letter"
        size = "large" if self.size == LARGE else "small"
        return {size, self.color, kind, self.what, "item"}.issuperset(words.split())


@oracle("click-shape")
async def click_shape(page: Page) -> None:
    (words,) = said(r"Click on an? (.+)$", page.goal)
    outline = await page.look()
    if len(words) == 1:
        await page.click(outline.find(None, words))
        return
    items = _items(await page.picture(), outline, rows=7)
    await page.click(next(one for one in items if one.fits(words)).at)


@oracle("count-shape")
async def count_shapes(page: Page) -> None:
    (words,) = said(r"How many (.+)s are there", page.goal)
    outline = await page.look()
    items = _items(await page.picture(), outline, rows=6)
    await page.click(outline.find("button", str(sum(one.fits(words) for one in items))))


def _items(picture: Picture, outline: Outline, rows: int) -> list[Item]:
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
        Item(Point(x + CELL / 2, y + CELL / 2), color, size, what)
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

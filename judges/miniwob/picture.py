"""A screenshot for oracles that need to see the page: its pixels, and the shapes in it."""

from __future__ import annotations

import io
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from PIL import Image

from judges.miniwob.nodes import Point

__all__ = ["HEIGHT", "QUERY", "WIDTH", "Blob", "Color", "Picture"]

Color = tuple[int, int, int]

WIDTH, HEIGHT, QUERY = 160, 210, 50
"""The size of the task's area, and of the instruction in it, in MiniWoB's layout."""


@dataclass(frozen=True)
class Blob:
    """A connected group of pixels of one kind."""

    left: int
    top: int
    right: int
    bottom: int
    count: int

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    @property
    def center(self) -> Point:
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    @property
    def fill(self) -> float:
        """The share of its box that it fills: 1 for a rectangle, 0.79 for a circle, 0.5 for a
        triangle."""
        return self.count / (self.width * self.height)


class Picture:
    def __init__(self, png: bytes) -> None:
        self._image = Image.open(io.BytesIO(png)).convert("RGB")

    def color(self, x: int, y: int) -> Color:
        return self._image.getpixel((x, y))  # type: ignore[return-value]

    def mask(
        self, fits: Callable[[Color], bool], *, top: int = QUERY, bottom: int = HEIGHT
    ) -> Image.Image:
        """Return an image with matching pixels below the instruction in white, all others in
        black."""
        mask = Image.new("L", (WIDTH, bottom - top))
        mask.putdata(
            [255 * fits(self.color(x, y)) for y in range(top, bottom) for x in range(WIDTH)]
        )
        return mask

    def blobs(
        self,
        fits: Callable[[Color], bool],
        *,
        top: int = QUERY,
        bottom: int = HEIGHT,
        least: int = 4,
    ) -> list[Blob]:
        """Return the groups of matching pixels below the instruction, from the top left."""
        pixels = self._image.load()
        assert pixels is not None
        left = {
            (x, y)
            for y in range(top, bottom)
            for x in range(WIDTH)
            if fits(pixels[x, y])  # type: ignore[arg-type]
        }
        found = []
        while left:
            start = left.pop()
            reached, queue = [start], deque([start])
            while queue:
                x, y = queue.popleft()
                for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if near in left:
                        left.remove(near)
                        reached.append(near)
                        queue.append(near)
            xs, ys = [x for x, _ in reached], [y for _, y in reached]
            if len(reached) >= least:
                found.append(Blob(min(xs), min(ys), max(xs), max(ys), len(reached)))
        return sorted(found, key=lambda one: (one.top, one.left))

    def disk(self, fits: Callable[[Color], bool], *, bottom: int = HEIGHT) -> list[Point]:
        """Return the centers of small disks of matching pixels, without the thin lines that end in
        them."""
        thick = [
            (x, y)
            for y in range(QUERY + 1, bottom - 1)
            for x in range(1, WIDTH - 1)
            if all(fits(self.color(x + dx, y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        ]
        disks: list[list[tuple[int, int]]] = []
        for place in thick:
            near = next((one for one in disks if math.dist(one[0], place) < 9), None)
            if near is None:
                disks.append([place])
            else:
                near.append(place)
        # A pixel's middle is half a pixel from its number.
        return [
            Point(fmean(x for x, _ in one) + 0.5, fmean(y for _, y in one) + 0.5) for one in disks
        ]

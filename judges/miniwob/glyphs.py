"""Recognizes the letter or digit in a few pixels, among known candidates."""

from __future__ import annotations

import string
import subprocess
from collections import Counter
from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageChops, ImageDraw, ImageFont

__all__ = ["Ink", "read", "read_slanted", "trimmed"]

Ink = tuple[tuple[float, ...], ...]
"""The coverage of each pixel from 0 to 1, in rows."""

FONT = "Arial"
"""MiniWoB's own font, or the machine's replacement."""
_FINE = 4
_THIN = 0.3
"""Pixels with less ink than this are the blur of an edge."""


def read(inks: Sequence[Ink], sizes: Sequence[int], letters: Counter[str]) -> list[tuple[str, int]]:
    """Return the letter and the font size for each image. The most certain one is read first, and
    its letter is then excluded."""
    left = Counter(letters) or Counter(dict.fromkeys(string.ascii_letters + string.digits, 99))
    costs = sorted(
        (min(_difference(trimmed(ink), one) for one in _drawn(letter, size)), at, letter, size)
        for at, ink in enumerate(inks)
        for letter in left
        for size in sizes
    )
    found: dict[int, tuple[str, int]] = {}
    for _, at, letter, size in costs:
        if at not in found and left[letter]:
            found[at] = (letter, size)
            left[letter] -= 1
    return [found.get(at, ("?", sizes[0])) for at in range(len(inks))]


def trimmed(ink: Ink) -> Ink:
    """Return the ink without the empty rows and columns around it."""
    rows = [at for at, row in enumerate(ink) if max(row) > _THIN]
    columns = [at for at, column in enumerate(zip(*ink, strict=True)) if max(column) > _THIN]
    if not rows:
        return ((0.0,),)
    return tuple(row[columns[0] : columns[-1] + 1] for row in ink[rows[0] : rows[-1] + 1])


def _difference(one: Ink, other: Ink) -> float:
    """Return the difference: 0 if both are equal, 1 if they share nothing."""
    width, height = max(len(one[0]), len(other[0])), max(len(one), len(other))
    if width - min(len(one[0]), len(other[0])) > 2 or height - min(len(one), len(other)) > 2:
        return 1.0
    pairs = [(_at(one, x, y), _at(other, x, y)) for y in range(height) for x in range(width)]
    return sum(abs(a - b) for a, b in pairs) / (sum(a + b for a, b in pairs) or 1)


def _at(ink: Ink, x: int, y: int) -> float:
    return ink[y][x] if y < len(ink) and x < len(ink[0]) else 0.0


@cache
def _drawn(letter: str, size: int) -> tuple[Ink, ...]:
    """Yield the letter at several subpixel positions."""
    image = Image.new("L", (2 * size * _FINE, 2 * size * _FINE))
    ImageDraw.Draw(image).text((size * _FINE // 2, 0), letter, 255, _font(size * _FINE))
    return tuple(
        trimmed(_ink(ImageChops.offset(image, right, down).reduce(_FINE)))
        for right in range(_FINE)
        for down in range(_FINE)
    )


def _ink(image: Image.Image) -> Ink:
    pixels = [one / 255 for one in image.getdata()]
    return tuple(
        tuple(pixels[start : start + image.width]) for start in range(0, len(pixels), image.width)
    )


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    found = subprocess.run(
        ["fc-match", "-f", "%{file}", FONT], capture_output=True, text=True, check=False
    )
    return ImageFont.truetype(found.stdout, size) if found.stdout else ImageFont.load_default(size)


_BOX = (16, 24)
_SLANTS = (-0.5, -0.25, 0.0, 0.25, 0.5)


def read_slanted(image: Image.Image, letters: str) -> str:
    """Return which of a few letters an image shows, independent of position, size and slant."""
    seen = _boxed(image)
    return min(
        letters,
        key=lambda letter: min(
            sum(abs(a - b) for a, b in zip(seen, drawn, strict=True)) for drawn in _slanted(letter)
        ),
    )


@cache
def _slanted(letter: str) -> tuple[bytes, ...]:
    image = Image.new("L", (200, 200))
    ImageDraw.Draw(image).text((80, 60), letter, 255, _font(60))
    return tuple(
        _boxed(
            image.transform(
                image.size,
                Image.Transform.AFFINE,
                (1, across, -100 * across, down, 1, -100 * down),
            )
        )
        for across in _SLANTS
        for down in _SLANTS
    )


def _boxed(image: Image.Image) -> bytes:
    """Return the part with ink, scaled to a fixed size."""
    return image.crop(image.point(lambda one: one > 120 and 255).getbbox()).resize(_BOX).tobytes()

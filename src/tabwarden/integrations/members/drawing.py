"""Draws dialogs and notices on screenshots, for models that only see pictures.

The library Pillow is needed: the extra ``computer``.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from tabwarden.page import Screenshot

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

_FONTS = (
    "NotoSansCJK-Regular.ttc",
    "NotoSans-Regular.ttf",
    "DejaVuSans.ttf",
    "Arial Unicode.ttf",
    "arial.ttf",
)
"""The first of these that is installed draws the text; otherwise Pillow's own font, which has
Latin letters only."""
_TEXT_PX, _LINE_PX, _PAD_PX = 15, 20, 20
_WIDTH_PX, _HEIGHT_PX = 460, 260
_BUTTON_PX = (96, 32)
_MOST_LINES, _MOST_NOTICE_LINES = 6, 3
_MOST_CHARS = 2_000
_WHITE, _DARK, _GREY, _BLUE = (255, 255, 255), (32, 33, 36), (218, 220, 224), (26, 115, 232)
_LABELS = {"alert": ("OK", ""), "beforeunload": ("Leave", "Stay")}
"""The texts of the buttons that accept and dismiss a dialog, by its type."""


class Box(NamedTuple):
    """A rectangle of a picture, in pixels."""

    left: int
    top: int
    right: int
    bottom: int

    def has(self, x: float, y: float) -> bool:
        return self.left <= x < self.right and self.top <= y < self.bottom


class DrawnDialog(NamedTuple):
    """Where a dialog is drawn on a picture."""

    frame: Box
    accept: Box
    dismiss: Box | None
    """None for an alert, which has one button."""


def can_draw() -> bool:
    """Whether Pillow is installed."""
    return find_spec("PIL") is not None


def dialog_at(kind: str, width: int, height: int) -> DrawnDialog:
    """Return where a dialog is drawn on a picture of this size: at the top, as in Chromium.

    Args:
        kind: the dialog's type, such as ``confirm``.
        width, height: the picture's size in pixels.
    """
    wide, high = min(_WIDTH_PX, width), min(_HEIGHT_PX, height)
    left = (width - wide) // 2
    frame = Box(left, 0, left + wide, high)
    pad = _PAD_PX
    button_wide = max(1, min(_BUTTON_PX[0], (wide - 3 * pad) // 2))
    right, bottom = frame.right - pad, frame.bottom - pad
    last = Box(right - button_wide, bottom - min(_BUTTON_PX[1], high // 4), right, bottom)
    if kind == "alert":
        return DrawnDialog(frame, last, None)
    shift = button_wide + pad // 2
    return DrawnDialog(frame, last._replace(left=last.left - shift, right=last.right - shift), last)


def with_dialog(
    picture: Screenshot, kind: str, message: str, url: str, typed: str | None
) -> Screenshot:
    """Draw a dialog on a picture.

    Args:
        picture: the screenshot.
        kind, message, url: the dialog's type, its text, and the URL of its page.
        typed: the text in a prompt's field; None for no field.
    """
    image, draw, font = _opened(picture)
    frame, accept, dismiss = dialog_at(kind, picture.width, picture.height)
    draw.rounded_rectangle(frame, 8, fill=_WHITE, outline=_DARK, width=2)
    left, room = frame.left + _PAD_PX, frame.right - frame.left - 2 * _PAD_PX
    if kind == "beforeunload":
        title, message = "Leave site?", "Changes you made may not be saved."
    else:
        host = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
        title = f"{host or 'This page'} says"
    top = frame.top + _PAD_PX
    for line in _lines(draw, font, title, room, 1):
        draw.text((left, top), line, fill=_DARK, font=font)
    top += _LINE_PX + 6
    most = _MOST_LINES if typed is None else _MOST_LINES - 2
    for number, line in enumerate(_lines(draw, font, message, room, most)):
        draw.text((left, top + number * _LINE_PX), line, fill=_DARK, font=font)
    if typed is not None:
        field = Box(left, accept.top - 44, left + room, accept.top - 12)
        draw.rectangle(field, fill=_WHITE, outline=_BLUE, width=2)
        for line in _lines(draw, font, typed, room - 16, 1):
            draw.text((left + 8, field.top + 7), line, fill=_DARK, font=font)
    labels = _LABELS.get(kind, ("OK", "Cancel"))
    for button, label, color in ((accept, labels[0], _BLUE), (dismiss, labels[1], _GREY)):
        if button is not None:
            draw.rounded_rectangle(button, 16, fill=color)
            middle = ((button.left + button.right) / 2, (button.top + button.bottom) / 2)
            ink = _WHITE if color == _BLUE else _DARK
            draw.text(middle, label, fill=ink, font=font, anchor="mm")
    return _closed(picture, image)


def with_notice(picture: Screenshot, text: str) -> Screenshot:
    """Draw a sentence of ours on a strip at the bottom of a picture."""
    image, draw, font = _opened(picture)
    lines = list(_lines(draw, font, f"Tabwarden: {text}", picture.width - 20, _MOST_NOTICE_LINES))
    top = picture.height - len(lines) * _LINE_PX - 10
    draw.rectangle((0, top, picture.width, picture.height), fill=_DARK)
    for number, line in enumerate(lines):
        draw.text((10, top + 4 + number * _LINE_PX), line, fill=_WHITE, font=font)
    return _closed(picture, image)


def blank(width: int, height: int) -> Screenshot:
    """Return a grey picture, for a page that can't be captured."""
    from PIL import Image

    empty = Screenshot(b"", "png", width=width, height=height)
    return _closed(empty, Image.new("RGB", (width, height), _GREY))


def resized(picture: Screenshot, width: int, height: int) -> Screenshot:
    """Return a picture with this size. A page that does not respond may give a smaller picture
    (Debian's Chromium 156, with an emulated viewport: half the size)."""
    if (picture.width, picture.height) == (width, height):
        return picture
    from PIL import Image

    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    return _closed(picture, image.resize((width, height)))


def cropped(picture: Screenshot, box: Box, scale: float) -> Screenshot:
    """Return a part of a picture, scaled."""
    from PIL import Image

    part = Image.open(io.BytesIO(picture.data)).convert("RGB").crop(box)
    size = (max(1, round(part.width * scale)), max(1, round(part.height * scale)))
    return _closed(picture, part.resize(size))


def _opened(picture: Screenshot) -> tuple[Any, ImageDraw, FreeTypeFont | ImageFont]:
    from PIL import Image, ImageDraw

    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    return image, ImageDraw.Draw(image), _font()


@cache
def _font() -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    for name in _FONTS:
        try:
            return ImageFont.truetype(name, _TEXT_PX)
        except OSError:
            continue
    return ImageFont.load_default(_TEXT_PX)


def _closed(picture: Screenshot, image: Any) -> Screenshot:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return msgspec.structs.replace(
        picture, data=file.getvalue(), format="png", width=image.width, height=image.height
    )


def _lines(draw: ImageDraw, font: Any, text: str, room: float, most: int) -> Iterator[str]:
    """Yield at most ``most`` lines that fit into ``room`` pixels; the last one ends with ``…`` if
    text is left."""
    kept = text[:_MOST_CHARS].encode("utf-8", "replace").decode()  # Pillow refuses lone surrogates
    rest = " ".join("".join(one if one.isprintable() else " " for one in kept).split())
    for number in range(most):
        if not rest:
            return
        line = rest[:200]
        while len(line) > 1 and draw.textlength(line, font=font) > room:
            shorter = line.rpartition(" ")[0]
            line = shorter if shorter else line[:-1]
        rest = rest[len(line) :].lstrip()
        is_cut = bool(rest) and number == most - 1
        while is_cut and len(line) > 1 and draw.textlength(f"{line}…", font=font) > room:
            line = line[:-1]
        yield f"{line}…" if is_cut else line

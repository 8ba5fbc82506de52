"""Dialogs and notices that are drawn on screenshots."""

from __future__ import annotations

import io
import time

import pytest
from PIL import Image

from tabwarden.integrations.members import drawing
from tabwarden.integrations.members.drawing import Box, blank, dialog_at, with_dialog, with_notice

BLUE, DARK = (26, 115, 232), (32, 33, 36)
HOSTILE = [
    "",
    "a" * 1_000_000,
    "word " * 200_000,
    "\n\r\t\x00\x1b[31m" * 100,
    "\ud800 lone surrogate",
    "\u202e right to left",
    "日本語 한국어 العربية 🙂",
]


def colour(picture: drawing.Screenshot, x: int, y: int) -> object:
    return Image.open(io.BytesIO(picture.data)).convert("RGB").getpixel((x, y))


@pytest.mark.parametrize("size", [(1280, 720), (320, 480), (200, 120), (1, 1)])
@pytest.mark.parametrize("kind", ["alert", "confirm", "prompt", "beforeunload"])
def test_buttons_lie_in_the_dialog_and_do_not_overlap(kind: str, size: tuple[int, int]) -> None:
    frame, accept, dismiss = dialog_at(kind, *size)
    assert (dismiss is None) == (kind == "alert")
    assert frame.right <= size[0]
    assert frame.bottom <= size[1]
    if size == (1, 1):
        return
    for button in filter(None, (accept, dismiss)):
        assert frame.left <= button.left < button.right <= frame.right
        assert frame.top <= button.top < button.bottom <= frame.bottom
    if dismiss is not None:
        assert accept.right <= dismiss.left


@pytest.mark.parametrize("kind", ["alert", "confirm", "prompt", "beforeunload"])
def test_dialog_is_drawn_with_its_buttons(kind: str) -> None:
    typed = "Ann" if kind == "prompt" else None
    shown = with_dialog(blank(1280, 720), kind, "Really?", "https://a.example/x", typed)
    assert (shown.width, shown.height, shown.format) == (1280, 720, "png")
    frame, accept, _ = dialog_at(kind, 1280, 720)
    assert colour(shown, accept.left + 12, accept.top + 16) == BLUE
    assert colour(shown, frame.left + 10, frame.top + 60) == (255, 255, 255)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_is_drawn_quickly(text: str) -> None:
    began = time.process_time()
    shown = with_dialog(blank(1280, 720), "prompt", text, f"https://{text[:50]}/", text)
    shown = with_notice(shown, text)
    assert (shown.width, shown.height) == (1280, 720)
    assert time.process_time() - began < 3


def test_notice_is_a_strip_of_at_most_three_lines() -> None:
    shown = with_notice(blank(1280, 720), "word " * 1_000)
    assert colour(shown, 2, 718) == DARK
    assert colour(shown, 2, 720 - 80) != DARK


def test_part_of_a_picture_is_scaled() -> None:
    part = drawing.cropped(blank(100, 100), Box(0, 0, 50, 20), 2)
    assert (part.width, part.height) == (100, 40)
    assert drawing.resized(part, 50, 20).width == 50

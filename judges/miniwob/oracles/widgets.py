"""Sliders, spinners, suggestions, color pickers, resizable areas."""

from __future__ import annotations

import re

from judges.miniwob.nodes import Node, NotShown, Outline
from judges.miniwob.oracles.registry import oracle, quoted, said
from judges.miniwob.tools.tool import Refused
from judges.miniwob.verbs import Page

_NUMBER = re.compile(r"^-?\d+$")
_COLORS = {
    "aqua": "00FFFF", "black": "000000", "blue": "0000FF", "gold": "FFD700", "gray": "808080",
    "green": "008000", "lime": "00FF00", "magenta": "FF00FF", "maroon": "800000",
    "navy": "000080", "olive": "808000", "orange": "FFA500", "pink": "FFC0CB",
    "purple": "800080", "red": "FF0000", "silver": "C0C0C0", "teal": "008080",
    "white": "FFFFFF", "yellow": "FFFF00",
}  # fmt: skip


def _sliders(outline: Outline) -> list[Node]:
    handles = outline.all(
        "slider|generic|link", ref=True, where=lambda one: not one.label and not outline.under(one)
    )
    if not handles:
        raise NotShown("the text shows no slider with a ref")
    return handles


async def _slide(page: Page, outline: Outline, nth: int, value: int) -> Outline:
    handle = _sliders(outline)[nth]
    for _ in range(4):
        now = int(outline.all("text|generic", _NUMBER)[nth].label)
        if now == value:
            return outline
        if now != value and _ == 0:
            await page.click(handle)
        key = "ArrowRight" if value > now else "ArrowLeft"
        left = abs(value - now)
        while left > 50:
            await page.press(key, times=50)
            left -= 50
        outline = await page.press(key, times=left, look=True)
        handle = _sliders(outline)[nth]
    raise NotShown(f"the slider shows {now} and not {value}")


@oracle("use-slider")
async def slide(page: Page) -> None:
    (value,) = said(r"Select (-?\d+)", page.goal)
    outline = await _slide(page, await page.look(), 0, int(value))
    await page.click(outline.find("button", "Submit"))


@oracle("use-slider-2")
async def slide_three(page: Page) -> None:
    (values,) = said(r"\[(.*?)\]", page.goal)
    outline = await page.look()
    for nth, value in enumerate(values.split(",")):
        outline = await _slide(page, outline, nth, int(value))
    await page.click(outline.find("button", "Submit"))


@oracle("use-spinner")
async def spin(page: Page) -> None:
    (value,) = said(r"Select (-?\d+)", page.goal)
    outline = await page.look()
    await page.type(outline.find("spinbutton|textbox"), value)
    await page.click(outline.find("button", "Submit"))


@oracle("use-autocomplete", "use-autocomplete-nodelay")
async def complete(page: Page) -> None:
    start, *rest = quoted(page.goal)
    end = rest[0] if rest else ""
    outline = await page.look()
    field = outline.find("textbox|combobox|searchbox")
    await page.type(field, start, slowly=True)

    def fitting(shown: Outline) -> list[Node]:
        return [
            one
            for one in shown
            if one.order != field.order
            and one.role not in {"textbox", "combobox"}
            and one.label.startswith(start)
            and one.label.endswith(end)
            and one.label != start
        ]

    for _ in range(3):  # the page may draw its list again before the click
        outline = await page.look_until(fitting)
        try:
            await page.click(outline.holder(fitting(outline)[0]))
            break
        except Refused:
            continue
    await page.click(outline.find("button", "Submit"))


@oracle("use-colorwheel")
async def pick_color(page: Page) -> None:
    (name,) = said(r"Select (\w+) with", page.goal)
    outline = await page.look()
    await page.type(outline.find("textbox|button"), _COLORS[name])
    await page.press("Tab")
    await page.click(outline.find("button", "Submit"))

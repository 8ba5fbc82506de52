"""Collapsible sections, tabs and menus."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

from judges.miniwob.glyphs import Ink, trimmed
from judges.miniwob.nodes import Node, NotShown, Outline, Point
from judges.miniwob.oracles.registry import oracle, quoted, said
from judges.miniwob.picture import HEIGHT, QUERY, WIDTH, Picture
from judges.miniwob.verbs import Page

_HEADS = "tab|button|heading|generic|text"


@oracle("click-collapsible", "click-collapsible-nodelay")
async def expand_and_submit(page: Page) -> None:
    outline = await page.look()
    head = outline.find(_HEADS, re.compile("Section"), ref=False)
    outline = await page.click(outline.holder(head), look=True)
    outline = await page.look_until(_has_submit, seen=outline)
    await page.click(outline.find("button", "Submit"))


def _has_submit(outline: Outline) -> bool:
    return bool(
        outline.all("button", "Submit", where=lambda one: not one.is_on("offscreen"))
        and not outline.all("tab", re.compile("Section"), where=_is_closed)
    )


def _is_closed(node: Node) -> bool:
    return node.states.get("expanded") == "false"


@oracle("click-collapsible-2", "click-collapsible-2-nodelay")
async def expand_and_find(page: Page) -> None:
    (name,) = quoted(page.goal)
    outline = await page.look()
    heads = outline.all(_HEADS, re.compile(r"^Section #\d+$"))
    for at, head in enumerate(heads):
        if at or head.states.get("expanded") != "true":
            outline = await page.click(outline.holder(head), look=True)
        if outline.has("generic|link|text", name):
            await page.click(outline.holder(outline.find("generic|link|text", name, ref=False)))
            return
    raise NotShown(f"no section shows {name!r}")


@oracle("click-tab")
async def click_tab(page: Page) -> None:
    (name,) = said(r"Click on (Tab #\d+)", page.goal)
    outline = await page.look()
    await page.click(outline.find("link|tab", name))


@oracle("click-tab-2", "click-tab-2-easy", "click-tab-2-hard", "click-tab-2-medium")
async def find_in_tabs(page: Page) -> None:
    (name,) = quoted(page.goal)
    outline = await page.look()
    tabs = outline.all("tab", ref=True)
    for at in range(len(tabs) + 1):
        wanted = outline.all("generic|link|text", name, where=lambda one: not _in_tab(one))
        if wanted:
            await page.click(outline.holder(wanted[0]))
            return
        if at < len(tabs):
            outline = await page.click(tabs[at], look=True)
    raise NotShown(f"no tab shows {name!r}")


def _in_tab(node: Node) -> bool:
    return node.role == "link" and "#tabs-" in node.states.get("url", "")


@oracle("click-menu")
async def walk_menu(page: Page) -> None:
    (path,) = said(r"Select (.*)$", page.goal)
    *above, last = path.split(">")
    items = "menuitem|generic|text|listitem"
    outline = await page.look()
    for at, name in enumerate(above):
        outline = await page.hover(outline.find(items, name), look=True)
        below = above[at + 1] if at + 1 < len(above) else last
        outline = await page.look_until(
            lambda shown, name=below: shown.all(items, name, ref=True), seen=outline
        )
    await page.click(outline.find(items, last))


@oracle("click-menu-2")
async def open_menu(page: Page) -> None:
    outline = await page.look()
    names = quoted(page.goal)
    # "the item with the ... icon": the text has to say which, or else it has to be seen
    icon = "" if len(names) > 1 else _icon_told(outline)
    drawn = None if icon or len(names) > 1 else _icon_seen(await page.picture())
    outline = await page.click(outline.find("button", "Menu"), look=True)
    like = names[1] if len(names) > 1 else icon

    def wanted(node: Node) -> bool:
        return bool(like and node.ref and (node.label == like or node.says(like)))

    if not outline.all(where=wanted):
        outline = await page.hover(outline.find("menuitem", re.compile("Playback")), look=True)
        outline = await page.look_until(
            lambda shown: shown.all("menuitem", "Prev", ref=True), seen=outline
        )
    if drawn is None:
        await page.click(outline.find(where=wanted))
    else:
        await page.click(_place_of(drawn, await page.picture()))


def _icon_told(outline: Outline) -> str:
    menu = outline.find("button", "Menu")
    goal = [one for one in outline.all_nodes if one.order < menu.order]
    said = " ".join(value for one in goal for value in (one.label, *one.states.values()))
    return next(iter(re.findall(r"ui-icon-[a-z-]+", said)), "")


_ICON_GRAY, _MENU_GRAY = 68, 240


def _icon_seen(picture: Picture) -> Ink:
    """The icon in the instruction: gray, while letters and ground are without blue."""
    return trimmed(
        tuple(
            tuple(min(picture.color(x, y)[2] / _ICON_GRAY, 1.0) for x in range(WIDTH))
            for y in range(QUERY)
        )
    )


def _place_of(icon: Ink, picture: Picture) -> Point:
    """The middle of the place below the instruction that looks most like an icon."""
    depth = _MENU_GRAY - _ICON_GRAY
    inks = [
        [min(max((_MENU_GRAY - picture.color(x, y)[2]) / depth, 0.0), 1.0) for x in range(WIDTH)]
        for y in range(HEIGHT)
    ]
    edge = (0.0,) * (len(icon[0]) + 2)
    framed = (edge, *((0.0, *row, 0.0) for row in icon), edge)
    width, height = len(edge), len(framed)

    def difference(place: tuple[int, int]) -> float:
        left, top = place
        return sum(
            abs(one - other)
            for row, seen in zip(framed, inks[top : top + height], strict=True)
            for one, other in zip(row, seen[left : left + width], strict=True)
        )

    places = product(range(WIDTH - width), range(QUERY, HEIGHT - height))
    left, top = min(places, key=difference)
    return Point(left + width / 2, top + height / 2)


@oracle("click-pie", "click-pie-nodelay")
async def open_pie(page: Page) -> None:
    (name,) = quoted(page.goal)
    outline = await page.look()
    if plus := outline.all(None, "+"):
        outline = await page.click(outline.holder(plus[-1]), look=True)
    for _ in range(4):  # the wheel turns while it opens: a click may miss
        outline = await page.look_until(
            lambda shown: shown.all(where=_is_named(name)), seen=outline
        )
        item = outline.holder(outline.find(where=_is_named(name), ref=False))
        outline = await page.click(item, look=True)
        if not outline.has(None, name):
            return


def _is_named(name: str) -> Callable[[Node], bool]:
    return lambda one: one.label == name and not one.is_on("obscured")

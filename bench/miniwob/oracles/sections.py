"""Collapsible sections, tabs and menus."""

from __future__ import annotations

import re
from collections.abc import Callable

from bench.miniwob.nodes import Node, NotShown, Outline
from bench.miniwob.oracles.registry import oracle, quoted, said
from bench.miniwob.verbs import Page

_HEADS = "tab|button|heading|generic|text"


@oracle("click-collapsible", "click-collapsible-nodelay")
async def expand_and_submit(page: Page) -> None:
    outline = await page.look()
    head = outline.find(_HEADS, re.compile("Section"), ref=False)
    await page.click(outline.holder(head))
    outline = await page.look_until(_has_submit)
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
        await page.hover(outline.find(items, name))
        below = above[at + 1] if at + 1 < len(above) else last
        outline = await page.look_until(lambda shown, name=below: shown.all(items, name, ref=True))
    await page.click(outline.find(items, last))


@oracle("click-menu-2")
async def open_menu(page: Page) -> None:
    outline = await page.look()
    names = quoted(page.goal)
    if len(names) == 1:  # "the item with the ... icon", which has to be in the text
        goal = outline.all_nodes[: len(outline.all_nodes) - len(outline.nodes)]
        icons = [word for one in goal for value in one.states.values()
                 for word in re.findall(r"ui-icon-([a-z-]+)", value)]  # fmt: skip
        if not icons:
            raise NotShown("the text does not say which icon the goal shows")
        names.append(icons[0])
    outline = await page.click(outline.find("button", "Menu"), look=True)
    wanted = names[1]
    if not outline.all(None, wanted, ref=True):
        await page.hover(outline.find("menuitem", re.compile("Playback")))
        outline = await page.look_until(lambda shown: shown.has(None, wanted))
    await page.click(outline.find("menuitem|generic|text", wanted))


@oracle("click-pie", "click-pie-nodelay")
async def open_pie(page: Page) -> None:
    (name,) = quoted(page.goal)
    outline = await page.look()
    if plus := outline.all(None, "+"):
        await page.click(outline.holder(plus[-1]))
    for _ in range(4):  # the wheel turns while it opens: a click may miss
        outline = await page.look_until(lambda shown: shown.all(where=_is_named(name)))
        item = outline.holder(outline.find(where=_is_named(name), ref=False))
        outline = await page.click(item, look=True)
        if not outline.has(None, name):
            return


def _is_named(name: str) -> Callable[[Node], bool]:
    return lambda one: one.label == name and not one.is_on("obscured")

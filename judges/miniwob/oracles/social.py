"""Posts with icon buttons."""

from __future__ import annotations

import re
from contextlib import suppress

from judges.miniwob.nodes import Node, NotShown, Outline
from judges.miniwob.oracles.registry import oracle, quoted, said
from judges.miniwob.tools.tool import Refused
from judges.miniwob.verbs import Page

_IN_MENU = {"Share via DM", "Copy link to Tweet", "Embed Tweet", "Mute", "Block", "Report"}


def posts_of(outline: Outline, user: str) -> list[list[Node]]:
    """Return the nodes of each post of a user, from the user's name on."""
    whose = re.compile(r"(?<!\S)@[\w.]+")
    posts: list[list[Node]] = []
    inside = False
    for node in outline:
        if (names := whose.findall(node.label)) and not node.ref:
            inside = user in names
            if inside:
                posts.append([])
        if inside:
            posts[-1].append(node)
    return posts


def named(post: list[Node], word: str) -> Node:
    """The control that its author or its name calls so."""
    like = re.compile(rf"\b{word}\b", re.I)
    for node in post:
        if node.ref and (like.search(node.label) or like.search(node.states.get("class", ""))):
            return node
    raise NotShown(f"the post shows no control called {word!r}")


async def press(page: Page, node: Node, *, look: bool = False) -> Outline:
    """Click; and click again if the tool says that no click came of it."""
    outline = await page.click(node, look=look)
    return await page.click(node, look=look) if "caused no click" in page.said else outline


async def rest_on(page: Page, node: Node) -> None:
    """Hover, if the tool can: the icons of this page load another image under the mouse."""
    with suppress(Refused):
        await page.hover(node)


@oracle("social-media")
async def press_in_post(page: Page) -> None:
    (user,) = said(r"user (@\S+?),", page.goal)
    (action,) = quoted(page.goal)
    outline = await page.look()
    if action in _IN_MENU:
        more = named(posts_of(outline, user)[0], "more")
        await rest_on(page, more)
        outline = await press(page, more, look=True)
        shown = posts_of(outline, user)[0]
        item = next((one for one in shown if one.label.startswith(action)), None)
        if item is None:
            raise NotShown(f"the menu shows no {action!r}")
        await page.click(outline.holder(item))
    else:
        icon = named(posts_of(outline, user)[0], action)
        await rest_on(page, icon)
        await press(page, icon)


@oracle("social-media-all", "social-media-some")
async def press_in_posts(page: Page) -> None:
    (action,) = quoted(page.goal)
    how_many, user = said(r"on (all|\d+) posts? by (@\S+)", page.goal)
    outline = await page.look()
    posts = posts_of(outline, user)
    for post in posts if how_many == "all" else posts[: int(how_many)]:
        await press(page, named(post, action))
    await page.click(outline.find("button", "Submit"))

"""Texts to copy, to compute and to style; terminals and agreements."""

from __future__ import annotations

import re

from judges.miniwob.nodes import Node, NotShown, Outline
from judges.miniwob.oracles.colors import shade
from judges.miniwob.oracles.registry import oracle, quoted, said
from judges.miniwob.verbs import Page

_STYLES = {"bold": "bold", "italics": "italic", "underlined": "underline"}


@oracle("simple-arithmetic")
async def compute(page: Page) -> None:
    outline = await page.look()
    found = re.search(r"(-?\d+)\s*([-+x*/])\s*(-?\d+)\s*=", outline.text.replace("\n", " "))
    if found is None:
        raise NotShown("the text shows no sum")
    one, sign, other = int(found[1]), found[2], int(found[3])
    result = {"+": one + other, "-": one - other, "/": one // (other or 1)}.get(sign, one * other)
    await page.type(outline.find("textbox"), str(result))
    await page.click(outline.find("button", "Submit"))


@oracle("simple-algebra")
async def solve(page: Page) -> None:
    outline = await page.look()
    found = re.search(
        r"(x|-?\d+)\s*([-+])\s*(x|-?\d+)\s*=\s*(-?\d+)", outline.text.replace("\n", " ")
    )
    if found is None:
        raise NotShown("the text shows no equation")
    left, sign, right, result = found.groups()
    total = int(result)
    if left == "x":
        x = total - int(right) if sign == "+" else total + int(right)
    else:
        x = total - int(left) if sign == "+" else int(left) - total
    await page.type(outline.find("textbox"), str(x))
    await page.click(outline.find("button", "Submit"))


@oracle("text-transform")
async def copy_shown(page: Page) -> None:
    outline = await page.look()
    field = outline.find("textbox")
    letters = "".join(
        one.label for one in reversed(outline.before(field)) if one.label and not one.ref
    )
    await page.type(field, "".join(letters.split()))
    await page.click(outline.find("button", "Submit"))


@oracle("unicode-test")
async def click_named(page: Page) -> None:
    (name,) = quoted(page.goal)
    outline = await page.look()
    role = "link|generic" if "link" in page.goal.lower() else "button"
    await page.click(outline.find(role, name))


@oracle("terminal")
async def delete_file(page: Page) -> None:
    outline = await page.look()
    field = outline.find("textbox|generic", where=lambda one: one.role == "textbox")
    before = outline.text
    await page.type(field, "ls", slowly=True, clear=False)
    await page.press("Enter")
    outline = await page.look()
    fresh = outline.text.replace(before, "")
    files = re.findall(r"(?<!\S)[\w.]+(?!\S)", fresh.split("ls", 1)[-1])
    files = [one for one in files if one not in {"user", "ls"}]
    if "no file extension" in page.goal:
        fitting = [one for one in files if "." not in one]
    else:
        (ending,) = said(r"extension (\.\S+)", page.goal)
        fitting = [one for one in files if one.endswith(ending)]
    if not fitting:
        raise NotShown(f"the terminal shows no such file: {files}")
    await page.type(outline.find("textbox"), f"rm {fitting[0]}", slowly=True, clear=False)
    await page.press("Enter")


@oracle("scroll-text")
async def copy_last_word(page: Page) -> None:
    outline = await page.look()
    area, field = outline.find("textbox"), outline.find("textbox", nth=1)
    if (area.value or area.label).rstrip('"').endswith(("…", "...")):
        outline = await _copy_last(page, area, field)
        area = field = outline.all("textbox", ref=True)[1]
    words = re.findall(r"[\w]+", area.value or area.label)
    if not words:
        raise NotShown("the text area's end is cut off")
    if (field.value or field.label) != words[-1]:
        await page.type(field, words[-1])
    await page.click(outline.find("button", "Submit"))


async def _copy_last(page: Page, area: Node, field: Node) -> Outline:
    """Copy the last word of a text area into a field by the keyboard, and look."""
    await page.click(area)
    await page.press("Control+End")
    await page.press("Control+Shift+ArrowLeft", times=2)
    await page.press("Control+C")
    await page.click(field)
    return await page.press("Control+V", look=True)


@oracle("scroll-text-2")
async def scroll_text(page: Page) -> None:
    (way,) = said(r"to the (\w+) of", page.goal)
    outline = await page.look()
    await page.scroll(outline.find("textbox"), 5000 if way == "bottom" else -5000)
    await page.click(outline.find("button", "Submit"))


@oracle("sign-agreement")
async def sign(page: Page) -> None:
    outline = await page.look()
    if page.goal.startswith("Click the cancel"):
        await page.click(outline.find("button", "Cancel"))
        return
    name, button = quoted(page.goal)
    outline = await page.scroll(outline.find("textbox"), 5000, look=True)
    await page.type(outline.find("textbox", nth=1), name)
    await page.click(outline.find("button", button))


@oracle("text-editor")
async def style_text(page: Page) -> None:
    outline = await page.look()
    editor = max(
        outline.all("textbox|generic|paragraph", ref=True),
        key=lambda one: len(one.value or one.label),
    )
    content = editor.value or editor.label
    start, length = 0, len(content)
    if (word := re.search(r"give the text (\S+) the", page.goal)) is not None:
        start, length = content.index(word[1]), len(word[1])
    await page.click(editor)
    await page.press("Control+Home")
    if start:
        await page.press("ArrowRight", times=start)
    left = length
    while left > 50:
        await page.press("Shift+ArrowRight", times=50)
        left -= 50
    # The editor hears of a selection a moment later: a look gives it the time.
    outline = await page.press("Shift+ArrowRight", times=left, look=True)
    if (style := re.search(r"the style (\w+)", page.goal)) is not None:
        await page.click(_called(outline, re.compile(_STYLES[style[1]], re.I)))
    else:
        (color,) = said(r"the color (\w+)", page.goal)
        outline = await page.click(_called(outline, re.compile("color", re.I)), look=True)
        await page.click(await shade(page, outline, color))
    await page.click(outline.find("button", "Submit"))


def _called(outline, like):  # type: ignore[no-untyped-def]
    for node in outline:
        told = " ".join([node.label, *node.states.values()])
        if node.ref and like.search(told):
            return node
    raise NotShown(f"the text shows no control called {like.pattern!r}")

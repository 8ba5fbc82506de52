"""Fields, check boxes, options and selects."""

from __future__ import annotations

from bench.miniwob.oracles.registry import oracle, quoted, said
from bench.miniwob.verbs import Page


@oracle("enter-text", "enter-text-dynamic")
async def enter_text(page: Page) -> None:
    (text,) = quoted(page.goal)
    outline = await page.look()
    await page.type(outline.find("textbox"), text)
    await page.click(outline.find("button"))


@oracle("login-user")
async def login(page: Page) -> None:
    user, password = quoted(page.goal)
    outline = await page.look()
    await page.type(outline.find("textbox", nth=0), user)
    await page.type(outline.find("textbox", nth=1), password)
    await page.click(outline.find("button", "Login"))


@oracle("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer")
async def check_boxes(page: Page) -> None:
    (names,) = said(r"Select (.*) and click Submit", page.goal)
    outline = await page.look()
    for name in names.split(", ") if names != "nothing" else []:
        await page.click(outline.find("checkbox", name))
    await page.click(outline.find("button", "Submit"))


@oracle("click-option")
async def choose_option(page: Page) -> None:
    (name,) = said(r"Select (.*) and click Submit", page.goal)
    outline = await page.look()
    await page.click(outline.find("radio", name))
    await page.click(outline.find("button", "Submit"))


@oracle("choose-list")
async def choose_from_list(page: Page) -> None:
    (name,) = said(r"Select (.*) from the list and click Submit", page.goal)
    outline = await page.look()
    await page.select(outline.find("combobox|listbox"), name)
    await page.click(outline.find("button", "Submit"))

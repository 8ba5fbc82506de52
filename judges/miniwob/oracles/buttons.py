"""Buttons, links, tabs and dialogs."""

from __future__ import annotations

from judges.miniwob.oracles.registry import oracle, quoted
from judges.miniwob.verbs import Page


@oracle("click-button", "click-link")
async def click_quoted(page: Page) -> None:
    (name,) = quoted(page.goal)
    outline = await page.look()
    await page.click(outline.holder(outline.find("button|link|text|generic", name, ref=False)))


@oracle("click-test", "click-test-transfer")
async def click_only_button(page: Page) -> None:
    outline = await page.look()
    await page.click(outline.find("button"))


@oracle("click-test-2")
async def click_button_one(page: Page) -> None:
    outline = await page.look()
    await page.click(outline.find("button", "ONE"))


@oracle("click-button-sequence")
async def click_one_and_two(page: Page) -> None:
    outline = await page.look()
    await page.click(outline.find("button", "ONE"))
    await page.click(outline.find("button", "TWO"))


@oracle("click-dialog")
async def close_dialog(page: Page) -> None:
    outline = await page.look()
    await page.click(outline.find("button", where=lambda one: one.label.lower() in {"close", "x"}))


@oracle("click-dialog-2")
async def click_in_dialog(page: Page) -> None:
    (name,) = quoted(page.goal)
    outline = await page.look()
    # The button with the cross is called Close.
    names = {"close", "x"} if name == "x" else {name.lower()}
    await page.click(outline.find("button", where=lambda one: one.label.lower() in names))

"""Fields, check boxes, options and selects."""

from __future__ import annotations

import re

from judges.miniwob.nodes import Node
from judges.miniwob.oracles.registry import oracle, quoted, said
from judges.miniwob.verbs import Page


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


@oracle("click-scroll-list")
async def choose_from_scroll_list(page: Page) -> None:
    (names,) = said(r"Select (.*) from the scroll list and click Submit", page.goal)
    outline = await page.look()
    await page.select(outline.find("listbox|combobox"), *names.split(", "))
    await page.click(outline.find("button", "Submit"))


@oracle("enter-text-2")
async def enter_in_case(page: Page) -> None:
    (text,) = quoted(page.goal)
    outline = await page.look()
    text = text.lower() if "lower case" in page.goal else text.upper()
    await page.type(outline.find("textbox"), text)
    await page.click(outline.find("button"))


@oracle("enter-password")
async def enter_password_twice(page: Page) -> None:
    (password,) = quoted(page.goal)
    outline = await page.look()
    for field in outline.all("textbox", ref=True)[:2]:
        await page.type(field, password)
    await page.click(outline.find("button"))


@oracle("focus-text")
async def focus_field(page: Page) -> None:
    outline = await page.look()
    await page.click(outline.find("textbox"))


@oracle("focus-text-2")
async def focus_numbered_field(page: Page) -> None:
    (number,) = said(r"(\d)\w\w input", page.goal)
    outline = await page.look()
    await page.click(outline.find("textbox", nth=int(number) - 1))


@oracle("copy-paste")
async def copy_paste(page: Page) -> None:
    outline = await page.look()
    fields = outline.all("textbox", ref=True)
    source = next(one for one in fields if one.value)
    target = next(one for one in fields if not one.value)
    await page.type(target, source.value)
    await page.click(outline.find("button"))


@oracle("copy-paste-2")
async def copy_numbered(page: Page) -> None:
    (number,) = said(r"from the (\d)\w\w text area", page.goal)
    outline = await page.look()
    fields = outline.all("textbox", ref=True)
    source = [one for one in fields if one.value][int(number) - 1]
    await page.type(next(one for one in fields if not one.value), source.value)
    await page.click(outline.find("button"))


@oracle("find-word")
async def find_word(page: Page) -> None:
    (number,) = said(r"(\d+)\w\w word", page.goal)
    outline = await page.look()
    field = outline.find("textbox")
    before = field.near or " ".join(
        one.label for one in outline if one.label and one.order < field.order
    )
    words = before.split()
    await page.type(field, words[int(number) - 1].strip(".,"))
    await page.click(outline.find("button"))


@oracle("click-widget")
async def click_widget(page: Page) -> None:
    (kind,) = quoted(page.goal)
    outline = await page.look()
    fields = outline.all("textbox", ref=True)
    if kind in {"text", "textarea"}:
        await page.click(_first_of_kind(fields, several_lines=kind == "textarea"))
    else:
        await page.click(outline.find(kind))


def _first_of_kind(fields: list[Node], *, several_lines: bool) -> Node:
    """The first text area, or the first field of one line, as far as the tool tells them apart."""
    for mark in ("multiline", "textarea"):
        areas = [one for one in fields if one.is_on(mark) or one.says(mark)]
        if areas:
            return next(one for one in fields if (one in areas) == several_lines)
    if several_lines and (filled := [one for one in fields if one.value]):
        return filled[0]  # some tools tell the text of areas only
    return fields[0]


SIMILAR = [
    set(line.split())
    for line in (
        "big large huge enormous gigantic",
        "small tiny little mini petite",
        "red scarlet crimson vermillion",
        "happy cheerful joyful gleeful delighted",
        "sad unhappy sorrowful miserable tragic",
        "angry mad furious irritated",
        "evil wicked immoral sinful corrupt depraved",
        "wrong incorrect mistaken erroneous",
        "real genuine actual",
        "strange odd peculiar unusual weird",
        "stop cease halt end finish",
        "scared terrified panicked fearful frightened afraid",
        "quiet calm peaceful serene mild",
        "old aged archaic",
        "love like adore favor",
        "kill murder assassinate",
        "keep retain preserve sustain maintain",
        "hide conceal camouflage",
        "hate despise loathe detest dislike",
        "funny humorous amusing comical laughable",
        "fat fleshy plump chubby",
        "stupid dumb dull unwise",
        "delicious savory delectable appetizing",
        "cut slice carve chop",
        "brave courageous fearless",
        "begin start initiate launch",
        "answer reply response",
        "television televisions tv tvs",
        "house home houses homes",
        "fire flame fires flames",
        "pig pork swine",
        "rabbit rabbits bunny bunnies",
        "car cars automobile automobiles vehicle vehicles",
    )
]
"""Words of one meaning: what a reader knows, and a program has to be told."""


@oracle("click-checkboxes-soft")
async def check_similar(page: Page) -> None:
    (words,) = said(r"similar to (.*) and click Submit", page.goal)
    outline = await page.look()
    for word in words.split(", "):
        alike = next((one for one in SIMILAR if word.lower() in one), {word.lower()})
        box = outline.find("checkbox", where=lambda one, alike=alike: one.label.lower() in alike)
        await page.click(box)
    await page.click(outline.find("button", "Submit"))


@oracle("form-sequence")
async def slider_and_checkbox(page: Page) -> None:
    number, nth = said(r"Select (-?\d+) with the slider, click the (\d)", page.goal)
    outline = await page.look()
    now = outline.find(None, re.compile(r"^-?\d+$"), ref=False)
    boxes = outline.all("checkbox", ref=True)
    handle = next(one for one in outline if one.ref and one.role in {"generic", "slider", "link"})
    await page.click(handle)
    steps = int(number) - int(now.label)
    if steps:
        await page.press("ArrowRight" if steps > 0 else "ArrowLeft", times=abs(steps))
    await page.click(boxes[int(nth) - 1])
    await page.click(outline.find("button", "Submit"))


@oracle("form-sequence-2")
async def radio_and_text(page: Page) -> None:
    radio, number, field = said(
        r'Check the (\d)\w\w radio button and enter the number "(-?\d+)" into the (\d)', page.goal
    )
    outline = await page.look()
    await page.click(outline.find("radio", nth=int(radio) - 1))
    await page.type(outline.find("textbox", nth=int(field) - 1), number)
    await page.click(outline.find("button", "Submit"))


@oracle("form-sequence-3")
async def dropdown_and_button(page: Page) -> None:
    option, button = said(r'Choose (.*) from the dropdown, then click .* "(\w+)"', page.goal)
    outline = await page.look()
    arrow = outline.all("generic|button|text", "▾", ref=True)
    if arrow:  # the list that people see; the page's own select is hidden
        outline = await page.click(arrow[0], look=True)
        roles = "listitem|option|generic|text"
        outline = await page.look_until(lambda shown: shown.all(roles, option, ref=True), tries=4)
        await page.click(outline.find(roles, option))
    else:
        await page.select(outline.find("combobox|listbox"), option)
    outline = await page.look()
    await page.click(outline.find("button", button))


@oracle("generate-number")
async def generate_number(page: Page) -> None:
    outline = await page.look()
    generate, submit = outline.find("button", "Generate"), outline.find("button", "Submit")
    limit = int((re.findall(r"\d+", page.goal) or ["0"])[0])
    for _ in range(40):
        outline = await page.click(generate, look=True)
        number = int(outline.find(None, re.compile(r"^\d+$"), ref=False).label)
        fits = {
            "less": number < limit, "greater": number > limit,
            "odd": number % 2 == 1, "even": number % 2 == 0,
        }  # fmt: skip
        if any(fits[word] for word in fits if word in page.goal):
            await page.click(submit)
            return


@oracle("guess-number")
async def guess_number(page: Page) -> None:
    outline = await page.look()
    least, most = 0, 9
    while least <= most:
        guess = (least + most) // 2
        await page.type(outline.find("spinbutton|textbox"), str(guess))
        outline = await page.click(outline.find("button", "Submit"), look=True)
        if "higher" in outline.text:
            least = guess + 1
        elif "lower" in outline.text:
            most = guess - 1
        else:
            return


@oracle("login-user-popup")
async def login_with_popup(page: Page) -> None:
    """A popup may come while a field gets its text: it is closed, and the text typed again."""
    outline = await page.look()
    for at, text in enumerate(quoted(page.goal)):
        outline = await page.type(outline.find("textbox", nth=at), text, look=True)
        if cancel := outline.all(None, re.compile("[Cc]ancel"), ref=True):
            outline = await page.click(cancel[0], look=True)
            outline = await page.type(outline.find("textbox", nth=at), text, look=True)
    await page.click(outline.find("button", re.compile("OK|Login")))

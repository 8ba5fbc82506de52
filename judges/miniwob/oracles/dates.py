"""Calendars and flights."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

from judges.miniwob.nodes import Node, NotShown, Outline
from judges.miniwob.oracles.registry import oracle, said
from judges.miniwob.tools.tool import Refused
from judges.miniwob.verbs import Page

_MONTH = re.compile(
    r"^(January|February|March|April|May|June|July|August|September|October|November|December)"
    r"(?: (\d{4}))?$"
)


async def pick_date(page: Page, field: Node, wanted: date) -> None:
    """Open the calendar of a field, go to the month and click the day."""
    outline = await page.look_until(_month, seen=await page.click(field, look=True))
    stays = True
    for _ in range(24):
        shown = _month(outline)
        assert shown is not None
        months = 12 * (wanted.year - shown.year) + wanted.month - shown.month
        if not months:
            break
        arrow = outline.find(None, "Next" if months > 0 else "Prev")
        try:
            for _ in range(abs(months) - 1 if stays else 0):
                await page.click(arrow)
            outline = await page.click(arrow, look=True)
        except Refused:  # the page drew another arrow, and the tool has a new ref for it
            stays = False
            outline = await page.look()
    await page.click(outline.find("link|cell|gridcell|text|generic", str(wanted.day)))


def _month(outline: Outline) -> date | None:
    """The month that a calendar shows, in one text or in two."""
    texts = outline.texts
    for at, text in enumerate(texts):
        if (found := _MONTH.match(" ".join(text.split()))) is None:
            continue
        year = found[2] or next((one for one in texts[at + 1 : at + 4] if one.isdigit()), "")
        if len(year) == 4:
            return datetime.strptime(f"1 {found[1]} {year}", "%d %B %Y").date()
    return None


def as_date(text: str) -> date:
    return datetime.strptime(text, "%m/%d/%Y").date()


@oracle("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay")
async def choose_date(page: Page) -> None:
    (day,) = said(r"(\d+/\d+/\d+)", page.goal)
    outline = await page.look()
    submit = outline.find("button", "Submit")
    await pick_date(page, outline.find("textbox"), as_date(day))
    try:
        await page.click(submit)
    except Refused:  # the calendar that closes slowly still covered it
        await page.look()
        await page.click(submit)


@oracle("enter-date")
async def enter_date(page: Page) -> None:
    (day,) = said(r"(\d+/\d+/\d+)", page.goal)
    outline = await page.look()
    await page.type(outline.find("textbox|date"), as_date(day).isoformat())
    await page.click(outline.find("button", "Submit"))


@oracle("enter-time")
async def enter_time(page: Page) -> None:
    (time,) = said(r"(\d+:\d+ [AP]M)", page.goal)
    outline = await page.look()
    moment = datetime.strptime(time, "%I:%M %p")
    await page.type(outline.find("textbox|time|inputtime"), moment.strftime("%H:%M"))
    await page.click(outline.find("button", "Submit"))


@oracle("book-flight", "book-flight-nodelay")
async def book_flight(page: Page) -> None:
    wanted, origin, goal, day = said(
        r"Book the (\w+) one-way flight from: (.*) to: (.*) on (\d+/\d+/\d+)", page.goal
    )
    outline = await page.look()
    start = outline.find("textbox|combobox", re.compile("From"))
    end = outline.find("textbox|combobox", re.compile("To:"))
    when = outline.find("textbox", where=lambda one: one.ref not in {start.ref, end.ref})
    search = outline.find("button", "Search")
    for field, city in ((start, origin), (end, goal)):
        await choose_city(page, field, city)
    await pick_date(page, when, as_date(day))
    outline = await page.click(search, look=True)
    offers = _offers(outline)
    await page.click(offers["shortest" if wanted == "shortest" else "cheapest"])


async def choose_city(page: Page, field: Node, city: str) -> None:
    """Type, and take the suggestion that names the city or the airport."""
    wanted = re.compile(
        rf"\({city}\)$" if re.fullmatch("[A-Z]{3}", city) else rf"^{re.escape(city)} \("
    )
    roles = "listitem|option|menuitem|text|generic|link"
    outline = await page.type(field, city, look=True)
    for _ in range(3):
        outline = await page.look_until(lambda shown: shown.has(roles, wanted), seen=outline)
        shown = outline.find(roles, wanted, ref=False)
        outline = await page.click(outline.holder(shown), look=True)
        # If the page drew the list again under the mouse, the field still has the typed text.
        if not any(one.ref == field.ref and one.value == city for one in outline):
            return


def _offers(outline: Outline) -> dict[str, Node]:
    """The tickets: duration, price and button of each."""
    offers: list[tuple[int, int, Node]] = []
    minutes = -1
    for node in outline:
        if found := re.search(r"(\d+)h (\d+)m", node.label):
            minutes = int(found[1]) * 60 + int(found[2])
        if node.role == "button" and (found := re.search(r"\$(\d+)", node.label)):
            offers.append((minutes, int(found[1]), node))
    if not offers:
        raise NotShown("no tickets with a price")
    return _best(offers)


def _best(offers: Sequence[tuple[int, int, Node]]) -> dict[str, Node]:
    return {
        "shortest": min(offers, key=lambda one: one[0])[2],
        "longest": max(offers, key=lambda one: one[0])[2],
        "cheapest": min(offers, key=lambda one: one[1])[2],
        "most": max(offers, key=lambda one: one[1])[2],
    }


@oracle("buy-ticket")
async def buy_ticket(page: Page) -> None:
    (wanted,) = said(r"Buy the ticket with the (\w+)", page.goal)
    outline = await page.look()
    await page.click(_offers(outline)[wanted])

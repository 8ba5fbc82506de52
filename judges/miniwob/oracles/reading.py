"""Tables, lists of results, trees, phone books, forms in other orders."""

from __future__ import annotations

import re

from judges.miniwob.nodes import Node, NotShown, Outline
from judges.miniwob.oracles.registry import oracle, quoted, said
from judges.miniwob.verbs import Page

_FIELDS = "textbox|combobox|searchbox"
_ONE_TICK = 1.5
"""How much the price may rise between a look and a click."""


def field_of(outline: Outline, label: str, fields: list[Node]) -> Node:
    """The field that a label names: by its name, in its row, or else beside it in page order."""
    like = re.compile(rf"\b{label}", re.I)
    for field in fields:
        if like.search(field.label) or like.search(field.near):
            return field
    said_at = [one.order for one in outline if like.search(one.label) and one not in fields]
    if not said_at:
        raise NotShown(f"the text has no label {label!r}")
    first_text = next(one.order for one in outline if one.label and one not in fields)
    labels_first = first_text < fields[0].order
    after = [one for one in fields if one.order > said_at[-1]]
    before = [one for one in fields if one.order < said_at[-1]]
    return after[0] if labels_first and after else before[-1]


@oracle("multi-layouts", "multi-orderings")
async def search_movies(page: Page) -> None:
    genre, director, year = said(
        r"Search for (.+) movies directed by (.+) from year (\d+)", page.goal
    )
    outline = await page.look()
    fields = outline.all(_FIELDS, ref=True)
    for labels, value in (("Genre|Movie Genre", genre), ("Director", director),
                          ("Year|Released", year)):  # fmt: skip
        await page.type(field_of(outline, f"(?:{labels})", fields), value)
    submit = outline.find(None, re.compile(r"^(Submit|Search|Go!)$"), ref=False)
    await page.click(outline.holder(submit))


@oracle("navigate-tree")
async def find_in_tree(page: Page) -> None:
    (name,) = quoted(page.goal)
    outline = await page.look()
    opened: set[str] = set()
    for _ in range(20):
        if found := outline.all(None, name):
            await page.click(outline.holder(found[0]))
            return
        folder = next(
            (
                one
                for one in outline
                if one.ref and one.label and one.label not in opened and _is_folder(outline, one)
            ),
            None,
        )
        if folder is None:
            break
        opened.add(folder.label)
        outline = await page.click(folder, look=True)
    raise NotShown(f"no folder that can be opened shows {name!r}")


def _is_folder(outline: Outline, node: Node) -> bool:
    """A leaf of this tree is a bare list item: a folder has an icon to open it, too."""
    return node.role != "listitem" or bool(outline.under(node))


@oracle("phone-book")
async def find_contact(page: Page) -> None:
    name, what = said(r"Find (.+) in the contact book and click on their (\w+)", page.goal)
    outline = await page.look()
    for _ in range(8):
        if outline.has("heading", name):
            label = outline.find(None, re.compile(rf"^{what}", re.I), ref=False)
            await page.click(next(one for one in outline.after(label) if one.ref))
            return
        outline = await page.click(outline.find("link|generic", ">"), look=True)
    raise NotShown(f"no page of the book shows {name!r}")


@oracle("search-engine")
async def find_result(page: Page) -> None:
    words, _ = quoted(page.goal)
    (place,) = said(r"click the (\d+)\w\w search result", page.goal)
    outline = await page.look()
    await page.type(outline.find(_FIELDS), words)
    outline = await page.click(outline.find("button", "Search"), look=True)
    left = int(place)
    for _ in range(9):
        results = [
            one
            for one in outline.all("link|heading", ref=True)
            if not re.fullmatch(r"\W*|\d+", one.label)
        ]
        if left <= len(results):
            await page.click(results[left - 1])
            return
        left -= len(results)
        outline = await page.click(outline.find("link|generic", ">"), look=True)
    raise NotShown(f"the results do not reach number {place}")


def _table(outline: Outline) -> dict[str, str]:
    cells = [one.label for one in outline.all("cell|gridcell|rowheader|columnheader")]
    return dict(zip(cells[::2], cells[1::2], strict=False))


@oracle("read-table")
async def read_cell(page: Page) -> None:
    (what,) = said(r"value of (.+) into", page.goal)
    outline = await page.look()
    await page.type(outline.find(_FIELDS), _table(outline)[what])
    await page.click(outline.find("button", "Submit"))


def _plain(label: str) -> str:
    return label.strip().rstrip(":")


@oracle("read-table-2")
async def read_cells(page: Page) -> None:
    outline = await page.look()
    table = _table(outline)
    fields = outline.all(_FIELDS, ref=True)
    last_cell = outline.all("cell|gridcell|rowheader|columnheader")[-1]
    for field in fields:
        beside = [one.label for one in outline.before(field) if one.order > last_cell.order]
        labels = [field.label, field.near, *beside]
        label = next((one for one in map(_plain, labels) if one in table), None)
        if label is None:
            raise NotShown("the text has no label of the table for a field")
        await page.type(field, table[label])
    await page.click(outline.find("button", "Submit"))


@oracle("order-food")
async def order_food(page: Page) -> None:
    outline = await page.look()
    if page.goal.startswith("Order one of each item"):
        (names,) = said(r"item: (.*)", page.goal)
        wanted = [one.strip() for one in names.split(",")]
        dishes = [outline.find(None, name, ref=False) for name in wanted]
    else:
        how_many, kind = said(r"Order (\d+) items that are (.+)", page.goal)
        signs = outline.all("img|image", re.compile(rf"^{re.escape(kind.strip())}$", re.I))
        if len(signs) < int(how_many):
            raise NotShown(f"the text shows {len(signs)} dishes that are {kind}")
        dishes = signs[: int(how_many)]
    for dish in dishes:
        plus = next(one for one in outline.after(dish) if one.label == "+")
        await page.click(outline.holder(plus))
    await page.click(outline.find("button", "Order!"))


@oracle("stock-market")
async def buy_low(page: Page) -> None:
    (limit,) = said(r"less than \$([\d.]+?)\.?$", page.goal)
    highest = float(limit) - _ONE_TICK

    def is_low(outline: Outline) -> bool:
        price = re.search(r"\$([\d.]+)", outline.text)
        return price is not None and float(price[1]) <= highest

    outline = await page.look_until(is_low, tries=40)
    await page.click(outline.find("button", "Buy"))


@oracle("odd-or-even")
async def mark_numbers(page: Page) -> None:
    outline = await page.look()
    for number in outline.all(None, re.compile(r"^-?\d+$")):
        odd = int(number.label) % 2 == 1
        beside = outline.before(number) if odd else outline.after(number)
        name = "Odd" if odd else "Even"
        await page.click(next(one for one in beside if one.ref and one.label == name))
    await page.click(outline.find("button", "Submit"))

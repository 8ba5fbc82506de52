# ruff: noqa: E501 - pages, one element after the other
"""Partly loaded tables and lists, and short descriptions in their rows."""

from __future__ import annotations

import re

import pytest
from support.reading import body
from support.site import Site

from tabwarden.sync import Browser

DOT = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='13' height='13'/>"


def grid(told: str, *, rows: int = 23, first: int = 2) -> str:
    lines = "".join(
        f"<div role=row aria-rowindex={first + n}><div role=gridcell>a{n}</div><div role=gridcell>b{n}</div></div>"
        for n in range(rows)
    )
    head = "<div role=row aria-rowindex=1><div role=columnheader>A</div><div role=columnheader>B</div></div>"
    return f"<div role=grid aria-label=People {told}>{head}<div role=rowgroup>{lines}</div></div>"


def items(kind: str, item: str, told: str) -> str:
    return f"<div role={kind} aria-label=People>{''.join(f'<div role={item} {told} aria-posinset={n}>{item} {n}</div>' for n in range(1, 6))}</div>"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("page", "part"),
    [
        (grid("aria-rowcount=201"), "24 of 201 rows"),
        (grid("aria-rowcount=201 aria-colcount=12"), "24 of 201 rows, 2 of 12 columns"),
        (grid("aria-colcount=12"), "2 of 12 columns"),
        (grid("aria-rowcount=-1"), "24 of ? rows"),
        (grid("aria-rowcount=24"), ""),
        (grid("aria-rowcount=many"), ""),
        (grid("aria-rowcount=201").replace("role=grid ", "role=treegrid "), "24 of 201 rows"),
        (grid("aria-rowcount=201").replace("role=grid ", "role=table "), "24 of 201 rows"),
        (grid("aria-rowcount=201", rows=2, first=1), "2 of 201 rows"),
        ("<table aria-label=People aria-rowcount=50><tr><th>A<th>B<tr><td>1<td>2</table>", "2 of 50 rows"),
        (items("listbox", "option", "aria-setsize=500"), "5 of 500 items"),
        (items("list", "listitem", "aria-setsize=500"), "5 of 500 items"),
        (items("feed", "article", "aria-setsize=-1"), "5 of ? items"),
        (items("listbox", "option", "aria-setsize=5"), ""),
        (items("tree", "treeitem", "aria-setsize=9"), "5 of 9 items"),
    ],
)  # fmt: skip
def test_snapshot_and_scrape_report_how_much_of_a_table_or_list_is_loaded(
    page: str, part: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    line = next(line for line in body(browser.snapshot().text) if '"People"' in line)
    assert line.partition(" (")[2] == (f"{part}: scroll for more)" if part else "")
    read = browser.scrape().value["text"]
    assert ("scroll for more" in read) is bool(part)
    assert f"({part}: scroll for more)" in read or not part


def test_snapshot_shows_small_images_in_table_cells_as_text(browser: Browser, site: Site) -> None:
    large = "style='width:90px;height:90px'"
    browser.goto(
        site.page(
            "/",
            f"""<table><tr><th>Paid<th>Face<tr><td><img src="{DOT}" alt=True>
        <td><img src="{DOT}" alt=Ann {large}><tr><td><a href=/x><img src="{DOT}" alt=False></a><td>no</table>""",
        )
    )
    lines = [re.sub(r"e\d+", "e", line) for line in body(browser.snapshot().text)]
    assert lines[2:] == [
        '  - row: "True" | img "Ann" [ref=e]', '  - row: link "False" [ref=e] url="/x" | "no"',
    ]  # fmt: skip
    assert "| True | Ann |" in browser.scrape().value["text"]


def test_truncated_snapshot_keeps_the_main_content(browser: Browser, site: Site) -> None:
    links = "".join(
        f"<li><a href=/page/{n}>Chapter number {n} of the guide</a>" for n in range(300)
    )
    words = "".join(f"<p>Paragraph {n} {'of the answer ' * 12}</p>" for n in range(15))
    page = f"<nav style='float:left;width:300px'><ul>{links}</ul></nav><main><h1>Answer</h1>{words}<button>Send</button></main>"
    browser.goto(site.page("/", page))
    text = browser.snapshot(max_chars=6_000).text
    for n in range(15):
        assert f"Paragraph {n} of" in text
    assert 'button "Send"' in text
    assert 'link "Chapter number 0 of the guide"' in text
    assert re.search(r"… \d+ more like this: link .* more=m\d+", text)


@pytest.mark.parametrize("command", ["toggle-popover", "show-popover", "hide-popover"])
def test_snapshot_shows_whether_a_buttons_popover_is_open(
    command: str, browser: Browser, site: Site
) -> None:
    browser.goto(
        site.page(
            "/",
            f"<button commandfor=p command={command}>Menu</button><button commandfor=d command=show-modal>Ask</button><div id=p popover>Items</div><dialog id=d></dialog>",
        )
    )
    assert 'button "Menu" [ref=e1] expanded=false' in re.sub(
        r"e\d+\]", "e1]", browser.snapshot().text
    )
    browser.evaluate("p.showPopover()")
    text = re.sub(r"e\d+\]", "e1]", browser.snapshot().text)
    assert 'button "Menu" [ref=e1] expanded\n' in text
    assert 'button "Ask" [ref=e1]\n' in text

# ruff: noqa: E501 - pages, one element after the other
"""``diff=True`` shows only the changes since the agent's last snapshot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.reading import body, ref_of
from support.site import Site

from tabwarden.sync import Browser

LAYOUTS = sorted((Path(__file__).parents[4] / "bench" / "pages").glob("*.html"))


def test_diff_lists_only_added_removed_and_changed_elements(browser: Browser, site: Site) -> None:
    rows = "".join(f"<p>row {n}</p>" for n in range(300))
    page = f"<h1>Cart</h1><button id=buy>Buy</button>{rows}<h2>Sum</h2><div id=sum>0 items</div><a href=/ id=gone>Gone</a>"
    browser.goto(site.page("/", page))
    whole = browser.snapshot(diff=True)
    assert "row 299" in whole.text
    gone, buy = ref_of(whole, '"Gone"'), ref_of(whole, '"Buy"')
    browser.evaluate("sum.textContent = '1 item'; buy.disabled = true; gone.remove(); buy.after(document.createElement('input'))")  # fmt: skip
    changed = browser.snapshot(diff=True)
    (new,) = set(changed.refs) - {buy}
    assert body(changed.text) == [
        '@ heading "Cart"',
        f'~ button "Buy" [ref={buy}] disabled',
        f"+ textbox [ref={new}]",
        '@ heading "Sum"',
        '~ text "1 item" (was "0 items")',
        f'- link "Gone" (was {gone})',
    ]
    assert "Nothing changed" in browser.snapshot(diff=True).text
    assert "row 299" in browser.snapshot().text


def test_diff_summarizes_a_rerendered_list_in_one_line(browser: Browser, site: Site) -> None:
    page = """<h1>Teas</h1><ul id=list></ul><script>
    const render = (names) => { list.innerHTML = names.map((n) => `<li>${n} <button>Buy ${n}</button>`).join('') };
    const all = Array.from({ length: 50 }, (_, n) => `Tea ${n}`); render(all);</script>"""
    browser.goto(site.page("/", page))
    browser.snapshot()
    browser.evaluate("render(all)")
    again = browser.snapshot(diff=True)
    assert "Nothing changed" in again.text
    found = re.search(r"Redrawn with new refs but otherwise unchanged: (e\d+)-e\d+ -> (e\d+)-e\d+\.", again.text)  # fmt: skip
    assert found is not None
    browser.evaluate("render(all.filter((n) => n !== 'Tea 7'))")
    fewer = browser.snapshot(diff=True)
    (gone,) = [line for line in body(fewer.text) if line.startswith("-")]
    assert re.fullmatch(r"- listitem and 2 lines in it \(was e\d+\)", gone)
    assert not [line for line in body(fewer.text) if line.startswith(("+", "~"))]
    now = re.search(r" -> (e\d+)-e\d+", fewer.text)
    assert now is not None
    assert browser.click(now[1]).status == "ok"


def test_diff_lists_the_changed_rows_of_a_virtual_scroller(browser: Browser, site: Site) -> None:
    page = """<ul id=list></ul><script>
    for (let n = 0; n < 20; n++) list.append(document.createElement('li'));
    const show = (first) => [...list.children].forEach((li, n) => { if (!li.firstChild) li.innerHTML = '<a href="#">x</a>'; li.firstChild.textContent = `Row ${first + n}`; });
    show(0)</script>""" + "<h3>A part of the page</h3>" * 200  # fmt: skip
    browser.goto(site.page("/", page))
    first = browser.snapshot()
    browser.evaluate("show(5)")
    changed = browser.snapshot(diff=True)
    told = [line for line in body(changed.text) if line.startswith("~")]
    assert len(told) == 20
    # The element that showed row 5 now shows row 10, and the diff says so.
    ref = ref_of(first, '"Row 5"')
    assert f'~ link "Row 10" [ref={ref}] (was "Row 5")' in told


def test_diff_after_a_navigation_shows_the_whole_new_page(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button>One</button>" * 30))
    browser.snapshot()
    browser.goto(site.page("/other", "<a href=/x>Two</a>" * 30))
    other = browser.snapshot(diff=True)
    assert "Almost everything changed. The whole page:" in other.text
    assert body(other.text)[0].startswith('- link "Two"')
    assert len(other.refs) == 30


def test_oversized_diff_can_be_read_in_parts(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page("/", "<p>words that stay where they are</p>" * 999 + "<ul id=list></ul>")
    )
    browser.snapshot()
    browser.evaluate("for (let n = 0; n < 100; n++) list.insertAdjacentHTML('beforeend', `<li><button>New ${n}</button>`)")  # fmt: skip
    changed = browser.snapshot(diff=True, max_chars=6_000)
    assert '+   button "New 99"' in changed.text or "more=" not in changed.text
    browser.evaluate("list.innerHTML += list.innerHTML")
    short = browser.snapshot(diff=True, max_chars=1_000)
    assert short.truncated
    gaps = [line for line in body(short.text) if "more=" in line]
    assert gaps and all(gap.startswith("… ") for gap in gaps)  # "- " marks removed lines  # noqa: PT018
    rest = body(browser.snapshot(more=gaps[-1].partition("more=")[2]).text)
    assert rest[-1].startswith(("+ ", "- ", "~ "))


def test_diff_of_a_short_page_shows_only_the_change(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<h1>Cart</h1><p id=sum>0 items</p><button>Pay</button>"))
    browser.snapshot()
    browser.evaluate("sum.textContent = '1 item'")
    assert body(browser.snapshot(diff=True).text) == [
        '@ heading "Cart"',
        '~ text "1 item" (was "0 items")',
    ]


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_diff_of_a_small_change_is_under_a_twentieth_of_the_snapshot_size(
    path: Path, browser: Browser, site: Site
) -> None:
    site.pages["/"] = path.read_text("utf-8")
    browser.goto(site.here)
    whole = browser.snapshot(full=True)
    browser.evaluate(
        "(document.querySelector('main button') ?? document.querySelector('button')).textContent = 'Other'"
    )
    again = browser.snapshot(diff=True)
    marks = [line[0] for line in body(again.text)]
    assert 1 <= len(marks) <= 5
    assert len("\n".join(body(again.text))) < len(whole.text) / 20


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_snapshot_parts_reach_every_element_at_any_max_chars(
    path: Path, browser: Browser, site: Site
) -> None:
    site.pages["/"] = path.read_text("utf-8")
    browser.goto(site.here)
    whole = set(browser.snapshot(full=True).refs)
    for max_chars in (1_000, 8_000):
        snapshot = browser.snapshot(max_chars=max_chars)
        assert len("\n".join(body(snapshot.text))) <= max_chars
        found = set(snapshot.refs)
        for name in re.findall(r"more=(m\d+)$", snapshot.text, re.MULTILINE):
            found |= set(browser.snapshot(more=name, max_chars=1_000_000).refs)
        assert found == whole

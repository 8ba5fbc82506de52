# ruff: noqa: E501, RUF001 - pages, one element after the other
"""The snapshot's text: no repetition, limited by relevance, with omitted parts on request."""

from __future__ import annotations

import re

import pytest
from support.reading import body, ref_of
from support.site import Site

from tabwarden.errors import InvalidArgument, StaleRef, UnknownRef
from tabwarden.sync import Browser


def plain(text: str) -> list[str]:
    """The outline's lines, with all refs replaced by one."""
    return [re.sub(r"\be\d+", "e", line) for line in body(text)]


def test_empty_list_does_not_shift_the_states_of_later_elements(
    browser: Browser, site: Site
) -> None:
    page = "<ul></ul><button>Go</button><input type=checkbox aria-label=On checked><ul></ul>"
    browser.goto(site.page("/", page))
    lines = re.sub(r"e\d+", "e", "\n".join(body(browser.snapshot().text)))
    assert lines == '- button "Go" [ref=e]\n- checkbox "On" [ref=e] checked'


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        (
            "<h2><a href='/a'>Tea</a></h2><h2>Two <a href='/b'>links</a></h2>",
            ['- heading level=2: link "Tea" [ref=e] url="/a"', '- heading "Two links" level=2', '  - link "links" [ref=e] url="/b"'],
        ),
        (
            "<ul><li><a href='/a'>A</a><li><div><a href='/b'>B</a></div><li>C<li>D<li>E <a href='/e'>e</a></ul>",
            ["- list", '  - link "A" [ref=e] url="/a"', '  - link "B" [ref=e] url="/b"', '  - listitem "C" | "D"', "  - listitem", '    - text "E"', '    - link "e" [ref=e] url="/e"'],
        ),
        (
            "<table><tr><th>Name<th>Price<tr><td>Tea<td>3 <button>Buy</button><tr><td><td><a href='/x'>x</a></table>",
            ["- table", '  - row: headers "Name" | "Price"', '  - row: "Tea" | "3" button "Buy" [ref=e]', '  - row:  | link "x" [ref=e] url="/x"'],
        ),
        (
            "<table><tr><td><ul><li>deep</ul><td>b</table>",
            ["- table", "  - row", "    - cell", "      - list", '        - listitem "deep"', '    - cell "b"'],
        ),
        (
            "<p>One</p><p>Two</p><div>Three</div><button>Go</button><p>Four</p>",
            ['- text "One" | "Two" | "Three"', '- button "Go" [ref=e]', '- text "Four"'],
        ),
        (
            "<div style='display:flex'><span>Sun</span><b>Mon</b></div><p><i style='display:block'>One</i><i>Two</i></p>",
            ['- text "Sun" | "Mon" | "One" | "Two"'],
        ),
        (
            "<p><b style='float:left'>O</b>nce upon</p><p><i style='display:inline-block'>H</i><i style='display:inline-block'>i</i></p>",
            ['- text "Once upon" | "Hi"'],
        ),
        (
            "<label style='cursor:pointer'><span><input type=checkbox></span> <b>Agree</b></label><p style='cursor:pointer'>Go</p>",
            ['- checkbox "Agree" [ref=e] checked=false', '- generic "Go" [ref=e]'],
        ),
        (
            "<label for=own>Rate</label><x-own id=own>3</x-own><script>customElements.define('x-own', class extends HTMLElement { static formAssociated = true })</script>",
            ['- text "Rate" | "3"'],
        ),
        (
            "<button aria-label='Add to list'>add</button><button aria-label='Close'>×</button><button aria-label='3 hours ago'>3h</button>",
            ['- button "Add to list" [ref=e]', '- button "Close" [ref=e]', '- button "3 hours ago" [ref=e] text="3h"'],
        ),
        (
            "<button aria-haspopup=true aria-expanded=false>Menu</button><button aria-expanded=false>More</button>",
            ['- button "Menu" [ref=e] haspopup=menu', '- button "More" [ref=e] expanded=false'],
        ),
        (
            "<input aria-label=Reply placeholder=Reply><a href='#'>Up</a><a href='javascript:void(0)'>Do</a>",
            ['- textbox "Reply" [ref=e]', '- link "Up" [ref=e]', '- link "Do" [ref=e]'],
        ),
        (
            "<a href='https://x.example/a?utm_source=s&id=1&gclid=2'>T</a><a href='/s?utm_medium=m#top'>U</a>",
            ['- link "T" [ref=e] url="https://x.example/a?id=1"', '- link "U" [ref=e] url="/s#top"'],
        ),
        (
            "<a href='/a/long/way/to/the/same/thing'><img alt=Pic src=x></a><a href='/a/long/way/to/the/same/thing'>Thing</a>",
            ['- link "Pic" [ref=e] url="/a/long/way/to/the/same/thing"', '- link "Thing" [ref=e] url as e'],
        ),
        (
            "<select aria-label=A><option>January<option>February<option>March</select><select aria-label=B><option>January<option>February<option>March</select>",
            ['- combobox "A" [ref=e] value="January" options=["January", "February", "March"]', '- combobox "B" [ref=e] value="January" options as e'],
        ),
        (
            "<div contenteditable role=textbox aria-label=Note>short</div><div contenteditable role=textbox aria-label=Doc><h2>Head</h2>" + "<p>words that go on and on</p>" * 8 + "</div>",
            ['- textbox "Note" [ref=e] multiline value="short"', '- textbox "Doc" [ref=e] multiline', '  - heading "Head" level=2', *['  - text ' + " | ".join(['"words that go on and on"'] * 8)]],
        ),
    ],
)  # fmt: skip
def test_snapshot_does_not_repeat_names_urls_and_options(
    page: str, lines: list[str], browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    assert plain(browser.snapshot().text) == lines


def test_snapshot_omits_an_unnamed_toolbar_in_a_table_row(browser: Browser, site: Site) -> None:
    tools = "<div role=toolbar><button>Archive</button><button>Delete</button></div>"
    named = "<div role=toolbar aria-label=Tools><button>Print</button></div>"
    cells = f"<td>Ben</td><td>{tools}</td><td>10:40</td>"
    browser.goto(
        site.page("/", f"<table><tr>{cells}</tr><tr><td>Cy</td><td>{named}</td></tr></table>")
    )
    lines = browser.snapshot().text.splitlines()
    (row,) = (line for line in lines if "Archive" in line)
    assert re.sub(r"e\d+", "e", row).strip() == (
        '- row: "Ben" | button "Archive" [ref=e] button "Delete" [ref=e] | "10:40"'
    )
    assert any(line.strip() == '- toolbar "Tools"' for line in lines)


def test_snapshot_gives_a_ref_to_each_element_of_a_table_row(browser: Browser, site: Site) -> None:
    row = "<tr onclick='clicked = this.id' id=r{n}><td>Tea {n}<td><button onclick='clicked = this.textContent'>Buy {n}</button><button>No</button>"
    table = "".join(row.replace("{n}", str(n)) for n in range(3))
    browser.goto(site.page("/", f"<table>{table}</table>"))
    snapshot = browser.snapshot()
    assert len(snapshot.refs) == 9
    browser.click(snapshot.ref("Buy 1"))
    browser.evaluate("clicked")
    (line,) = [line for line in body(snapshot.text) if "Buy 2" in line]
    assert set(re.findall(r"\[ref=(e\d+)\]", line)) <= set(snapshot.refs)


def test_truncated_snapshot_shows_the_viewport_and_describes_the_omitted_parts(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "".join(f"<button>Number {n}</button><br>" for n in range(3000))))
    snapshot = browser.snapshot(max_chars=3_000)
    assert snapshot.truncated
    assert len("\n".join(body(snapshot.text))) <= 3_000
    assert '"Number 0"' in snapshot.text
    last = ref_of(browser.snapshot(full=True), '"Number 2999"')
    told = re.search(rf"… (\d+) more like this: .*\[(e\d+)-{last}\] more=(m\d+)", snapshot.text)
    assert told is not None
    assert f"[{told[1]} lines with {told[1]} elements left out." in snapshot.text
    assert told[2] not in snapshot.refs
    part = browser.snapshot(more=told[3], max_chars=2_000)
    assert told[2] in part.refs
    assert "page has changed" not in part.text
    assert not browser.snapshot(max_chars=1_000_000).truncated
    assert browser.click(last).status == "ok"


def test_truncated_snapshot_shows_content_that_was_scrolled_into_view(
    browser: Browser, site: Site
) -> None:
    browser.goto(
        site.page("/", "".join(f"<p>Text number {n}</p><h2>Part {n}</h2>" for n in range(900)))
    )
    assert '"Part 700"' not in browser.snapshot(max_chars=1_500).text
    browser.evaluate("document.querySelectorAll('h2')[700].scrollIntoView()")
    text = browser.snapshot(max_chars=1_500).text
    assert '"Part 700"' in text
    assert '"Text number 701"' in text
    assert text.count("more=") >= 2


def test_parts_of_a_truncated_snapshot_together_contain_all_refs(
    browser: Browser, site: Site
) -> None:
    rows = "".join(f"<tr><td>Tea {n}<td><button>Buy {n}</button>" for n in range(400))
    browser.goto(site.page("/", f"<input aria-label=Find><table>{rows}</table><a href=/>Home</a>"))
    whole = set(browser.snapshot(full=True).refs)
    snapshot = browser.snapshot(max_chars=2_000)
    found = set(snapshot.refs)
    wanted = re.findall(r"more=(m\d+)$", snapshot.text, re.MULTILINE)
    while wanted:
        part = browser.snapshot(more=wanted.pop(), max_chars=4_000)
        assert part.refs
        found |= set(part.refs)
        wanted += re.findall(r"more=(m\d+)$", part.text, re.MULTILINE)
    assert found == whole


def test_requested_snapshot_part_reports_that_the_page_has_changed(
    browser: Browser, site: Site
) -> None:
    rows = "".join(f"<li><button>Buy {n}</button>" for n in range(200))
    browser.goto(site.page("/", f"<ul aria-label=Teas>{rows}</ul>"))
    (name,) = re.findall(r"more=(m\d+)$", browser.snapshot(max_chars=800).text, re.MULTILINE)
    assert '@ list "Teas"' in browser.snapshot(more=name).text
    browser.evaluate("document.querySelectorAll('button')[190].textContent = 'Sold'")
    assert "The page has changed since" in browser.snapshot(more=name).text


def test_snapshot_by_ref_shows_one_element_with_its_content(browser: Browser, site: Site) -> None:
    page = """<dialog open aria-label=Cookies><button>OK</button><a href=/c>More</a></dialog>
    <button>Else</button><iframe srcdoc='<button>Inner</button>' title=F></iframe>"""
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    within = browser.snapshot(ref=ref_of(snapshot, '"Cookies"'))
    assert plain(within.text) == ['- dialog "Cookies" [ref=e]', '  - button "OK" [ref=e]', '  - link "More" [ref=e] url="/c"']  # fmt: skip
    inner = browser.snapshot(ref=ref_of(snapshot, "iframe"))
    assert [entry["name"] for entry in inner.refs.values()] == ["F", "Inner"]
    button = browser.snapshot(ref=ref_of(snapshot, '"OK"'))
    assert plain(button.text) == ['@ dialog "Cookies"', '- button "OK" [ref=e]']
    # Only the shown part of the whole page counts as seen.
    assert "Nothing changed" in browser.snapshot(diff=True).text


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        (
            "<table><tr><th>A<th>B<th>C<th>D<th>E<tr><td>1<td><td><td><td>5<tr><td>2<td><td>3<td><td></table>",
            ["- table", '  - row: headers "A" | "B" | "C" | "D" | "E"', '  - row: "1" | (3 empty) | "5"', '  - row: "2" |  | "3"'],
        ),
        (
            "<p>Volume</p><input type=range aria-label=Volume><p>Mute</p><button>Mute</button>",
            ['- slider "Volume" [ref=e] value="50"', '- text "Mute"', '- button "Mute" [ref=e]'],
        ),
    ],
)  # fmt: skip
def test_snapshot_does_not_repeat_empty_cells_and_labels(
    page: str, lines: list[str], browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    assert plain(browser.snapshot().text) == lines


def test_snapshot_by_ref_fails_for_a_hidden_or_unknown_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button id=b>Go</button>"))
    ref = ref_of(browser.snapshot(), '"Go"')
    browser.evaluate("b.hidden = true")
    with pytest.raises(StaleRef, match="is gone or hidden"):
        browser.snapshot(ref=ref)
    with pytest.raises(UnknownRef):
        browser.snapshot(ref="e99999")
    browser.evaluate("b.hidden = false")
    assert ref in browser.snapshot(ref=ref).refs


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"more": "m99999"}, "more"),
        ({"more": "next"}, "more"),
        ({"ref": "button"}, "ref"),
        ({"ref": "e1", "more": "m1"}, "more"),
        ({"ref": "e1", "diff": True}, "diff"),
        ({"frame_id": "F", "ref": "e1"}, "ref"),
        ({"max_chars": 10}, "max_chars"),
    ],
)
def test_snapshot_rejects_invalid_arguments(
    arguments: dict[str, object], field: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button>Go</button>"))
    with pytest.raises(InvalidArgument) as told:
        browser.snapshot(**arguments)  # type: ignore[arg-type]
    assert told.value.data["field"] == field
    assert '"Go"' in browser.snapshot().text


@pytest.mark.long
def test_snapshot_divides_max_chars_among_many_frames_and_lists_omitted_frames(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", "".join(f"<p>Text {n}</p><button>Press {n}</button>" for n in range(100)))
    frames = f"<iframe src='{site.there}/inner' width=300 height=150></iframe>" * 12
    browser.goto(site.page("/", f"<h1>Frames</h1>{frames}<button>Last</button>"))
    snapshot = browser.snapshot(max_chars=6_000)
    assert len("\n".join(body(snapshot.text))) <= 6_000
    assert '"Last"' in snapshot.text
    assert body(snapshot.text).count('  - button "Press 0" [ref') == 0
    frame_ids = re.findall(r"(\d+) in frame (\w+) \((e\d+)\)", snapshot.text)
    assert len(frame_ids) == 10
    assert "others in 2 more frames" in snapshot.text
    count, frame_id, _ = frame_ids[0]
    inside = browser.snapshot(frame_id=frame_id)
    assert int(count) <= len(body(inside.text)) == 200
    assert set(browser.snapshot(full=True).refs) >= set(inside.refs)


def test_snapshot_truncates_a_long_value_and_snapshot_by_ref_shows_all_of_it(
    browser: Browser, site: Site
) -> None:
    value = f"Start {'word ' * 300}end."
    browser.goto(site.page("/", f"<textarea>{value}</textarea><p>Below</p>"))
    cut = browser.snapshot()
    [line] = [line for line in cut.text.splitlines() if "textbox" in line]
    assert re.search(r'multiline value="Start word .*… \(\d+ more characters\) ….* end\."', line)
    [ref] = cut.refs
    assert f'value="{value}"' in browser.snapshot(ref=ref).text
    assert f'value="{value}"' not in browser.snapshot().text


def test_snapshot_separates_the_lines_of_a_multiline_value(browser: Browser, site: Site) -> None:
    page = """<textarea>One\n  Two</textarea><div contenteditable><p>Three</p><p>Four</p></div>
    <input value=Five>"""
    browser.goto(site.page("/", page))
    assert [re.sub(r" \[ref=e\d+\]", "", line) for line in body(browser.snapshot().text)] == [
        r'- textbox multiline value="One\n  Two"',
        r'- textbox multiline value="Three\nFour"',
        '- textbox value="Five"',
    ]

"""Elements that have only a click listener: which of them get a ref."""

from __future__ import annotations

import re

import pytest
from support.reading import body
from support.site import Site

from tabwarden.sync import Browser


def outline(browser: Browser) -> list[str]:
    return [re.sub(r"ref=e\d+", "ref=e", line) for line in body(browser.snapshot().text)]


@pytest.mark.parametrize("event", ["click", "mousedown", "pointerup", "dblclick"])
def test_snapshot_gives_a_ref_to_an_element_with_a_mouse_listener(
    event: str, browser: Browser, site: Site
) -> None:
    page = f"<p>Post</p><span id=like>Like</span><script>like.addEventListener('{event}', () => 0)"
    browser.goto(site.page("/", page + "</script>"))
    assert outline(browser) == ['- text "Post"', '- generic "Like" [ref=e]']


def test_click_by_ref_reaches_the_listener_of_an_element(browser: Browser, site: Site) -> None:
    page = """<span>Reply</span> <span>Forward</span><script>
    for (const one of document.querySelectorAll("span"))
      one.addEventListener("click", () => { document.title = one.textContent });
    </script>"""
    browser.goto(site.page("/", page))
    browser.click(browser.snapshot().ref("Forward"))
    assert browser.evaluate("document.title").value == "Forward"


def test_two_elements_with_listeners_in_a_pointer_cursor_box_get_separate_refs(
    browser: Browser, site: Site
) -> None:
    page = """<div style="cursor: pointer"><span>Reply</span> <span>Forward</span></div><script>
    for (const one of document.querySelectorAll("span")) one.addEventListener("click", () => 0);
    </script>"""
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    assert snapshot.ref("Reply") != snapshot.ref("Forward")


def test_snapshot_gives_refs_to_clickable_empty_cells_and_drawn_shapes(
    browser: Browser, site: Site
) -> None:
    page = """<style>i { display: inline-block; width: 20px; height: 20px }</style><i></i><i></i>
    <svg width=60 height=30><circle cx=12 cy=12 r=8></circle><rect x=30 width=15 height=15></svg>
    <script>for (const one of document.querySelectorAll("i, circle, rect"))
      one.addEventListener("click", () => 0);</script>"""
    browser.goto(site.page("/", page))
    assert sum(line.startswith("- generic [ref=e]") for line in outline(browser)) == 4


def test_snapshot_finds_listeners_in_shadow_trees_and_frames(browser: Browser, site: Site) -> None:
    page = """<div id=open></div><div id=closed></div><iframe src=/in></iframe><script>
    for (const mode of ["open", "closed"]) {
      const root = document.getElementById(mode).attachShadow({ mode });
      root.innerHTML = `<b>In ${mode}</b>`;
      root.firstChild.addEventListener("click", () => 0);
    }</script>"""
    site.page("/in", "<b id=b>In frame</b><script>b.addEventListener('click', () => 0)</script>")
    browser.goto(site.page("/", page))
    lines = outline(browser)
    for name in ("In open", "In closed"):
        assert f'- generic "{name}" [ref=e]' in lines
    assert '  - generic "In frame" [ref=e]' in lines


@pytest.mark.parametrize(
    "page",
    [
        "<div id=at><p>One <button>Two</button></p></div>",
        "<form id=at>One</form>",
        "<div id=at style='height: 90vh'>One</div>",
        "<button><b id=at>One</b></button>",
        "<a href=/x><b id=at>One</b></a>",
        "<label for=f id=at>One</label><input id=f>",
        "<div id=at hidden>One</div>",
    ],
)
def test_snapshot_gives_no_ref_to_an_element_whose_listener_only_forwards_clicks(
    page: str, browser: Browser, site: Site
) -> None:
    script = "<script>at.addEventListener('click', () => 0)</script>"
    browser.goto(site.page("/", page + script))
    assert not any(line.lstrip(" -").startswith("generic") for line in outline(browser))


def test_snapshot_gives_refs_to_the_items_of_a_list_with_a_listener(
    browser: Browser, site: Site
) -> None:
    page = "<ul id=at><li>One<li>Two</ul><script>at.addEventListener('mousedown', () => 0)</script>"
    browser.goto(site.page("/", page))
    assert outline(browser)[1:] == ['  - listitem "One" [ref=e]', '  - listitem "Two" [ref=e]']


# Like the days in Air Datepicker 3.6.
HANDS = """<style>b { cursor: pointer }</style><div id=at><div><b>1</b><b>2 <i>May</i></b></div>
<p>Days</p></div><button><b>Done</b></button><script>
at.addEventListener('click', () => 0)</script>"""


def test_snapshot_gives_refs_to_pointer_cursor_parts_of_an_element_with_a_listener(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", HANDS))
    assert outline(browser) == [
        "- generic [ref=e]",
        '  - generic "1" [ref=e]',
        '  - generic "2 May" [ref=e]',
        '  - text "Days"',
        '- button "Done" [ref=e]',
    ]


def test_snapshot_gives_a_ref_to_an_element_that_react_marks_as_clickable(
    browser: Browser, site: Site
) -> None:
    # React has one listener on its root, and sets `onclick` on each element with a handler.
    page = """<div id=root><div><span id=like>Like</span><span>Not</span></div></div>
    <script>root.addEventListener("click", () => 0); like.onclick = () => {};</script>"""
    browser.goto(site.page("/", page))
    assert outline(browser) == ['- generic "Like" [ref=e]', '- text "Not"']


# How Svelte, Solid and jQuery store handlers that one document listener calls.
DELEGATED = """<main><p>Post</p><b id=a>Like</b> <b id=b>Reply</b> <b class=row>Share</b></main>
<script>document.addEventListener("click", () => 0);
a[Symbol("events")] = { click: () => 0 };
b.$$click = () => 0;
document.jQuery123 = { events: { click: [{ selector: ".row" }, { selector: ":odd" }] } };
</script>"""


def test_snapshot_gives_refs_to_elements_with_delegated_handlers(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", DELEGATED))
    assert outline(browser)[1:] == [
        '  - text "Post"',
        '  - generic "Like" [ref=e]',
        '  - generic "Reply" [ref=e]',
        '  - generic "Share" [ref=e]',
    ]
    browser.evaluate("document.querySelector('p').className = 'row'")
    assert '  - generic "Post" [ref=e]' in outline(browser)


def test_snapshot_finds_listeners_that_the_page_adds_later(browser: Browser, site: Site) -> None:
    page = """<button onclick="draw()">Calendar</button><div id=cells></div><script>
    function draw() {
      for (const day of [1, 2, 3]) {
        const cell = document.createElement("span");
        cell.textContent = `Day ${day}`;
        cell.addEventListener("click", () => { document.title = cell.textContent });
        cells.append(cell, " ");
      }
    }</script>"""
    browser.goto(site.page("/", page))
    browser.click(browser.snapshot().ref("Calendar"))
    browser.click(browser.snapshot().ref("Day 2"))
    assert browser.evaluate("document.title").value == "Day 2"


@pytest.mark.long
def test_snapshot_handles_thousands_of_listeners(browser: Browser, site: Site) -> None:
    page = """<div id=all></div><script>
    all.innerHTML = "<p><b>One</b> <button>Two</button>".repeat(2000);
    for (const one of all.querySelectorAll("b, button")) one.addEventListener("click", () => 0);
    </script>"""
    browser.goto(site.page("/", page))
    for _ in range(5):
        browser.evaluate("all.append('x')")
        assert "Two" in browser.snapshot(max_chars=None).text


LISTENS = "<script>for (const one of document.querySelectorAll('[l]')) one.addEventListener('click', () => 0)</script>"  # noqa: E501


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (
            "<div l><span class=to>Reply</span><span class=to>Forward</span></div>",
            ["- generic [ref=e]", '  - generic "Reply" [ref=e]', '  - generic "Forward" [ref=e]'],
        ),
        (
            "<div l><div class=title>Tea</div><div class=price>$3</div></div>",
            ["- generic [ref=e]", '  - text "Tea" | "$3"'],
        ),
        (
            "<div role=tab tabindex=0>a.py <i l class=close>x</i></div>",
            ['- tab "a.py x" [ref=e]', '  - generic "x" [ref=e]'],
        ),
        ("<button l><span l>Save</span></button>", ['- button "Save" [ref=e]']),
    ],
)
def test_two_clickable_elements_do_not_share_a_ref(
    page: str, wanted: list[str], browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page + LISTENS))
    assert outline(browser) == wanted

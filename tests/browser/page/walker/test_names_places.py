"""Facts that an agent needs about an element before it acts: position, state and name."""

from __future__ import annotations

import re

import pytest
from support.reading import body
from support.site import Site

from tabwarden.sync import Browser

COVER = "<div style='position:fixed;inset:0;background:white'>Wall</div>"


def line_of(browser: Browser, words: str) -> str:
    return next(line for line in browser.snapshot().text.splitlines() if words in line)


@pytest.mark.parametrize(
    ("page", "state"),
    [
        ("<button>Go</button>", ""),
        ("<p style='height:3000px'></p><button>Go</button>", ""),
        ("<button style='position:absolute;left:2000px'>Go</button>", ""),
        ("<button style='position:absolute;left:-999px'>Go</button>", "offscreen"),
        ("<button style='position:absolute;top:-999px'>Go</button>", "offscreen"),
        ("<html dir=rtl><button style='position:absolute;left:-999px'>Go</button>", ""),
        ("<html dir=rtl><button style='position:absolute;right:-999px'>Go</button>", "offscreen"),
        ("<button style='transform:translateX(-999px)'>Go</button>", "offscreen"),
        (
            "<div id=s style='position:absolute;top:0;height:9em;overflow:auto'>"
            "<button>Go</button>"
            "<p style='height:999px'></p></div><script>s.scrollTop = 600</script>",
            "",
        ),
        (f"<button>Go</button>{COVER}", "obscured"),
        (f"<button>Go</button><div style='pointer-events:none'>{COVER}</div>", ""),
        (f"<p style='height:3000px'></p><button>Go</button>{COVER}", ""),
        ("<button>Go<b style='position:absolute;inset:0'></b></button>", ""),
        ("<label>Go<input type=checkbox style='opacity:0;position:absolute'></label>", ""),
        ("<label><input type=checkbox aria-label=Go style='position:absolute;left:0'>"
         "<i style='position:absolute;left:0;width:99px;height:99px'>x</i></label>", ""),
        ("<button style='position:absolute;left:0'>Go</button>"
         "<i style='position:absolute;left:0;width:9px;height:99px'></i>", ""),
    ],
)  # fmt: skip
def test_snapshot_marks_offscreen_and_obscured_elements(
    page: str, state: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    line = line_of(browser, '"Go"')
    assert [word for word in ("offscreen", "obscured") if f" {word}" in line] == state.split()


SCROLLERS = """<style>.x { width: 400px; overflow-x: auto; white-space: nowrap }
    .y { height: 60px; overflow: auto } .x > *, .y > * { flex: none }</style>"""
WIDE = "<i style='display:inline-block;width:420px;height:20px'></i>"
TALL = "<i style='display:block;height:80px'></i>"
GO = "<button>Go</button>"

SCROLLED = {
    "to the right": (f"<div class=x>{WIDE}{GO}</div>", ""),
    "to the right, beyond the page": (f"<div class=x>{WIDE * 9}{GO}</div>", ""),
    "to the left": (f"""<div class=x>{GO}{WIDE * 9}</div>
        <script>document.querySelector('.x').scrollLeft = 999</script>""", ""),
    "down": (f"<div class=y>{TALL}{GO}</div>", ""),
    "down, by hand alone": (f"<div class=y style='overflow:hidden'>{TALL}{GO}</div>", ""),
    "down, then to the right": (f"<div class=x>{WIDE}<div class=y>{TALL}{GO}</div></div>", ""),
    "right to left": (f"<div class=x dir=rtl>{WIDE * 9}{GO}</div>", ""),
    "bottom to top": (f"""<div class=y style='display:flex;flex-direction:column-reverse'>
        {TALL * 9}{GO}</div>""", ""),
    "zoomed": (f"<div style='zoom:2'><div class=y>{TALL}{GO}</div></div>", ""),
    "the body": (f"""<html style='height:100%;overflow:hidden'><body style='height:100%;margin:0;
        overflow:auto;white-space:nowrap'>{WIDE * 9}{GO}""", ""),
    "a strip is in sight": (f"""<div class=x>{WIDE}<button style='width:300px;margin-left:-50px'>Go
        </button></div>""", ""),
    "before the first corner": (f"""<div class=x style='position:relative'>{WIDE}
        <button style='position:absolute;left:-200px'>Go</button></div>""", "offscreen"),
    "clipped": (f"<div class=y style='overflow:clip'>{TALL}{GO}</div>", "offscreen"),
    "folded to nothing": (f"<div class=y style='height:0'>{GO}</div>", "offscreen"),
    "itself beyond the page": (f"""<div style='position:absolute;left:-999px'>
        <div class=y>{TALL}{GO}</div></div>""", "offscreen"),
    "under a cover": (f"<div class=y>{GO}{TALL}</div>{COVER}", "obscured"),
    "down, under a cover": (f"<div class=y>{TALL}{GO}</div>{COVER}", "obscured"),
}  # fmt: skip


@pytest.mark.parametrize("how", SCROLLED)
def test_snapshot_and_click_reach_elements_in_scrolled_containers(
    how: str, browser: Browser, site: Site
) -> None:
    page, state = SCROLLED[how]
    browser.goto(site.page("/", page + SCROLLERS))
    snapshot = browser.snapshot()
    line = next(line for line in snapshot.text.splitlines() if '"Go"' in line)
    assert [word for word in ("offscreen", "obscured") if f" {word}" in line] == state.split()
    if not state:
        browser.click(snapshot.ref("Go"))


def test_snapshot_limits_the_number_of_elements_it_checks_for_overlays(
    browser: Browser, site: Site
) -> None:
    cover = COVER.replace("inset:0", "inset:0 0 9% 0")
    browser.goto(site.page("/", "<button>Go</button>" * 3000 + cover))
    found = re.search(r"\(e(\d+)-e(\d+) covered by ", browser.snapshot(full=True).text)
    assert found is not None
    assert int(found[2]) - int(found[1]) == 63


@pytest.mark.parametrize(
    ("page", "line"),
    [
        ("<input type=range aria-label=Loud min=1 max=9 value=3>", 'value="3" min="1" max="9"'),
        ("<h2 contenteditable>Title</h2>", 'heading "Title" [ref='),
        ("<h2 contenteditable>Title</h2>", " editable"),
        ("<p contenteditable>Draft</p>", "textbox"),
        ("<select multiple aria-label=Pick><option>A</select>", " multiselectable"),
        ("<div role=tablist aria-label=Tabs aria-orientation=vertical><div role=tab>A</div></div>",
         "orientation=vertical"),
        ("<a href=/cart?x=1>Cart</a>", 'url="/cart?x=1"'),
        ("<svg width=99 height=20><a href=/map><text y=9>Map</text></a></svg>", 'link "Map" [ref='),
        ("<img src=x alt='A cat'>", 'img "A cat" [ref='),
        ("<svg width=99 height=20><g onclick=1><title>Peru</title><path d='M0 0h9v9'/></g></svg>",
         'generic "Peru" [ref='),
        ("<button>שלום <b>עולם</b></button>", 'button "שלום עולם"'),
        ("<button>e\u0301tude</button>", 'button "e\u0301tude"'),
        ("<label>Mail <input id=i></label><script>i.removeAttribute('id');"
         "document.querySelector('input').value = 'a@b.c'</script>", 'value="a@b.c"'),
    ],
)  # fmt: skip
def test_snapshot_shows_values_states_and_names_of_controls(
    page: str, line: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    assert line in browser.snapshot().text


@pytest.mark.parametrize(
    "page",
    [
        "<a href=# role=listitem style=cursor:auto>Act</a>",
        "<button role=note>Act</button>",
        "<button role=group>Act</button>",
        "<button role=cell>Act</button>",
        "<select role=menu aria-label=Act><option>A</select>",
        "<input role=status aria-label=Act>",
        "<textarea role=document aria-label=Act></textarea>",
        "<details><summary role=heading>Act</summary>x</details>",
        "<div onclick=1>x<button role=term>Act</button></div>",
    ],
)
def test_snapshot_gives_a_control_a_ref_regardless_of_its_aria_role(
    page: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    (line,) = [one for one in body(browser.snapshot().text) if '"Act"' in one]
    assert '"Act" [ref=' in line


def test_click_opens_a_details_element_without_a_summary(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<details><a href=#>Inside</a></details>"))
    snapshot = browser.snapshot()
    assert "Inside" not in snapshot.text
    ref = snapshot.ref("Details")
    assert f'button "Details" [ref={ref}] expanded=false' in snapshot.text
    browser.click(ref)
    assert 'link "Inside" [ref=' in browser.snapshot().text


def test_snapshot_reads_an_editable_element_line_by_line(browser: Browser, site: Site) -> None:
    style = "<style>i::before{content:'Not typed'}</style>"
    rows = "<div>one</div><div>two<br>three<i></i></div><ul><li>four<li>five</ul>"
    browser.goto(site.page("/", f"{style}<div contenteditable aria-label=Note>{rows}</div>"))
    assert 'value="one\\ntwo\\nthree\\nfour\\nfive"' in browser.snapshot().text


TALL_TEXT = "<p style='height:200px'>Terms</p>"
SHADOW = """<script>h.attachShadow({ mode: 'open' }).innerHTML =
    '<button>In</button><slot></slot>'</script>"""
# Other scripts cannot read their role, so these states are the visible ones.
INTERNALS = """<script>
customElements.define('x-b', class extends HTMLElement {
  constructor() { super(); this.attachInternals().role = 'button' } });
customElements.define('x-c', class extends HTMLElement {
  constructor() { super(); const internals = this.attachInternals();
    internals.role = 'checkbox'; internals.ariaLabel = 'Agree';
    this.attachShadow({ mode: 'open' }).innerHTML = '<svg width=20 height=20></svg>' } })
</script>"""


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<div draggable=true>Card</div>", ['generic "Card" [ref] draggable']),
        ("<p>To do<ul><li draggable=true>Card</ul>",
         ['text "To do"', "list", 'listitem "Card" [ref] draggable']),
        ("<section draggable=true>Column<div draggable=true>Card</div></section>",
         ["generic [ref] draggable", 'text "Column"', 'generic "Card" [ref] draggable']),
        ("<a href=/c draggable=true>Card</a>", ['link "Card" [ref] draggable url="/c"']),
        ("<div tabindex=0>Widget</div>", ['generic "Widget" [ref]']),
        ("<div tabindex=0 aria-label=Loudness>7</div>", ['generic "Loudness" [ref] text="7"']),
        ("<div tabindex=0 aria-label=Loudness></div>", ['generic "Loudness" [ref]']),
        ("<div onclick=1 aria-label=Close>x</div>", ['generic "Close" [ref] text="x"']),
        ("<div tabindex=0>Tea <ul hidden><li><a href=/t>t</a></ul></div>", ['generic "Tea" [ref]']),
        (f"<x-b tabindex=0>Save</x-b><x-c tabindex=0></x-c>{INTERNALS}",
         ['generic "Save" [ref]', "generic [ref]"]),
        # What is told already, is there to be scrolled, or stands around what can be acted on.
        ("<div draggable=false>Card</div>", ['text "Card"']),
        ("<main tabindex=-1>Tea</main>", ['main "Tea"']),
        ("<div tabindex=-1>Tea</div>", ['text "Tea"']),
        ("<div tabindex=0>Tea <button>Buy</button></div>", ['text "Tea"', 'button "Buy" [ref]']),
        ("<div tabindex=0>Tea <b role=option>Buy</b></div>", ['text "Tea"', 'option "Buy" [ref]']),
        (f"<x-a tabindex=0 id=h>Tea</x-a>{SHADOW}", ['button "In" [ref]', 'text "Tea"']),
        (f"<div tabindex=0 style='height:9em;overflow:auto'>{TALL_TEXT}</div>", ['text "Terms"']),
        ("<button><span tabindex=0>Buy</span></button>", ['button "Buy" [ref]']),
        ("<label tabindex=0>Mail <input></label>", ['textbox "Mail" [ref]']),
        ("<body tabindex=0>Tea", ['text "Tea"']),
    ],
)  # fmt: skip
def test_snapshot_gives_refs_to_draggable_and_focusable_elements(
    page: str, lines: list[str], browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    said = [re.sub(r"ref=e\d+", "ref", line.lstrip(" -")) for line in body(browser.snapshot().text)]
    assert said == lines


@pytest.mark.parametrize("style", ["", "appearance: base-select"])
def test_snapshot_shows_whether_a_select_is_open(style: str, browser: Browser, site: Site) -> None:
    page = f"""<style>select, ::picker(select) {{ {style} }}</style>
    <select aria-label=Size><option>S<option>M</select><button>Buy</button>"""
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    browser.click(snapshot.ref("Size"))
    (line,) = [line for line in body(browser.snapshot().text) if '"Size"' in line]
    assert " expanded active " in line
    browser.press("Escape")
    browser.click(snapshot.ref("Buy"))
    (line,) = [line for line in body(browser.snapshot().text) if '"Size"' in line]
    assert "expanded" not in line

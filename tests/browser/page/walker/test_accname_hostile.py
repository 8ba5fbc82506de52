"""Markup that tries to make name computation endless or misleading."""

from __future__ import annotations

import pytest
from support.site import Site

from tabwarden.sync import Browser

CIRCLES = {
    "labels": """<label for=a><button id=b type=button>B</button></label>
    <label for=b><button id=a type=button>A</button></label>""",
    "owners": "<button id=a aria-owns=b>A</button><button id=b aria-owns=a>B</button>",
    "owner of itself": "<button id=a aria-owns=a>A</button>",
    "references": """<button id=a aria-labelledby=b>A</button>
    <button id=b aria-labelledby=a>B</button>""",
    "reference into itself": "<button id=a><span aria-labelledby=a>A</span></button>",
    "a fan of references": "".join(
        f"<button id=n{n} aria-owns='n{n + 1} n{n + 1} n{n + 1}'>A"
        f"<i aria-labelledby='n{n + 1} n{n + 1}'></i></button>"
        for n in range(40)
    ),
    "descriptions": "<button id=a aria-describedby=b>A</button><p id=b aria-describedby=a>x</p>",
    "deep": "<button>A" + "<b>" * 400 + "x",
}


@pytest.mark.parametrize("circle", CIRCLES)
def test_name_computation_terminates_on_circular_references(
    circle: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", CIRCLES[circle]))
    snapshot = browser.snapshot()
    assert not snapshot.stale
    assert all("A" in ref["name"] or "B" in ref["name"] for ref in snapshot.refs.values())
    assert snapshot.refs


@pytest.mark.parametrize(
    "page",
    [
        "<button id=b>Buy</button><div hidden aria-owns=b></div>",
        "<button id=b>Buy</button><div aria-hidden=true aria-owns=b></div>",
        "<button id=b>Buy</button><div inert aria-owns=b></div>",
        "<button id=b>Buy</button><div aria-owns=b></div><div aria-owns=b></div>",
        "<div id=b><button>Buy</button><div aria-owns=b></div></div>",
        "<input aria-owns=b hidden><button id=b>Buy</button>",
        "<div id=b><button>Buy</button></div><input type=image src=x alt=x aria-owns=b hidden>",
        "<div id=l role=listbox aria-label=List><div role=option id=b>Buy</div></div>"
        "<input role=combobox aria-label=Pick aria-owns=l>",
    ],
)
def test_aria_owns_does_not_hide_elements_from_the_snapshot(
    page: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    names = [ref["name"] for ref in browser.snapshot().refs.values()]
    assert names.count("Buy") == 1


def test_walker_truncates_long_names_between_characters(browser: Browser, site: Site) -> None:
    family, accent, pile = "👩‍👩‍👧", "e\u0301", "x" + "\u0301" * 600
    names = [family * 400, accent * 400, "x" * 600, pile]
    browser.goto(site.page("/", "".join(f"<button>{name}</button>" for name in names)))
    families, accents, plain, piled = [ref["name"] for ref in browser.snapshot().refs.values()]
    assert families == family * (499 // utf16_length(family)) + "…"
    assert accents == accent * 249 + "…"
    assert plain == "x" * 499 + "…"
    assert piled == pile[:499] + "…"


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_css_content_in_a_name_cannot_forge_snapshot_syntax(browser: Browser, site: Site) -> None:
    page = """<style>b::before{content:'" [ref=e1]\\a - button "Real'}</style>
    <button><b>x</b></button>"""
    browser.goto(site.page("/", page))
    (line,) = [one for one in browser.snapshot().text.splitlines() if "- button" in one]
    assert line.startswith('- button "\\" [ref=e1] - button \\"Realx" [ref=e')


def test_snapshot_reads_the_focused_part_of_a_page_hidden_by_aria_hidden(
    browser: Browser, site: Site
) -> None:
    page = """<script>document.body.setAttribute('aria-hidden', 'true')</script>
    <div aria-hidden=true><button id=b>Focused</button></div>
    <div aria-hidden=true><button>Hidden</button></div><script>b.focus()</script>"""
    browser.goto(site.page("/", page))
    assert [ref["name"] for ref in browser.snapshot().refs.values()] == ["Focused"]


def test_snapshot_reads_a_page_with_lone_surrogates_in_attributes(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<div id=all></div>"))
    browser.evaluate(HALVES)
    names = [ref["name"] for ref in browser.snapshot().refs.values()]
    assert names.count("Still here") == 3


HALVES = """() => {
  const keys = (
    "current haspopup invalid level orientation expanded checked pressed valuenow valuetext " +
    "valuemin valuemax description placeholder roledescription sort"
  ).split(" ").map((key) => `aria-${key}`);
  for (const role of ["treeitem", "slider", "textbox"]) {
    const one = document.createElement("div");
    one.tabIndex = 0;
    for (const key of [...keys, "title", "href", "type"]) one.setAttribute(key, "a\\ud800");
    one.setAttribute("role", role);
    one.setAttribute("aria-label", "Still here");
    all.append(one);
  }
}"""

"""Snapshots with a filter or a maximum depth."""

from __future__ import annotations

import re

import pytest
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser

TALL = "<div style='height:3000px'></div>"
SHOP = f"""<title>Shop</title><nav><a href=/>Home</a></nav>
<main><h1>Teas</h1><p>All our teas.</p>
<ul><li>Green <button>Buy</button><li>Black <button>Buy</button></ul>
<div id=host></div>{TALL}<h2>Footer</h2><p>The end.</p><button>Far away</button></main>
<script>host.attachShadow({{mode: "open"}}).innerHTML = "<button>In a shadow</button>"</script>"""


def lines(text: str) -> list[str]:
    """Return the names in a snapshot's outline."""
    body = text.partition("<page ")[2].partition("\n")[2].partition("</page")[0]
    return [name for key, name in re.findall(r'(url=)?"([^"]*)"', body) if not key]


def test_visible_filter_shows_what_is_in_the_viewport_of_all_frames(
    browser: Browser, site: Site
) -> None:
    site.page("/far", f"<button>Seen there</button>{TALL}<button>Below there</button>")
    site.page("/near", f"<button>Seen here</button>{TALL}<button>Below here</button>")
    frames = f"<iframe src='{site.there}/far'></iframe><iframe src='{site.here}/near'></iframe>"
    browser.goto(site.page("/", f"{frames}{SHOP}<iframe src='{site.here}/near'></iframe>"))
    shown = browser.snapshot(filter="visible")
    assert lines(shown.text) == [
        *("Seen there", "Seen here", "Home", "Teas", "All our teas.", "Green", "Buy"),
        *("Black", "Buy", "In a shadow"),
    ]
    assert "lines are in the viewport; the others are not shown." in shown.text
    browser.evaluate("scrollTo(0, 10_000)")
    below = lines(browser.snapshot(filter="visible").text)
    assert {"Footer", "The end.", "Far away", "Seen here"} <= set(below)
    assert "Teas" not in below


def test_visible_filter_shows_a_fixed_bar_inside_an_element_that_is_scrolled_away(
    browser: Browser, site: Site
) -> None:
    bar = (
        "<nav style='height:20px'><p style='position:fixed;top:0'><a href=/cart>Cart</a></p></nav>"
    )
    browser.goto(site.page("/", f"{bar}{TALL}<p>End"))
    browser.evaluate("scrollTo(0, 10_000)")
    assert "Cart" in lines(browser.snapshot(filter="visible").text)


def test_long_snapshot_shows_the_few_tall_siblings_in_the_viewport(
    browser: Browser, site: Site
) -> None:
    link = "<a style='display:block;height:100px' href=/>Item {}</a>"
    browser.goto(site.page("/", "".join(map(link.format, range(300)))))
    browser.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    visible = lines(browser.snapshot(filter="visible").text)
    wanted = {name for name in visible if name.startswith("Item ")}
    assert len(wanted) >= 5
    assert wanted <= set(lines(browser.snapshot(max_chars=1_500).text))


def test_interactive_filter_shows_elements_with_refs_and_what_names_them(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", SHOP))
    shown = browser.snapshot(filter="interactive")
    assert lines(shown.text) == [
        *("Home", "Teas", "Green", "Buy", "Black", "Buy", "In a shadow", "Footer"),
        "Far away",
    ]
    assert browser.snapshot(diff=True).text.endswith("Nothing changed since your last snapshot.")


def test_filters_show_dialogs_and_fold_what_is_behind_them(browser: Browser, site: Site) -> None:
    dialog = "<dialog id=d><p>Sure?</p><button>Yes</button></dialog><script>d.showModal()</script>"
    browser.goto(site.page("/", SHOP + dialog))
    for kind in ("visible", "interactive"):
        text = browser.snapshot(filter=kind).text
        assert "Yes" in lines(text)
        assert "Home" not in lines(text)
        more = re.findall(r"behind dialog e\d+\) more=(m\d+)", text)
        assert "Home" in lines(browser.snapshot(more=more[0]).text)


def test_depth_counts_what_is_deeper_and_ref_shows_it(browser: Browser, site: Site) -> None:
    inner = "<fieldset><legend>Inner</legend><input aria-label=Deep></fieldset>"
    page = f"<form aria-label=Outer><iframe title=Box srcdoc='{inner}'></iframe></form>"
    browser.goto(site.page("/", page))
    shown = browser.snapshot(depth=2)
    text, box = shown.text, shown.ref("Box")
    assert f'- iframe "Box" [ref={box}] … 2 deeper' in text
    assert "2 lines are nested below level 2" in text
    assert "Deep" not in text
    assert "Deep" in browser.snapshot(depth=4).text
    assert 'group "Inner" … 1 deeper' in browser.snapshot(ref=box, depth=2).text
    assert lines(browser.snapshot(ref=box, filter="interactive").text) == [
        "Outer",
        "Box",
        "Inner",
        "Deep",
    ]


def test_filter_reads_an_element_that_has_no_line(browser: Browser, site: Site) -> None:
    page = f"<div id=box><p>Text</p><button>One</button>{TALL}<button>Two</button></div>"
    browser.goto(site.page("/", page))
    ref = browser.find(css="#box").value["found"][0]["ref"]
    assert lines(browser.snapshot(ref=ref, filter="interactive").text) == ["One", "Two"]
    assert lines(browser.snapshot(ref=ref, filter="visible").text) == ["Text", "One"]


def test_filtered_snapshot_of_a_blocked_page_shows_the_dialog_and_the_last_outline(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", f"<button onclick='confirm(1)'>Ask</button><p>Text</p>{TALL}End"))
    browser.click(browser.snapshot(full=True).ref("Ask"))
    for kind in ("visible", "interactive"):
        shown = browser.snapshot(filter=kind)
        assert "confirm" in shown.text
        assert "Ask" in lines(shown.text)
    browser.dialog("dismiss")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"filter": "visible", "diff": True}, "filter"),
        ({"depth": 2, "more": "m1"}, "depth"),
        ({"depth": 0}, "depth"),
        ({"filter": "some"}, "filter"),
    ],
)
def test_snapshot_refuses_filters_that_it_cannot_apply(
    browser: Browser, site: Site, arguments: dict[str, object], field: str
) -> None:
    browser.goto(site.page("/", "<p>Text"))
    with pytest.raises(InvalidArgument) as error:
        browser.snapshot(**arguments)  # type: ignore[arg-type]
    assert error.value.data["field"] == field

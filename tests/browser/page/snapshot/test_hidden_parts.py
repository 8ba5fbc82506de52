# ruff: noqa: E501 - pages, one element after the other
"""Content that the usual visibility rules would treat wrongly."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler

import pytest
from support.pace import allow
from support.reading import body
from support.site import Site

from tabwarden.errors import BudgetExceeded, NotInteractable
from tabwarden.sync import Browser


def plain(text: str) -> list[str]:
    """The outline's lines, with all refs replaced by one."""
    return [re.sub(r"\be\d+", "e", line) for line in body(text)]


DIALOG = "Object.assign(document.createElement('dialog'), {open: true, innerHTML: '<p>Cookies</p><button>Accept</button>'})"


@pytest.mark.parametrize(
    "place", ["append(", "insertBefore(document.head, ", "insertBefore(document.body, "]
)
def test_snapshot_scrape_and_find_read_elements_outside_the_body(
    place: str, browser: Browser, site: Site
) -> None:
    first, _, other = place.partition("(")
    given = f"{DIALOG}{', ' + other.strip(', ') if other else ''}"
    page = f"<button>Buy</button><script>document.documentElement.{first}({given})</script>"
    browser.goto(site.page("/", page))
    text = browser.snapshot().text
    assert 'button "Accept"' in text
    assert 'button "Buy"' in text
    assert "Cookies" in text
    read = browser.scrape().value["text"]
    assert "Cookies" in read
    assert "Buy" in read
    assert [one["role"] for one in browser.find(text="Accept").value["found"]] == ["button"]
    assert browser.wait(text="Cookies").status == "ok"


def test_snapshot_of_a_malformed_xml_document_shows_the_browsers_error_message(
    browser: Browser, site: Site
) -> None:
    def broken(request: BaseHTTPRequestHandler) -> None:
        told = b'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>One</p><p>Two</body></html>'
        request.send_response(200)
        request.send_header("Content-Type", "application/xhtml+xml")
        request.send_header("Content-Length", str(len(told)))
        request.end_headers()
        request.wfile.write(told)

    site.pages["/broken"] = broken
    browser.goto(f"{site.here}/broken")
    assert "This page contains the following errors" in browser.snapshot().text
    assert "This page contains the following errors" in browser.scrape().value["text"]


SHOP = "<h1>Shop</h1><p>Tea and more</p><button onclick='document.title = `bought`'>Buy</button><span aria-hidden=true>unsaid</span>"
LEFT = {
    "aria-hidden": (
        f"<div id=root aria-hidden=true>{SHOP}</div><div role=status>Saved</div>",
        True,
    ),
    "inert": (f"<div id=root inert>{SHOP}</div>", False),
    "an inert body": (f"<body inert>{SHOP}", False),
    "in the only child": (f"<div><script></script><div aria-hidden=true>{SHOP}</div></div>", True),
}


@pytest.mark.whole
@pytest.mark.parametrize("way", LEFT)
def test_snapshot_shows_a_page_left_hidden_or_inert_without_an_open_dialog(
    way: str, browser: Browser, site: Site
) -> None:
    page, works = LEFT[way]
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    lines = plain(snapshot.text)
    why = "hidden from screen readers" if works else "inert"
    assert re.match(rf"- \({why} although no dialog is open; ", lines[0])
    button = f'  - button "Buy" [ref=e]{"" if works else " inert"}'
    assert lines[1:4] == ['  - heading "Shop" level=1', '  - text "Tea and more"', button]
    assert "unsaid" not in snapshot.text
    assert 'button "Buy"' in browser.snapshot(full=True).text
    read = browser.scrape()
    assert read.value["text"].startswith("# Shop\n\nTea and more\n\nBuy")
    assert "no dialog is open" in read.note
    if works:
        browser.click(snapshot.ref("Buy"))
        assert browser.evaluate("document.title").value == "bought"
    else:
        with pytest.raises(NotInteractable, match="is inert"):
            browser.click(snapshot.ref("Buy"))


@pytest.mark.parametrize(
    "page",
    [
        f"<div aria-hidden=true><button>Copy</button></div><main>{SHOP}</main>",
        f"<main>{SHOP}</main><div aria-hidden=true><p>Decoration of a page</p><i>x</i></div>",
        f"<div role=dialog>Sure? {SHOP}</div><div aria-hidden=true><p>{'words ' * 90}</p></div>",
        f"<div><section>{SHOP}</section>{'<section aria-hidden=true><p>Slide of many words, so many words</p></section>' * 9}</div>",
    ],
    ids=["a copy", "a decoration", "behind a dialog", "slides"],
)  # fmt: skip
def test_snapshot_omits_content_that_the_page_hides(
    page: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    text = browser.snapshot().text
    assert "none is open" not in text
    assert "Copy" not in text
    assert "no dialog is open" not in browser.scrape().note


INNER = "<p>Folded words</p><button>Inner</button>"
FOLDS = {
    "max-height": f"<div style='max-height:0;overflow:hidden'>{INNER}</div>",
    "height and border": f"<div style='height:0;overflow:hidden;border:1px solid'>{INNER}</div>",
    "a grid's row": f"<div style='display:grid;grid-template-rows:0fr'><div style='overflow:hidden'>{INNER}</div></div>",
    "width": f"<div style='width:0;height:90px;overflow:hidden;white-space:nowrap'>{INNER}</div>",
    "clip": f"<div style='height:0;overflow:clip'>{INNER}</div>",
}


@pytest.mark.whole
@pytest.mark.parametrize("way", FOLDS)
def test_snapshot_omits_the_content_of_a_collapsed_panel(
    way: str, browser: Browser, site: Site
) -> None:
    page = f"<button>Open</button><section>{FOLDS[way]}</section><p>After</p>"
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    assert plain(snapshot.text) == [
        '- button "Open" [ref=e]', '- button "Inner" [ref=e] offscreen', '- text "After"',
    ]  # fmt: skip
    assert browser.scrape().value["text"] == "Open\n\nAfter"
    assert not any(one["visible"] for one in browser.find(text="Folded").value["found"])
    with pytest.raises(BudgetExceeded):
        browser.wait(text="Folded words", timeout_ms=allow(300))
    browser.wait(text_gone="Folded words")
    with pytest.raises(
        NotInteractable, match="is clipped by a container: open the container first"
    ) as refused:
        browser.click(snapshot.ref("Inner"), timeout_ms=allow(1500))
    assert refused.value.data["reason"] == "clipped"
    browser.evaluate("document.querySelectorAll('section div').forEach(one => one.style = '')")
    browser.wait(text="Folded words")
    assert browser.click(snapshot.ref("Inner")).status == "ok"
    assert "Folded words" in browser.snapshot().text


@pytest.mark.parametrize(
    "page",
    [
        "<div style='height:0;overflow:hidden'><p style='position:fixed;top:9px'>Seen</p></div>",
        "<div style='height:0'><p>Seen</p></div>",
        "<p style='position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'>Seen</p>",
    ],
    ids=["escapes", "overflows", "for screen readers"],
)
def test_snapshot_reads_the_overflowing_content_of_a_zero_height_box(
    page: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", page))
    assert 'text "Seen"' in browser.snapshot().text
    assert browser.scrape().value["text"] == "Seen"
    browser.wait(text="Seen")


def test_snapshot_marks_an_element_that_css_makes_inert(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page(
            "/", "<div style='interactivity:inert'><button>Off</button></div><button>On</button>"
        )
    )
    snapshot = browser.snapshot()
    assert plain(snapshot.text) == ['- button "Off" [ref=e] inert', '- button "On" [ref=e]']
    with pytest.raises(NotInteractable, match="is inert"):
        browser.click(snapshot.ref("Off"))


def test_snapshot_and_scrape_omit_a_highlight_box(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button>Buy</button>"))
    before = body(browser.snapshot().text)
    browser.highlight(browser.snapshot().ref("Buy"))
    assert body(browser.snapshot().text) == before
    assert browser.scrape().value["text"] == "Buy"

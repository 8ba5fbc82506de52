"""HTML dialogs come first; one line summarizes the content under a dialog or another overlay."""

from __future__ import annotations

import re

import pytest
from support.reading import body
from support.site import Site

from tabwarden.sync import Browser

SHOP = "<main>{}</main>".format(
    "".join(f"<p>Tea {n} <button>Buy {n}</button></p>" for n in range(40))
)
ASK = """<div id=ask role=dialog aria-label=Sure style="display:none;position:fixed;left:30%;
top:30%;width:300px;height:200px;background:white"><button>Yes</button></div>"""
BACKDROP = "<div id=back hidden style='position:fixed;inset:0;background:#0008'></div>"

WAYS = {
    "a modal dialog": (
        "<dialog id=ask aria-label=Sure><button>Yes</button></dialog>",
        "ask.showModal()",
        "ask.close()",
    ),
    "a dialog beside its backdrop": (
        BACKDROP + ASK,
        "back.hidden = false; ask.style.display = 'block'",
        "back.hidden = true; ask.style.display = 'none'",
    ),
    "a layer without a role": (
        """<div id=ask style="display:none;position:fixed;inset:0;background:white">
        <button>Yes</button></div>""",
        "ask.style.display = 'block'",
        "ask.style.display = 'none'",
    ),
    "a page hidden by aria-hidden": (
        ASK,
        "document.querySelector('main').ariaHidden = true; ask.style.display = 'block'",
        "document.querySelector('main').ariaHidden = null; ask.style.display = 'none'",
    ),
    "an inert page": (
        ASK,
        "document.querySelector('main').inert = true; ask.style.display = 'block'",
        "document.querySelector('main').inert = false; ask.style.display = 'none'",
    ),
}


@pytest.mark.whole
@pytest.mark.parametrize("way", WAYS)
def test_snapshot_summarizes_content_covered_by_a_dialog_in_one_line(
    way: str, browser: Browser, site: Site
) -> None:
    dialog, opens, closes = WAYS[way]
    browser.goto(site.page("/", SHOP + dialog))
    whole = body(browser.snapshot().text)
    browser.evaluate(opens)
    came = body(browser.snapshot(diff=True).text)
    assert came[-1].startswith("+ (40 elements behind ")
    assert all(line.startswith("+") for line in came)
    shown = browser.snapshot()
    lines = body(shown.text)
    assert any('button "Yes"' in line for line in lines[:2])
    assert "Tea 0" not in shown.text
    assert (found := re.search(r"^- \(40 elements behind .* e\d+\) more=(m\d+)$", lines[-1]))
    assert 'button "Buy 39"' in browser.snapshot(more=found[1]).text
    assert 'button "Buy 39"' in browser.snapshot(full=True).text
    browser.evaluate(closes)
    assert all(line.startswith("- ") for line in body(browser.snapshot(diff=True).text))
    assert body(browser.snapshot().text) == whole


def test_snapshot_keeps_elements_in_front_of_the_backdrop(browser: Browser, site: Site) -> None:
    front = "position:fixed;z-index:9;background:white;left:0;"
    page = f"""<nav style="{front}top:0"><a href=/>Home</a></nav>{SHOP}{BACKDROP}{ASK}
    <div role=status style="{front}bottom:0">Saved</div>
    <ul role=listbox style="{front}bottom:60px"><li role=option>Tea</ul>
    <script>back.hidden = false; ask.style.display = "block"</script>"""
    browser.goto(site.page("/", page))
    text = browser.snapshot().text
    for words in ('link "Home"', 'status "Saved"', 'option "Tea"'):
        assert words in text
    assert "(40 elements behind dialog" in text


def test_snapshot_lists_a_dialog_that_covers_nothing_first(browser: Browser, site: Site) -> None:
    page = f"<button>Go</button>{ASK}<script>ask.style.display = 'block'</script>"
    browser.goto(site.page("/", page))
    lines = body(browser.snapshot().text)
    assert [line.split(" [")[0] for line in lines] == [
        '- dialog "Sure"', '  - button "Yes"', '- button "Go"',
    ]  # fmt: skip


def test_snapshot_does_not_mark_buttons_that_scrolling_can_uncover(
    browser: Browser, site: Site
) -> None:
    bar = "<nav style='position:fixed;inset:0 0 auto;height:80px;background:white'>Bar</nav>"
    browser.goto(site.page("/", f"<script>scrollTo(0, 300)</script>{SHOP}{bar}"))
    browser.evaluate("scrollTo(0, 300)")
    text = browser.snapshot().text
    assert "obscured" not in text
    assert "covered" not in text
    browser.evaluate("scrollTo(0, 0)")
    assert "obscured" in browser.snapshot().text


def test_snapshot_summarizes_fields_covered_by_a_menu_in_one_line(
    browser: Browser, site: Site
) -> None:
    fields = "".join(f"<p><input aria-label=Field{n}></p>" for n in range(6))
    page = f"""{fields}<ul role=menu style="position:absolute;inset:0 auto auto 0;width:90%;
    height:140px;background:white"><li role=menuitem>Copy</ul>"""
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    assert "obscured" not in snapshot.text
    assert re.search(rf"\({snapshot.ref('Field0')}-e\d+ covered by ", snapshot.text)

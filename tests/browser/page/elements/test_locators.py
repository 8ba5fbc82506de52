# ruff: noqa: E501 - pages, one element after the other
"""A recording's locators match exactly the same element in Playwright."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.beside import sync_playwright_browser
from support.recorded import in_playwright
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser

PAGE = """<style>.x::before { content: "New " }</style>
<button data-n=1>Buy <b>green</b> tea</button> <button data-n=2 hidden>Pay</button><button data-n=3>Pay</button>
<button data-n=4 aria-hidden=true>Pay</button> <button data-n=5>Pay later</button> <button data-n=6>pay</button>
<button data-n=7 aria-label="Close">x</button> <button data-n=8 title="Tool">?</button> <button data-n=9 class=x>Offer</button>
<button data-n=10>Add</button><button data-n=11>Add</button> <button data-n=12 data-testid=add>Add</button>
<a data-n=13 href=/a>read <i>more</i></a> <a data-n=14 href=/b><img alt="Home" src=""></a>
<label>Name <input data-n=15></label> <label for=m>Mail</label><input id=m data-n=16 placeholder="you@home">
<input data-n=17 placeholder="Find"> <input data-n=18 type=password aria-label=Code> <textarea data-n=19></textarea>
<input data-n=20 type=submit value="Send it"> <input data-n=21 type=checkbox id=c><label for=c>I  agree</label>
<label>Size <select data-n=22><option>S<option>M</select></label> <input data-n=23 type=range aria-labelledby=t><span id=t>Loudness</span>
<div data-n=24 role=button tabindex=0>Own <span>button</span></div> <div data-n=25 role=tab tabindex=0>First</div>
<details><summary data-n=26>More</summary>text</details> <input data-n=27 type=file> <input data-n=28 type=date> <input type=color data-n=29>
<div data-n=30 onclick="1" style="cursor:pointer">Just a div</div> <h2 data-n=31>Title</h2> <button data-n=32 aria-expanded=false>Menu\u200b</button>
<button data-n=33>Say "yes" \\ no</button> <svg data-n=34 role=img aria-label=Drawing width=20 height=20><rect width=20 height=20></svg>
<ul><li>One <button data-n=35>Del</button><li>Two <button data-n=36>Del</button></ul> <span data-n=37 role=checkbox tabindex=0 aria-checked=false aria-label=Own></span>
<div id=host></div><script>
  host.attachShadow({ mode: "open" }).innerHTML = "<button data-n=40>Buy black tea</button><button data-n=41>Pay</button><i data-n=42></i><i data-n=43></i>";
</script>"""
FRAME = "<button data-n=50>Inside</button><input data-n=51 name=q>"


def located(browser: Browser, css: str) -> dict[str, Any]:
    """The recorded locators for a call on this element."""
    browser.evaluate("element => 1", ref=f"css={css}")
    [told] = browser._task.journal.entries[-1].locators
    return told


@pytest.fixture
def recorded(browser: Browser) -> Browser:
    browser._task.wants_locators = True
    return browser


@pytest.mark.long
def test_recorded_locators_match_the_same_elements_in_playwright(
    recorded: Browser, site: Site
) -> None:
    frame = site.page("/frame", FRAME).replace("127.0.0.1", "localhost")
    url = site.page("/", f"{PAGE}<iframe title='The \"frame\"' src={frame}></iframe>")
    recorded.goto(url)
    recorded.wait(text="Inside")
    wrong = []
    by: set[str] = set()
    with sync_playwright_browser() as playwright:
        page = playwright.new_page()
        page.goto(url)
        for number in [*range(1, 38), 40, 41, 42, 43, 50, 51]:
            told = located(recorded, f"[data-n='{number}']")
            assert any(one["unique"] for one in told["candidates"]), told
            for one in told["candidates"]:
                locator = in_playwright(page, told["frames"], one)
                found = locator.evaluate_all(
                    "all => all.map(one => one.closest('[data-n]')?.dataset.n)"
                )
                by |= {one["by"]} if one["unique"] else set()
                if (found == [str(number)]) is not one["unique"]:
                    wrong.append((number, one, found))
    assert not wrong, "\n".join(map(json.dumps, wrong))
    assert by == {"role", "label", "placeholder", "text", "test_id", "css"}


def test_calls_compute_no_locators_while_no_recording_runs(browser: Browser, site: Site) -> None:
    browser._task.wants_locators = False
    browser.goto(site.page("/", "<button>Pay</button>"))
    browser.click("css=button")
    assert browser._task.journal.entries[-1].locators == []


def test_recorded_click_at_a_point_stores_the_offset_within_its_element(
    recorded: Browser, site: Site
) -> None:
    style = "position:fixed; left:20px; top:30px; width:50px; height:40px; border:5px solid"
    recorded.goto(site.page("/", f"<div id=d style='{style}'></div>"))
    recorded.click(x=40, y=45)
    [told] = recorded._task.journal.entries[-1].locators
    assert told["candidates"][-1]["css"] == "#d"
    assert (told["offset"], told["position"]) == ([20, 15], [15, 10])
    assert told["size"] == [60, 50]


@pytest.mark.parametrize(
    ("selector", "what"),
    [
        ('role=button[name="Say \\"yes\\" \\\\ no"]', "33"),
        ('label="I agree"', "21"),
        ("placeholder=Find", "17"),
        ('text="read more"', "13"),
        ('testid="add"', "12"),
        ('iframe[title="The \\"frame\\""] >> role=textbox', "51"),
        ("iframe >> css=button", "50"),
    ],
)
def test_evaluate_accepts_selectors_in_locator_syntax(
    browser: Browser, site: Site, selector: str, what: str
) -> None:
    frame = site.page("/frame", FRAME).replace("127.0.0.1", "localhost")
    browser.goto(site.page("/", f"{PAGE}<iframe title='The \"frame\"' src={frame}></iframe>"))
    asked = browser.evaluate("element => element.closest('[data-n]').dataset.n", ref=selector)
    assert asked.value == what


def test_role_selector_matches_the_whole_name_case_sensitively(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button>Pay later</button><button>pay</button>"))
    with pytest.raises(InvalidArgument, match="matches no element"):
        browser.click('role=button[name="Pay"]', timeout_ms=1500)

# ruff: noqa: E501 - pages, one element after the other
"""Styled checkboxes: a snapshot shows their state, and a click sets it."""

from __future__ import annotations

import pytest
from support.reading import body
from support.site import Site

from tabwarden.sync import Browser

BOX = "<i style='display:inline-block;width:20px;height:20px;background:green'></i>"
CHECKS = {
    "in a label": "<label><input type=checkbox hidden>{box}News</label>",
    "invisible": "<label><input type=checkbox style='visibility:hidden'>{box}News</label>",
    "beside its label": "<input id=n type=checkbox hidden><label for=n>{box}News</label>",
    "before two labels": "<input id=n type=checkbox hidden><label for=n>News</label> <label for=n>{box}</label>",
    "without a size": "<label><input type=checkbox style='position:absolute;opacity:0;width:0;height:0'>{box}News</label>",
    "cut off": "<label><input type=checkbox style='position:absolute;clip-path:inset(50%);width:1px;height:1px'>{box}News</label>",
    "under its box": "<label style='position:relative'><input type=checkbox style='position:absolute;opacity:0'>{box}News</label>",
    "a radio button": "<label><input type=radio hidden>{box}News</label>",
    "a switch": "<label><input type=checkbox role=switch hidden>{box}News</label>",
}


@pytest.mark.whole
@pytest.mark.parametrize("way", CHECKS)
def test_snapshot_and_click_reach_a_hidden_checkbox_behind_a_styled_box(
    way: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", CHECKS[way].format(box=BOX)))
    snapshot = browser.snapshot()
    (line,) = body(snapshot.text)
    role = {"a radio button": "radio", "a switch": "switch"}.get(way, "checkbox")
    ref = snapshot.ref("News")
    assert line == f'- {role} "News" [ref={ref}] checked=false'
    assert browser.scrape().value["text"] == "[ ] News"
    _, _, width, height = browser.snapshot(boxes=True).refs[ref]["box"]
    assert width > 3
    assert height > 3
    assert browser.screenshot(ref=ref).width > 3
    browser.wait(ref=ref, state="visible")
    browser.click(ref)
    assert browser.evaluate("document.querySelector('input').checked").value is True
    assert f'{role} "News" [ref={ref}] checked' in browser.snapshot().text
    assert browser.scrape().value["text"] == "[x] News"
    (found,) = browser.find(role=role).value["found"]
    assert (found["ref"], found["visible"]) == (ref, True)
    if role != "radio":
        browser.fill_form([{"ref": ref, "value": False}])
        assert browser.evaluate("document.querySelector('input').checked").value is False
        browser.click("css=input")
        assert browser.evaluate("document.querySelector('input').checked").value is True


def test_snapshot_shows_the_hidden_checkboxs_state_on_its_styled_box(
    browser: Browser, site: Site
) -> None:
    click = "onclick='this.firstElementChild.click()' style='cursor:pointer'"
    browser.goto(site.page("/", f"<div {click}><input type=checkbox hidden>{BOX} News</div>"))
    ref = browser.snapshot().ref("News")
    assert body(browser.snapshot().text) == [f'- generic "News" [ref={ref}] checked=false']
    browser.fill_form([{"ref": ref, "value": True}])
    assert body(browser.snapshot().text) == [f'- generic "News" [ref={ref}] checked']


def test_snapshot_keeps_links_in_the_label_of_a_styled_checkbox(
    browser: Browser, site: Site
) -> None:
    page = f"<label><input type=checkbox hidden>{BOX}I accept the <a href=/terms>terms</a></label>"
    browser.goto(site.page("/", page))
    first, second = body(browser.snapshot().text)
    assert first.startswith('- checkbox "I accept the terms"')
    assert second.startswith('- link "terms"')

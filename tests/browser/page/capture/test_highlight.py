"""Highlight shows a person which element is meant, and leaves nothing on the page."""

from __future__ import annotations

import pytest
from support.eventually import eventually
from support.pixels import colours
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import InvalidArgument, NotInteractable, StaleRef
from tabwarden.sync import Browser

STILL = "<style>* { caret-color: transparent; transition: none }</style>"


def picture(browser: Browser) -> str:
    """The screen content, captured without an action, because an action would remove the box."""
    return str(browser.cdp("Page.captureScreenshot", {"format": "png"}).value["data"])


@pytest.mark.parametrize("where", ["top", "here", "there"])
def test_highlight_draws_a_box_until_the_next_action(
    where: str, browser: Browser, site: Site
) -> None:
    blue = "<body style='background: blue'>"
    goal = "<button style='width:200px;height:99px'>Goal</button>"
    url = site.page("/inner", STILL + blue + goal)
    if where != "top":
        url = site.page("/", f'{STILL}<iframe src="{getattr(site, where)}/inner"></iframe>')
    browser.goto(url)
    ref = ref_of(browser.snapshot(), '"Goal"')
    markup = browser.evaluate("document.documentElement.outerHTML").value
    # A frame in another process appears on screen a moment after each paint.
    eventually(lambda: colours(browser, browser.screenshot(), (150, 140)) == ["blue"])
    before = picture(browser)
    box = browser.highlight(ref, duration_s=60).value
    assert (box["width"], box["height"]) == (200, 99)
    eventually(lambda: picture(browser) != before)
    assert browser.evaluate("document.documentElement.outerHTML").value == markup
    eventually(lambda: picture(browser) == before)  # long before its duration is over


def test_highlight_removes_its_box_after_its_duration(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", STILL + "<button>Goal</button>"))
    ref = ref_of(browser.snapshot(), '"Goal"')
    before = picture(browser)
    browser.highlight(ref, duration_s=0.1)
    eventually(lambda: picture(browser) == before)


def test_highlight_rejects_zero_duration_and_hidden_or_removed_elements(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button id=goal>Goal</button>"))
    ref = ref_of(browser.snapshot(), '"Goal"')
    with pytest.raises(InvalidArgument) as caught:
        browser.highlight(ref, duration_s=0)
    assert caught.value.data["field"] == "duration_s"
    browser.evaluate("goal.hidden = true")
    with pytest.raises(NotInteractable):
        browser.highlight(ref)
    browser.evaluate("goal.remove()")
    with pytest.raises(StaleRef):
        browser.highlight(ref)

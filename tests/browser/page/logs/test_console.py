"""The console log shows a page's messages like the browser's developer tools."""

from __future__ import annotations

import pytest
from support.eventually import eventually
from support.site import Site

from tabwarden.page.input.pointing import mouse
from tabwarden.page.task import CARDS
from tabwarden.sync import Browser


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("'saved', {foo: 'bar', n: null}", "saved {foo: bar, n: null}"),
        ("{a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}", "{a: 1, b: 2, c: 3, d: 4, e: 5, …}"),
        ("Array(50).fill(7)", f"[{'7, ' * 20}…]"),
        ("/x/g, true, null", "/x/g true null"),
    ],
)
def test_console_shows_the_contents_of_a_logged_object(
    written: str, text: str, browser: Browser
) -> None:
    browser.goto("about:blank")
    browser.evaluate(f"console.log({written})")
    assert [message["text"] for message in browser.console().value] == [text]


MESSAGES = {
    "security": """<meta http-equiv=Content-Security-Policy content="img-src 'none'"><button
        onclick="new Image().src = '/a.png'">Go</button>""",
    "javascript": "<button onclick=\"fetch('OTHER/a').catch(() => {})\">Go</button>",
}


@pytest.mark.parametrize("source", MESSAGES)
def test_console_and_effect_show_what_the_browser_blocked(
    source: str, browser: Browser, site: Site
) -> None:
    site.page("/a", "x")
    site.pages["/"] = "<!doctype html>" + MESSAGES[source].replace("OTHER", site.there)
    browser.goto(f"{site.here}/")
    go = {"ref": browser.snapshot().ref("Go")}

    def refusal() -> str:
        effect = browser.inside.act(CARDS[mouse.click], go).effect
        return effect if effect.startswith('the browser refused: "') else ""

    effect = eventually(refusal)  # on a busy machine, the browser's message may come later
    line = next(one for one in browser.console().value if one["source"] == source)
    assert line["level"] == "error"
    assert line["text"][:40] in effect


def test_console_leaves_failed_requests_to_the_network_log(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<img src=/missing.png>"))
    browser.wait(load_state="networkidle")
    assert browser.console().value == []

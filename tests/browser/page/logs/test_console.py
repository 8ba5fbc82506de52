"""The console log shows a page's messages like the browser's developer tools."""

from __future__ import annotations

from typing import Any

import pytest
from support.eventually import eventually
from support.site import Site

from tabwarden.page.input.pointing import mouse
from tabwarden.page.task import CARDS
from tabwarden.supervisor.core.state.state import CONSOLE_RING
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


def test_new_console_messages_are_those_since_the_last_such_call_for_the_tab(
    browser: Browser, site: Site
) -> None:
    first = browser.goto(site.page("/a", "<script>console.log('one')</script>")).tab_id
    browser.tabs("open", url=site.page("/b", "<script>console.log('other tab')</script>"))
    browser.evaluate("console.log('two'); console.error('bad')", tab_id=first)

    def new(tab_id: str | None = None, **more: Any) -> list[str]:
        return [line["text"] for line in browser.console(new=True, tab_id=tab_id, **more).value]

    assert new(first) == ["one", "two", "bad"]
    assert new(first) == []
    assert new() == ["other tab"]
    browser.evaluate("console.log('three'); console.error('worse')", tab_id=first)
    assert [line["text"] for line in browser.console(tab_id=first).value][-1] == "worse"
    assert new(first, level="error") == ["worse"]
    assert new(first) == [], "the filter hides messages, but they have been read"


def test_new_console_messages_start_after_a_clear(browser: Browser) -> None:
    browser.goto("about:blank")
    browser.evaluate("console.log('old')")
    browser.console(clear=True)
    browser.evaluate("console.log('new')")
    read = browser.console(new=True)
    assert ([line["text"] for line in read.value], read.note) == (["new"], "")


def test_note_counts_console_messages_that_were_lost_since_the_last_call(
    browser: Browser, site: Site
) -> None:
    url = site.page("/", "quiet")
    quiet = browser.goto(url).tab_id
    browser.evaluate("console.error('an early error'); console.log('an early line')")
    browser.tabs("open", url=url)
    script = f"for (let n = 0; n < {CONSOLE_RING + 50}; n++) console.log('line ' + n)"
    browser.evaluate(script)
    eventually(lambda: browser.inside.task.state.console[-1].text == f"line {CONSOLE_RING + 49}")
    read = browser.console(new=True)
    assert len(read.value) == CONSOLE_RING
    assert read.note == "50 older messages are no longer stored."
    kept = browser.console(new=True, tab_id=quiet)
    assert [line["text"] for line in kept.value] == ["an early error"], "errors are kept longer"
    assert kept.note == "1 older message is no longer stored."
    assert browser.console(new=True, tab_id=quiet).note == ""

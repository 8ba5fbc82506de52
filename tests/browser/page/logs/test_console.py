"""The console log shows a page's messages like the browser's developer tools."""

from __future__ import annotations

import pytest

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

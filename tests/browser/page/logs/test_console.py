"""The console log: what a page wrote, as the browser's own tools show it."""

from __future__ import annotations

import pytest

from tabwarden.sync import Browser


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("'saved', {foo: 'bar', n: null}", "saved {foo: bar, n: null}"),
        ("[1, [2], {a: 1}]", "[1, Array(1), {…}]"),
        ("{a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}", "{a: 1, b: 2, c: 3, d: 4, e: 5, …}"),
        ("Array(50).fill(7)", f"[{'7, ' * 20}…]"),
        ("new Map([['k', {b: 1}]]), new Set([1])", "Map(1) {k => {b: 1}} Set(1) {1}"),
        ("new (class Point { x = 1 })", "Point {x: 1}"),
        ("new Uint8Array([1, 2]), /x/g, true, null", "[1, 2] /x/g true null"),
    ],
)
def test_a_value_shows_its_content(written: str, text: str, browser: Browser) -> None:
    browser.goto("about:blank")
    browser.evaluate(f"console.log({written})")
    assert [message["text"] for message in browser.console().value] == [text]

"""Evaluate: how values are returned, also on a page that replaced JavaScript builtins."""

from __future__ import annotations

import pytest
from support.site import Site

from tabwarden.errors import JsError
from tabwarden.sync import Browser


@pytest.mark.parametrize("thrown", ["throw undefined", "Promise.reject(undefined)"])
def test_evaluate_error_describes_a_thrown_undefined_as_undefined(
    thrown: str, browser: Browser
) -> None:
    with pytest.raises(JsError, match="undefined"):
        browser.evaluate(thrown)


def test_evaluate_describes_objects_from_another_frame_by_type(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", "<p>inner</p>")
    browser.goto(site.page("/", "<iframe src=/inner></iframe>"))
    browser.wait(load_state="load")
    script = """[frames[0].document.body, new (frames[0].Map)([[1, 2]]), new (frames[0].Date)(0),
        new (frames[0].Set)([1]), new (frames[0].Error)('x'), frames[0]]"""
    body, pairs, date, items, error, frame = browser.evaluate(script).value
    assert body == {"$type": "body", "value": "<body></body>"}
    assert pairs == {"$type": "map", "value": [[1, 2]]}
    assert date == {"$type": "date", "value": "1970-01-01T00:00:00.000Z"}
    assert items == {"$type": "set", "value": [1]}
    assert error["$type"] == "error"
    assert frame == {"$type": "window", "value": f"{site.here}/inner"}


def test_evaluate_returns_the_properties_of_browser_objects(browser: Browser) -> None:
    assert browser.evaluate("new DOMRect(1, 2, 3, 4)").value["width"] == 3
    assert browser.evaluate("[new URL('http://a/b')]").value == ["http://a/b"]


def test_evaluate_returns_a_property_named_proto(browser: Browser) -> None:
    value = browser.evaluate('JSON.parse(\'{"__proto__": {"a": 1}}\')').value
    assert value == {"__proto__": {"a": 1}}


@pytest.mark.threat
@pytest.mark.parametrize(
    "script", ["let text = 'x'.repeat(6e6); text", "new Array(1e9)", "Array(8e5).fill(Math.PI)"]
)
def test_evaluate_truncates_large_values_to_the_size_limit(script: str, browser: Browser) -> None:
    done = browser.evaluate(script)
    assert "cut" in done.note
    assert len(str(done.value)) < 6_000_000


@pytest.mark.threat
@pytest.mark.parametrize(
    "script",
    ["({'\\ud800': '\\udfff'})", "new Map([['\\ud800', 1]])", "const half = ['\\ud800']; half"],
)
def test_evaluate_replaces_lone_surrogates(script: str, browser: Browser) -> None:
    value = str(browser.evaluate(script).value)
    assert "\ufffd" in value
    value.encode()


def test_evaluate_returns_none_for_document_all(browser: Browser) -> None:
    assert browser.evaluate("document.all").value is None


@pytest.mark.threat
@pytest.mark.parametrize("script", ["[1, 2]", "const pair = [1, 2]; pair"])
@pytest.mark.parametrize("given", ["5", "'no JSON'", "'null'", "'[]'"])
def test_evaluate_works_on_a_page_that_replaced_json_stringify(
    given: str, script: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", f"<script>JSON.stringify = () => {given}</script>"))
    if given == "5":  # no text: the value is returned without it
        assert browser.evaluate(script).value == [1, 2]
    else:
        with pytest.raises(JsError, match=r"JSON\.stringify"):
            browser.evaluate(script)
    assert browser.evaluate(script, world="isolated").value == [1, 2]


@pytest.mark.parametrize("owner", ["Object", "Array", "String", "Number"])
def test_evaluate_ignores_to_json_methods_of_old_libraries(
    owner: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", f"<script>{owner}.prototype.toJSON = () => '\"x\"'</script>"))
    assert browser.evaluate("({a: [1, 'b', new Map([[1, 2]])]})").value == {
        "a": [1, "b", {"$type": "map", "value": [[1, 2]]}]
    }


def test_evaluate_returns_a_proxied_array_without_an_iterator(browser: Browser) -> None:
    numbers = "{get: (array, key) => typeof key === 'symbol' ? undefined : array[key]}"
    assert browser.evaluate(f"new Proxy([1, 2], {numbers})").value == [1, 2]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("new Proxy({}, {ownKeys() { throw new Error('private') }})", "private"),
        ("({get a() { throw {toString() { throw 1 }} }})", None),
        ("frames[0].location", "cross-origin"),
    ],
)
@pytest.mark.whole
def test_evaluate_returns_the_rest_of_a_value_with_a_part_that_cannot_be_read(
    script: str, reason: str | None, browser: Browser, site: Site
) -> None:
    site.page("/inner", "<p>inner</p>")
    browser.goto(site.page("/", f"<iframe src='{site.there}/inner'></iframe>"))
    browser.wait(load_state="load")
    first, part = browser.evaluate(f"[1, {script}]").value
    assert first == 1
    assert part["$type"] == "unreadable"
    assert part["value"] is None if reason is None else reason in part["value"]

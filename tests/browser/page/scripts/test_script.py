"""Evaluate accepts an expression, a function or statements."""

from __future__ import annotations

from typing import Any

import pytest
from support.site import Site

from tabwarden.errors import JsError
from tabwarden.sync import Browser


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("() => 5;", 5),
        ("async () => { return 5 };\n", 5),
        ("// what it is for\n() => 5", 5),
        ("/* (a) => */ function () { return 5 }", 5),
        ("(a = Math.max(1, Math.abs(-5))) => a", 5),
        ("function five() { return 5 }\nfive()", 5),
        ("async function five() { return 5 }\nawait five()", 5),
        ("const five = () => { return 5 }; five()", 5),
        ("await new Promise((on) => { return setTimeout(on) }); 5", 5),
        ("if (1) { return 5 }\nreturn 6", 5),
        ("(() => 5)();", 5),
        ("(() => 5)", {"$type": "function", "value": "anonymous"}),
    ],
)
def test_evaluate_accepts_common_forms_of_functions_and_statements(
    script: str, value: Any, browser: Browser
) -> None:
    for world in ("main", "isolated"):
        for _ in range(2):  # the second time its names are already declared
            assert browser.evaluate(script, world=world).value == value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("(element) => element.textContent;", "Buy"),
        ("// its text\n(element) => element.textContent", "Buy"),
        ("element.textContent;", "Buy"),
        ("await element.textContent", "Buy"),
        ("const text = element.textContent;\nreturn text + args[0]", "Buy!"),
        ("function text() { return element.textContent }\nreturn text()", "Buy"),
    ],
)
def test_evaluate_passes_an_element_to_functions_and_statements(
    script: str, value: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button>Buy</button>"))
    assert browser.evaluate(script, browser.snapshot().ref("Buy"), args=["!"]).value == value


def test_evaluate_suggests_return_for_statements_with_an_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button>Buy</button>"))
    ref = browser.snapshot().ref("Buy")
    done = browser.evaluate("const now = 'Sold'; element.textContent = now; now", ref)
    assert done.value is None
    assert "return" in done.note
    assert browser.evaluate("document.body.innerText").value == "Sold"


def test_script_can_redeclare_a_page_variable(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<script>const app = 1; let cart = 2</script>"))
    done = browser.evaluate("const app = 5, cart = 6; app + cart")
    assert done.value == 11
    assert "not kept" in done.note
    assert browser.evaluate("app + cart").value == 3
    for value in (1, 2):  # a variable of an earlier script, as in a browser's console
        done = browser.evaluate(f"let mine = {value}; await 0; mine")
        assert (done.value, done.note) == (value, "")
    assert browser.evaluate("mine").value == 2


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("missing()", 1),
        ("eval('throw new Error(1)')", 1),
        ("() => { null.x };", 1),
        ("const a = () => { return 1 };\nnull.x", 2),
        ("function a() {}\n\nnull.x", 3),
    ],
)
def test_evaluate_errors_contain_the_line_in_the_script(
    script: str, line: int, browser: Browser
) -> None:
    with pytest.raises(JsError) as caught:
        browser.evaluate(script)
    assert caught.value.data["line"] == line


def test_evaluate_errors_contain_the_line_in_a_script_with_an_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button>Buy</button>"))
    for script in ("\nelement.a.b", "const a = 1;\nelement.a.b"):
        with pytest.raises(JsError) as caught:
            browser.evaluate(script, browser.snapshot().ref("Buy"))
        assert caught.value.data["line"] == 2

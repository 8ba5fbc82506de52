"""Waiting for a script, an element's state or text, or any of several conditions."""

from __future__ import annotations

from typing import Any

import pytest
from support.pace import allow
from support.reading import ref_of
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import (
    BudgetExceeded,
    Disabled,
    FrameNotFound,
    InvalidArgument,
    JsError,
    StaleRef,
    TabwardenError,
    UnknownRef,
)
from tabwarden.sync import Browser

SOON = "<script>setTimeout(() => {{ {} }}, 300)</script>"
ROOM_MS = 15_000


def soon(script: str, body: str = "") -> str:
    return body + SOON.format(script)


@pytest.mark.parametrize(
    "script",
    [
        "window.orders > 2",
        "window.orders > 2;",
        "() => window.orders > 2",
        "async () => (await Promise.resolve(window.orders)) > 2",
        "const wanted = 2; return window.orders > wanted",
    ],
)
def test_wait_accepts_an_expression_function_or_statements_as_script(
    script: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", soon("window.orders = 3")))
    top = browser.state.frame_tree.top.frame_id
    value = browser.wait(script=script, timeout_ms=ROOM_MS).value
    assert (value["value"], value["frame_id"]) == (True, top)
    assert value["waited_ms"] >= 0


def test_wait_returns_the_value_of_its_script(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<p id=a>x</p>"))
    assert browser.wait(script="({n: a.childNodes.length})").value["value"] == {"n": 1}


@pytest.mark.parametrize("where", ["here", "there"])
def test_wait_runs_a_script_in_a_frame(where: str, browser: Browser, site: Site) -> None:
    site.page("/inner", soon("window.done = location.pathname"))
    browser.goto(site.page("/", f'<iframe src="{getattr(site, where)}/inner"></iframe>'))
    inner = browser.state.frame_tree.children[0].frame_id
    value = browser.wait(script="window.done", frame_id=inner, timeout_ms=ROOM_MS).value
    assert (value["value"], value["frame_id"]) == ("/inner", inner)


@pytest.mark.parametrize("where", ["here", "there"])
def test_wait_keeps_checking_its_script_after_a_navigation(
    where: str, browser: Browser, site: Site
) -> None:
    site.page("/next", soon("window.done = 1"))
    url = f"{getattr(site, where)}/next"
    browser.goto(site.page("/", soon(f"location = '{url}'")))
    assert browser.wait(script="window.done", timeout_ms=ROOM_MS).url == url


def test_wait_works_on_a_page_that_replaced_its_timers(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "x"))
    browser.evaluate("1")
    browser.evaluate(
        "window.later = setTimeout; window.setTimeout = window.requestAnimationFrame = () => {};"
        "later(() => { window.done = 1 }, 300)"
    )
    browser.wait(script="window.done", timeout_ms=allow(4_000))


@pytest.mark.long
def test_wait_fails_on_an_error_in_its_script(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "x"))
    with pytest.raises(JsError, match="nothing is not defined"):
        browser.wait(script="nothing.here", timeout_ms=60_000)
    with pytest.raises(JsError, match="SyntaxError"):
        browser.wait(script="return (", timeout_ms=60_000)
    with pytest.raises(InvalidArgument) as refused:
        browser.wait(script="let done = 1; done++", timeout_ms=60_000)
    assert refused.value.data["field"] == "script"


@pytest.mark.long
def test_wait_with_a_hanging_script_ends_within_its_budget(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "x"))
    with pytest.raises(BudgetExceeded):
        browser.wait(script="(() => { for (;;) {} })()", timeout_ms=2_000)
    assert browser.evaluate("1 + 1").value == 2


@pytest.mark.long
def test_wait_that_times_out_leaves_no_polling_loop_in_the_page(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<script>window.looks = 0</script>"))
    with pytest.raises(BudgetExceeded):
        browser.wait(script="window.looks++ < 0", timeout_ms=500)
    assert 2 < browser.evaluate("window.looks").value < 100
    ended = "new Promise((end) => setTimeout(() => { const n = looks; "
    ended += "setTimeout(() => end(looks === n), 300) }, 2000))"
    assert browser.evaluate(ended).value is True


def test_dialog_interrupts_a_wait_for_a_script(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "x"))
    browser.evaluate("setTimeout(() => confirm('Sure?'), 300)")
    done = browser.wait(script="false", timeout_ms=60_000)
    assert done.status == "interrupted"
    assert done.by["dialog"]["message"] == "Sure?"
    browser.dialog("dismiss")


def test_wait_rejects_scripts_when_evaluate_is_disabled(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "x"))
    before = browser.config
    browser.configure(BrowserConfig(**{**before.model_dump(), "evaluate_enabled": False}))
    try:
        for given in ({"script": "1"}, {"any_of": [{"text": "x"}, {"script": "1"}]}):
            with pytest.raises(Disabled) as refused:
                browser.wait(**given)
            assert refused.value.data["field"] == "script"
    finally:
        browser.configure(before)


BUTTON = "<button id=b {}>Save</button>"


@pytest.mark.parametrize(
    ("body", "script", "wanted"),
    [
        (BUTTON.format("style='visibility:hidden'"), "b.style = ''", {}),
        (BUTTON.format(""), "b.hidden = true", {"state": "hidden"}),
        (BUTTON.format(""), "b.remove()", {"state": "hidden"}),
        (BUTTON.format(""), "b.remove()", {"state": "gone"}),
        (BUTTON.format("disabled"), "b.disabled = false", {"state": "enabled"}),
        (BUTTON.format(""), "b.ariaDisabled = 'true'", {"state": "disabled"}),
        (BUTTON.format(""), "b.innerText = 'All  SAVED now'", {"has_text": "saved now"}),
        ("<input id=b value=Save>", "b.value = 'Saved'", {"has_text": "Saved"}),
        (
            BUTTON.format("disabled"),
            "b.innerText = 'Saved'; setTimeout(() => { b.disabled = false }, 50)",
            {"state": "enabled", "has_text": "Saved"},
        ),
    ],
)
def test_wait_for_a_ref_supports_each_state_and_text(
    body: str, script: str, wanted: dict[str, Any], browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", body))
    ref = browser.find(css="#b").value["found"][0]["ref"]
    browser.evaluate(f"setTimeout(() => {{ {script} }}, 300)")
    value = browser.wait(ref=ref, **wanted, timeout_ms=ROOM_MS).value
    assert value["waited_ms"] > 100
    assert value.get("ref") == (None if "remove" in script else ref)


@pytest.mark.long
def test_wait_for_gone_ignores_a_rerendered_element(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", f"<main id=m>{BUTTON.format('')}</main>"))
    ref = ref_of(browser.snapshot(), "Save")
    browser.evaluate("m.innerHTML = m.innerHTML")
    with pytest.raises(BudgetExceeded):
        browser.wait(ref=ref, state="gone", timeout_ms=700)
    browser.evaluate("setTimeout(() => m.remove(), 300)")
    browser.wait(ref=ref, state="gone", timeout_ms=ROOM_MS)


def test_wait_for_hidden_ends_when_the_page_navigates_away(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", BUTTON.format("disabled")))
    ref = ref_of(browser.snapshot(), "Save")
    site.page("/next", "x")
    browser.evaluate("setTimeout(() => { location = '/next' }, 300)")
    browser.wait(ref=ref, state="hidden", timeout_ms=ROOM_MS)
    with pytest.raises(StaleRef):
        browser.wait(ref=ref, state="enabled", timeout_ms=60_000)


def test_wait_for_a_selector_detects_a_hidden_or_removed_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", soon("s.hidden = true", "<p id=s class=spin>Loading</p>")))
    browser.wait(selector=".spin", state="hidden", timeout_ms=ROOM_MS)
    with pytest.raises(BudgetExceeded):
        browser.wait(selector=".spin", state="gone", timeout_ms=500)
    browser.evaluate("setTimeout(() => s.remove(), 300)")
    browser.wait(selector=".spin", state="gone", timeout_ms=ROOM_MS)
    browser.wait(ref="css=.spin", state="gone", timeout_ms=allow(2_000))


@pytest.mark.parametrize(
    ("script", "index", "condition"),
    [
        ("document.body.append('Order placed')", 0, {"text": "order placed"}),
        ("document.body.innerHTML = '<p class=error>No</p>'", 1, {"selector": ".error"}),
        ("window.failed = 'card'", 2, {"script": "window.failed"}),
        ("history.pushState(0, '', '/login')", 3, {"url": "/login"}),
        ("", 4, {"time_s": 1}),
    ],
)
def test_wait_any_of_returns_the_first_condition_that_is_met(
    script: str, index: int, condition: dict[str, Any], browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<p>Checkout</p>"))
    browser.evaluate(f"setTimeout(() => {{ {script} }}, 100)")
    value = browser.wait(
        any_of=[
            {"text": "order placed"},
            {"selector": ".error"},
            {"script": "window.failed"},
            {"url": "/login"},
            {"time_s": 1},
        ],
        timeout_ms=ROOM_MS,
    ).value
    assert (value["index"], value["condition"]) == (index, condition)
    assert value.get("value") == ("card" if "script" in condition else None)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"script": ""}, "script"),
    ({"script": 1}, "script"),
    ({"ref": "e1", "state": "open"}, "state"),
    ({"ref": "e1", "has_text": ""}, "has_text"),
    ({"text": "a", "state": "hidden"}, "state"),
    ({"selector": "a", "state": "enabled"}, "state"),
    ({"selector": "a", "has_text": "b"}, "has_text"),
    ({"text": "a", "frame_id": "F"}, "frame_id"),
    ({"text": "a", "script": "1"}, "text"),
    ({"any_of": []}, "any_of"),
    ({"any_of": "text"}, "any_of"),
    ({"any_of": ["text"]}, "any_of[0]"),
    ({"any_of": [{"text": "a"}, {}]}, "any_of[1].text"),
    ({"any_of": [{"txt": "a"}]}, "any_of[0].txt"),
    ({"any_of": [{"any_of": []}]}, "any_of[0].any_of"),
    ({"any_of": [{"text": "a", "url": "b"}]}, "any_of[0].text"),
    ({"any_of": [{"selector": "a", "state": "on"}]}, "any_of[0].state"),
    ({"any_of": [{"time_s": 99}]}, "any_of[0].time_s"),
    ({"any_of": [{"text": "never"}, {"selector": "p["}]}, "any_of[1].selector"),
    ({"any_of": [{"text": "a"}] * 21}, "any_of"),
]


def test_wait_rejects_invalid_conditions_and_identifies_the_field(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<p>here</p>"))
    for given, field in BAD:
        with pytest.raises(InvalidArgument) as refused:
            browser.wait(**given, timeout_ms=5_000)
        assert refused.value.data["field"] == field, given
    with pytest.raises(UnknownRef):
        browser.wait(ref="e9999")
    with pytest.raises(FrameNotFound):
        browser.wait(script="1", frame_id="none", timeout_ms=60_000)
    with pytest.raises(TabwardenError, match="no element"):
        browser.wait(ref="css=.none", state="enabled", timeout_ms=5_000)
    browser.wait(text="here")

"""Evaluate: values, errors, deadlines, frames."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import Any

import pytest
from support.pace import allow, in_time, long_before
from support.reading import ref_of
from support.site import Site
from support.telling import TELL, tell_when_begun

import tabwarden
from tabwarden.actions.result_text import result_words
from tabwarden.config import BrowserConfig
from tabwarden.errors import (
    BudgetExceeded,
    Disabled,
    FrameNotFound,
    InvalidArgument,
    JsError,
    StaleRef,
)
from tabwarden.sync import Browser


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("1 + 1", 2),
        ("'a' + 'b'", "ab"),
        ("null", None),
        ("undefined", None),
        ("({a: [1, {b: true}]})", {"a": [1, {"b": True}]}),
        ("[1, , 3]", [1, {"$type": "undefined", "value": None}, 3]),
        ("NaN", {"$type": "number", "value": "NaN"}),
        ("-0", {"$type": "number", "value": "-0"}),
        ("[NaN, Infinity]", [{"$type": "number", "value": n} for n in ("NaN", "Infinity")]),
        ("10n ** 20n", {"$type": "bigint", "value": "100000000000000000000"}),
        ("new Date(0)", {"$type": "date", "value": "1970-01-01T00:00:00.000Z"}),
        ("new Map([['k', 1]])", {"$type": "map", "value": [["k", 1]]}),
        ("new Set([1, 2])", {"$type": "set", "value": [1, 2]}),
        ("/x/g", {"$type": "regexp", "value": "/x/g"}),
        ("const o = {}; o.me = o; return o", {"me": {"$type": "circular", "value": None}}),
        ("document.createElement('b')", {"$type": "b", "value": "<b></b>"}),
        ("await Promise.resolve(7)", 7),
        ("new Promise((r) => setTimeout(() => r('later'), 10))", "later"),
        ("const x = 5; x * 3", 15),
        ("const y = 5; return y * 3", 15),
        ("() => 4", 4),
        ("async () => 5", 5),
        ("async() => 5", 5),
        ("function () { return 6 }", 6),
        ("'\\ud800'", "\ufffd"),
        ('"quotes \' and `ticks`" // with a comment', "quotes ' and `ticks`"),
    ],
)
def test_evaluate_returns_values_as_json(browser: Browser, script: str, value: Any) -> None:
    assert browser.evaluate(script).value == value


@pytest.mark.parametrize(
    ("script", "undefined"),
    [("undefined", True), ("() => { 1 }", True), ("let x = 1", True), ("null", False)],
)
def test_evaluate_reports_that_a_script_returned_undefined(
    browser: Browser, script: str, undefined: bool
) -> None:
    done = browser.evaluate(script)
    assert done.value is None
    assert done.note == ("the script returned undefined" if undefined else "")
    lines = result_words(done).splitlines()
    assert ("value: null" in lines) is not undefined
    assert ("the script returned undefined" in lines) is undefined


def test_evaluate_passes_arguments_to_a_function(browser: Browser) -> None:
    script = "(a, b, c) => [a, b, c]"
    assert browser.evaluate(script, args=[1, {"x": [2]}, None]).value == [1, {"x": [2]}, None]


@pytest.mark.parametrize("argument", [object(), float("nan")])
def test_evaluate_rejects_arguments_that_are_not_json(argument: Any, browser: Browser) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.evaluate("(a) => a", args=[argument])
    assert caught.value.data["field"] == "args"


def test_evaluate_raises_js_error_with_message_and_stack(browser: Browser) -> None:
    with pytest.raises(JsError) as caught:
        browser.evaluate("(() => { throw new TypeError('no such thing') })()")
    assert "TypeError: no such thing" in caught.value.message
    assert "TypeError" in caught.value.data["stack"]


@pytest.mark.parametrize("script", ["this is no script", "JSON.parse('{')", "throw 'a string'"])
def test_evaluate_raises_js_error_for_a_failing_script(browser: Browser, script: str) -> None:
    with pytest.raises(JsError):
        browser.evaluate(script)


@pytest.mark.threat
def test_evaluate_truncates_a_huge_string_and_says_so(browser: Browser) -> None:
    done = browser.evaluate("'x'.repeat(50_000_000)")
    assert len(done.value) < 5_000_000
    assert "50000000" in done.note


@pytest.mark.threat
def test_evaluate_truncates_a_huge_array_and_says_so(browser: Browser) -> None:
    done = browser.evaluate("Array.from({length: 1000000}, (_, i) => 'item ' + i)")
    assert len(done.value) < 1_000_000
    assert "cut" in done.note


@pytest.mark.parametrize(
    "script",
    [
        "while (true) {}",
        "(() => { while (true) { try { while (true) {} } catch {} } })()",
        "Promise.resolve().then(function again() { return Promise.resolve().then(again) })",
        "({get x() { while (true) {} }})",
        "/(a+)+$/.test('a'.repeat(40) + 'b')",
        "setTimeout(() => { while (true) {} }, 0); await new Promise(() => {})",
    ],
    ids=["loop", "try-catch", "microtasks", "getter", "regexp", "timer"],
)
def test_evaluate_stops_an_endless_script_and_the_tab_works_again(
    browser: Browser, script: str
) -> None:
    before = browser.metrics()["terminations"]
    with in_time(0.4), pytest.raises(BudgetExceeded) as caught:
        browser.evaluate(script, timeout_ms=400)
    assert stopped_or_not_over_yet(caught.value)
    assert browser.evaluate("1 + 1", timeout_ms=allow(5_000)).value == 2
    assert browser.metrics()["terminations"] > before


def stopped_or_not_over_yet(error: BudgetExceeded) -> bool:
    """On a busy machine a call returns in time before its script is known to have stopped."""
    return (
        error.data["state"] == "recovering" or "Runtime.terminateExecution" in error.data["steps"]
    )


def test_evaluate_of_a_promise_that_never_settles_leaves_the_page_usable() -> None:
    patient = BrowserConfig(hang_patience=20)  # a busy machine must not look like a hang
    with Browser.launch(config=patient) as browser:
        browser.evaluate("globalThis.ticks = 0; setInterval(() => { globalThis.ticks++ }, 1); 0")
        with pytest.raises(BudgetExceeded) as caught:
            browser.evaluate("new Promise(() => {})", timeout_ms=200)
        assert caught.value.data["state"] == "idle"
        assert browser.evaluate("new Promise((r) => setTimeout(() => r(ticks > 0), 20))").value


def test_evaluate_recovers_from_native_code_that_cannot_be_stopped(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/sort", "<h1>Sorter</h1>"))
    before = browser.metrics()["terminations"]
    with pytest.raises(BudgetExceeded) as caught:
        browser.evaluate(
            "Float64Array.from({length: 6e7}, Math.random).sort((a, b) => 0) && "
            "Array.from({length: 3e7}, Math.random).sort()",
            timeout_ms=300,
        )
    assert stopped_or_not_over_yet(caught.value)
    assert browser.evaluate("document.querySelector('h1').textContent").value == "Sorter"
    assert browser.metrics()["terminations"] > before


@pytest.mark.long
def test_pending_evaluate_does_not_block_other_calls(browser: Browser) -> None:
    async def both() -> float:
        async with await tabwarden.Browser.launch() as own:
            slow = asyncio.create_task(
                own.evaluate("new Promise((r) => setTimeout(r, 60000))", timeout_ms=60_000)
            )
            assert (await own.evaluate("1 + 1", timeout_ms=allow(5_000))).value == 2
            slow.cancel()
            with pytest.raises(asyncio.CancelledError):
                await slow
            return (await own.evaluate("3", timeout_ms=allow(5_000))).value

    assert asyncio.run(both()) == 3


def test_canceling_the_caller_stops_the_script_in_the_page() -> None:
    async def cancelled() -> int:
        async with await tabwarden.Browser.launch() as own:
            hung = asyncio.create_task(own.evaluate("while (true) {}", timeout_ms=60_000))
            await asyncio.wait({hung}, timeout=0.3)
            hung.cancel()
            with pytest.raises(asyncio.CancelledError):
                await hung
            return (await own.evaluate("1 + 1", timeout_ms=allow(5_000))).value

    assert asyncio.run(cancelled()) == 2


def test_evaluate_passes_the_element_of_a_ref_to_the_function(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<script>window.mark = 'main'</script><button>Buy</button>"))
    ref = ref_of(browser.snapshot(), '"Buy"')
    got = browser.evaluate("(el, more) => [el.textContent, more, window.mark]", ref, args=["x"])
    assert got.value == ["Buy", "x", "main"]


def test_evaluate_runs_in_same_process_and_out_of_process_frames(
    browser: Browser, site: Site
) -> None:
    site.page("/inner", "<script>window.secret = location.host</script>inner")
    page = f'<iframe src="/inner"></iframe><iframe src="{site.there}/inner"></iframe>'
    browser.goto(site.page("/", page))
    frames = browser.state.frame_tree.children
    assert [frame.is_oopif for frame in frames] == [False, True]
    for frame in frames:
        got = browser.evaluate("window.secret", frame_id=frame.frame_id)
        assert got.value == frame.url.split("/")[2]
    with pytest.raises(FrameNotFound):
        browser.evaluate("1", frame_id="nope")


def test_configuration_can_disable_evaluate() -> None:
    config = tabwarden.BrowserConfig(evaluate_enabled=False)
    with Browser.launch(config=config) as own:
        with pytest.raises(Disabled):
            own.evaluate("1")
        with pytest.raises(Disabled):
            own.cdp("Runtime.evaluate", {"expression": "1"})


@pytest.mark.parametrize("timeout_ms", [0, -1, float("nan"), float("inf"), "soon", True])
def test_evaluate_rejects_an_invalid_timeout(browser: Browser, timeout_ms: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.evaluate("1", timeout_ms=timeout_ms)
    assert caught.value.data["field"] == "timeout_ms"


def test_evaluate_awaits_a_promise_at_the_end_of_statements(browser: Browser) -> None:
    assert browser.evaluate("const x = 1; Promise.resolve({x})").value == {"x": 1}


def test_evaluate_in_the_isolated_world_does_not_see_page_globals(
    browser: Browser, site: Site
) -> None:
    page = "<script>window.mark = 1; document.title = 'T'; Array.prototype.map = null</script>"
    browser.goto(site.page("/", page))
    script = "[document.title, typeof window.mark, typeof [].map]"
    assert browser.evaluate(script).value == ["T", "number", "object"]
    assert browser.evaluate(script, world="isolated").value == ["T", "undefined", "function"]
    browser.evaluate("window.kept = 5", world="isolated")
    assert browser.evaluate("window.kept", world="isolated").value == 5
    assert browser.evaluate("window.kept").value is None


@pytest.mark.parametrize("world", ["main", "isolated"])
def test_evaluate_accepts_a_backend_node_id_in_any_frame(
    world: Any, browser: Browser, site: Site
) -> None:
    site.page("/inner", "<button id=deep>Deep</button>")
    browser.goto(site.page("/", f'<p id=top>Top</p><iframe src="{site.there}/inner"></iframe>'))
    (frame,) = browser.state.frame_tree.children

    def node(frame_id: str | None, selector: str) -> int:
        root = browser.cdp("DOM.getDocument", {"depth": -1}, frame_id=frame_id).value["root"]
        asked = {"nodeId": root["nodeId"], "selector": selector}
        found = browser.cdp("DOM.querySelector", asked, frame_id=frame_id).value["nodeId"]
        told = browser.cdp("DOM.describeNode", {"nodeId": found}, frame_id=frame_id).value
        return int(told["node"]["backendNodeId"])

    text = "(el, more) => el.textContent + more"
    top, deep = node(None, "#top"), node(frame.frame_id, "#deep")
    got = browser.evaluate(text, backend_node_id=top, args=["!"], world=world)
    assert got.value == "Top!"
    got = browser.evaluate(
        text, backend_node_id=deep, frame_id=frame.frame_id, args=["?"], world=world
    )
    assert got.value == "Deep?"
    with pytest.raises(InvalidArgument) as caught:
        browser.evaluate(text, backend_node_id=999_999)
    assert caught.value.data["field"] == "backend_node_id"


def test_evaluate_rejects_a_removed_element_that_a_script_still_references(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button>Buy</button>"))
    ref = ref_of(browser.snapshot(), '"Buy"')
    assert browser.evaluate("(el) => (window.held = el).textContent", ref).value == "Buy"
    assert browser.evaluate("(el) => el === window.held", ref).value is True
    browser.evaluate("held.remove()")
    with pytest.raises(StaleRef):
        browser.evaluate("(el) => el.textContent", ref)


def test_evaluate_recreates_handles_that_were_released(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button>Buy</button>"))
    ref = ref_of(browser.snapshot(), '"Buy"')
    for _ in range(2):
        assert browser.evaluate("(el) => ({text: el.textContent})", ref).value == {"text": "Buy"}
        browser.cdp("Runtime.disable")
        browser.cdp("Runtime.enable")


@pytest.mark.parametrize("leave", ["location.href = '/next'", "location.reload()"])
def test_navigation_interrupts_evaluate(leave: str, browser: Browser, site: Site) -> None:
    site.page("/next", "next")
    browser.goto(site.page("/", "here"))
    with long_before(20):
        done = browser.evaluate(f"{leave}; new Promise(() => {{}})", timeout_ms=20_000)
    assert done.interrupted
    assert done.by is not None
    assert done.by["kind"] == "navigation"
    assert "snapshot" in done.next


@pytest.mark.long
def test_second_evaluate_reports_the_busy_script_that_it_waited_for(
    site: Site,
) -> None:
    begun = threading.Event()
    tell_when_begun(site, begun.set)
    busy = f"{TELL} for (const end = Date.now() + 4000; Date.now() < end;); 7"

    async def both() -> tuple[str, str, int]:
        async with await tabwarden.Browser.launch() as own:
            await own.goto(site.page("/", "calm"))
            elder = asyncio.create_task(own.evaluate(busy))
            assert await asyncio.to_thread(begun.wait, 60)
            assert (await own.snapshot(timeout_ms=300)).stale
            states = []
            while "busy" not in states and not elder.done():  # if one check took too long: another
                with pytest.raises(BudgetExceeded) as caught:
                    await own.evaluate("1", timeout_ms=300)
                states.append(caught.value.data["state"])
            assert "was waiting for it" in caught.value.hint
            return states[-1], (await elder).status, (await elder).value

    assert asyncio.run(both()) == ("busy", "ok", 7)


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("null.x", 1),
        ("\n\nnull.x", 3),
        ("() => {\n  null.x\n}", 2),
        ("throw new Error('x')", 1),
        ("let x = 1;\nthrow new Error('b')", 2),
        ("let x = 1;\nnull.x; return x", 2),
        ("1 +", 1),
        ("\n\n(", 3),
        ("async () => { await 1; throw 7 }", None),  # a promise's, without a stack
    ],
)
def test_error_in_a_script_contains_its_line_in_the_script(
    script: str, line: int | None, browser: Browser
) -> None:
    with pytest.raises(JsError) as caught:
        browser.evaluate(script)
    assert caught.value.data["line"] == line


def test_error_in_page_code_contains_its_line_in_the_page(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "\n<script>\nfunction fails() {\nnull.x }\n</script>"))
    with pytest.raises(JsError) as caught:
        browser.evaluate("fails()")
    at = re.search(r"at fails \(\S+:(\d+):\d+\)", caught.value.data["stack"])
    assert at is not None
    assert caught.value.data["line"] == int(at[1])


@pytest.mark.parametrize(
    "script", ["value", "typeof arguments", "this === window", "serialize", "element", "args"]
)
def test_scripts_cannot_see_evaluates_internal_names(script: str, browser: Browser) -> None:
    browser.evaluate("Object.assign(window, {value: 1, serialize: 2, element: 3, args: 4}); 0")
    expected = {"typeof arguments": "object", "this === window": True}
    known = {"value": 1, "serialize": 2, "element": 3, "args": 4, **expected}
    assert browser.evaluate(script).value == known[script]


@pytest.mark.parametrize(
    ("script", "args", "field", "words"),
    [
        (5, (), "script", "script must be a valid string, not 5"),
        (None, (), "script", "script must be a valid string, not None"),
        ("  ", (), "script", "script is empty"),
        ("1", "ab", "args", "args must be a list"),
        ("1", {"a": 1}, "args", "args must be a list"),
        ("1", 3, "args", "args must be a list"),
        ("1", None, "args", "args must be a list"),
    ],
)
def test_evaluate_rejects_an_invalid_script_or_args(
    script: Any, args: Any, field: str, words: str, browser: Browser
) -> None:
    browser.evaluate("1")
    for _ in range(2):
        with pytest.raises(InvalidArgument, match=words) as caught:
            browser.evaluate(script, args=args)
        assert caught.value.data["field"] == field


ACTIVE = "navigator.userActivation.hasBeenActive"


@pytest.mark.parametrize(
    ("script", "args"),
    [
        (ACTIVE, ()),
        (f"() => {ACTIVE}", ()),
        (f"(x) => {ACTIVE}", (1,)),
        (f"const active = {ACTIVE}; active", ()),
        (f"const active = {ACTIVE}; return active", ()),
        (f"const active = {ACTIVE}; return active", (1,)),
    ],
)
def test_user_gesture_option_decides_whether_a_script_counts_as_a_user_gesture(
    script: str, args: tuple[Any, ...], browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "page"))
    assert browser.evaluate(script, args=args, user_gesture=False).value is False
    assert browser.evaluate(script, args=args).value is True


@pytest.mark.parametrize("user_gesture", [None, 1, "false"])
def test_evaluate_rejects_a_user_gesture_that_is_not_a_boolean(
    user_gesture: Any, browser: Browser
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.evaluate("1", user_gesture=user_gesture)
    assert caught.value.data["field"] == "user_gesture"

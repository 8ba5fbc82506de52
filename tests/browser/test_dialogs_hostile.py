# ruff: noqa: E501 - pages, one element after the other
"""Pages that flood, fake, hide or garble dialogs: they fool themselves at most, and nothing hangs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.supervisor.state import PendingDialog
from tabwarden.sync import Browser

CALL_MS = 2_000
"""Longest that any single call may take."""


@pytest.fixture(scope="module", params=["auto", "debugger", "xhr"])
def bridged(request: pytest.FixtureRequest) -> Iterator[Browser]:
    config = BrowserConfig(dialog_bridge=request.param, default_timeout_ms=CALL_MS)
    with Browser.launch(config=config) as browser:
        yield browser


@pytest.fixture
def browser(bridged: Browser) -> Browser:
    before = bridged.state
    bridged.tabs("open")
    for tab in before.tabs:
        bridged.tabs("close", tab_id=tab.tab_id)
    assert bridged.state.pending_dialogs == ()
    return bridged


def until(browser: Browser, condition: Callable[[], Any], within_s: float = 5) -> Any:
    """What ``condition`` gives, once it gives something."""
    end = time.monotonic() + within_s
    while not (found := condition()):
        assert time.monotonic() < end, browser.state
    return found


def one_dialog(browser: Browser) -> PendingDialog:
    until(browser, lambda: browser.state.pending_dialogs)
    (dialog,) = browser.state.pending_dialogs
    return dialog


def still_works(browser: Browser, site: Site) -> None:
    """The tab goes elsewhere, and asks and is answered there."""
    assert browser.state.pending_dialogs == ()
    browser.goto(site.page("/works", "<h1>Works</h1>"))
    browser.evaluate("setTimeout(() => { window.got = prompt('Works?') }); 0")
    one_dialog(browser)
    browser.dialog("accept", prompt_text="yes")
    assert browser.evaluate("got").value == "yes"


def is_told(browser: Browser, expression: str, **where: Any) -> Any:
    """An expression's value once it is not undefined: pages say what they got."""
    return until(browser, lambda: browser.evaluate(f"{expression} ?? null", **where).value)


def seen(browser: Browser, since: int) -> list[str]:
    """The messages of all dialogs since one of this number, in order."""
    state = browser.state
    told = [*state.recent_dialogs, *state.pending_dialogs]
    return [d.message for d in told if int(d.id[2:]) > since]


def last_number(browser: Browser) -> int:
    state = browser.state
    return max((int(d.id[2:]) for d in (*state.recent_dialogs, *state.pending_dialogs)), default=0)


def with_headers(body: str, kind: str = "text/html", **headers: str) -> Callable[..., None]:
    """A page with response headers of its own."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        content = body.encode()
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


# -- what a page may break before it asks --------------------------------------------------------

BREAKS = {
    "nothing": "",
    "alert-confirm-prompt": "window.alert = window.confirm = window.prompt = () => 'mine';",
    "locked-away": "for (const n of ['alert', 'confirm', 'prompt']) Object.defineProperty(window, n, { get: () => () => 'mine', set() {}, configurable: true });",
    "XMLHttpRequest": "window.XMLHttpRequest = function () { throw 1 };",
    "its-prototype": "for (const n of Object.getOwnPropertyNames(XMLHttpRequest.prototype)) try { Object.defineProperty(XMLHttpRequest.prototype, n, { get: () => () => 'fooled', set() {}, configurable: true }) } catch {}",
    "its-events": "EventTarget.prototype.addEventListener = EventTarget.prototype.dispatchEvent = () => { throw 1 };",
    "Proxy-Reflect": "window.Proxy = null; Reflect.apply = Reflect.construct = () => 'fooled'; window.Reflect = null;",
    "JSON": "JSON.parse = () => ({ accept: true, text: 'fooled' }); JSON.stringify = () => 'fooled'; window.JSON = null;",
    "toJSON": "Object.prototype.toJSON = String.prototype.toJSON = () => 'fooled';",
    "Object.prototype-getters": "for (const n of ['native', 'accept', 'text', 'key', 'url', 'type', 'message', 'initial']) Object.defineProperty(Object.prototype, n, { get: () => 'fooled', set() {}, configurable: true });",
    "Object.prototype-values": "for (const n of ['native', 'accept', 'text', 'key']) Object.prototype[n] = true;",
    "Object-functions": "for (const n of Object.getOwnPropertyNames(Object)) if (typeof Object[n] === 'function') try { Object[n] = () => 'fooled' } catch {}",
    "Function.prototype": "Function.prototype.toString = Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 'fooled';",
    "String.prototype": "for (const n of Object.getOwnPropertyNames(String.prototype)) if (n !== 'constructor') try { String.prototype[n] = () => 'fooled' } catch {}; String.prototype[Symbol.iterator] = () => { throw 1 };",
    "Array.prototype": "for (const n of Object.getOwnPropertyNames(Array.prototype)) if (n !== 'constructor') try { Array.prototype[n] = () => 'fooled' } catch {}; Array.prototype[Symbol.iterator] = () => { throw 1 };",
    "Array-holes": "for (const n of [0, 1, 2, 3]) Object.defineProperty(Array.prototype, n, { get: () => 'fooled', set() {}, configurable: true });",
    "Symbol": "Object.defineProperty(Object.prototype, Symbol.toPrimitive, { value: () => 'fooled', configurable: true, writable: true });",
    "location": "Object.defineProperty(Element.prototype, 'getAttribute', { value: () => 'sandbox', configurable: true }); window.origin = 'null'; window.name = 'x';",
    "event": "window.event = { type: 'pagehide' }; Object.defineProperty(Event.prototype, 'type', { get: () => 'pagehide' });",
    "Error": "Error.prepareStackTrace = () => { throw 1 }; Error.stackTraceLimit = 0; window.Error = null;",
}


@pytest.mark.parametrize("name", BREAKS)
def test_what_a_page_breaks_does_not_reach_its_dialogs(
    name: str, browser: Browser, site: Site
) -> None:
    script = f"const ask = prompt; {BREAKS[name]} setTimeout(() => {{ window.got = [ask('Really?', 'was')][0] }}, 30)"
    before = last_number(browser)
    browser.goto(site.page("/", f"<script>{script}</script>"))
    dialog = one_dialog(browser)
    assert (dialog.type, dialog.message, dialog.default_prompt) == ("prompt", "Really?", "was")
    browser.dialog("accept", prompt_text="told")
    assert is_told(browser, "window.got") == "told"
    assert seen(browser, before) == ["Really?"]
    still_works(browser, site)


# -- whose function, converted how ----------------------------------------------------------------

FRAME = "const f = document.body.appendChild(document.createElement('iframe'));"
CALLS = {
    # expression: messages that the agent sees, and what the page got when all are accepted
    "about:blank": (
        f"(() => {{ {FRAME} return f.contentWindow.confirm('blank') }})()",
        ["blank"],
        "true",
    ),
    "srcdoc": (
        "new Promise((done) => { const f = document.createElement('iframe'); f.srcdoc = 'x'; f.onload = () => done(f.contentWindow.confirm('srcdoc')); document.body.append(f) })",
        ["srcdoc"],
        "true",
    ),
    "borrowed": (
        f"(() => {{ {FRAME} return f.contentWindow.confirm.call(window, 'borrowed') }})()",
        ["borrowed"],
        "true",
    ),
    "applied-elsewhere": (
        f"(() => {{ {FRAME} return confirm.call(f.contentWindow, 'elsewhere') }})()",
        ["elsewhere"],
        "true",
    ),
    "removed-after": (
        f"(() => {{ {FRAME} const c = f.contentWindow.confirm; f.remove(); return c('gone') }})()",
        [],
        "false",
    ),
    "removed-while-converting": (
        f"(() => {{ {FRAME} const c = f.contentWindow.confirm; return c({{ toString() {{ f.remove(); return 'gone' }} }}) }})()",
        [],
        "false",
    ),
    "throws": (
        "(() => { try { return alert({ toString() { throw 'no' } }) } catch (e) { return e } })()",
        [],
        "no",
    ),
    "throws-in-default": (
        "(() => { try { return prompt('', { toString() { throw 'no' } }) } catch (e) { return e } })()",
        [],
        "no",
    ),
    "asks-while-converting": (
        "confirm({ toString() { return confirm('inner') ? 'outer' : 'refused' } })",
        ["inner", "outer"],
        "true",
    ),
    "symbol": (
        "(() => { try { return alert(Symbol()) } catch (e) { return e.name } })()",
        [],
        "TypeError",
    ),
    "new": (
        "(() => { try { return new confirm() } catch (e) { return e.name } })()",
        [],
        "TypeError",
    ),
    "foreign": (
        "(() => { try { return confirm.call({}) } catch (e) { return e.name } })()",
        [],
        "TypeError",
    ),
    "long": ("confirm('x'.repeat(9_000)) && 'long'", ["x" * 9_000], "long"),
    "lone-surrogate": ("confirm('a\\ud83d') && 'sent'", ["a\ufffd"], "sent"),
    "separators": (
        "confirm('a\\u2028\\u0000\\u202e</script>') && 'sent'",
        ["a\u2028\x00\u202e</script>"],
        "sent",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_page_gets_what_the_agent_or_the_native_function_says(
    name: str, browser: Browser, site: Site
) -> None:
    expression, messages, got = CALLS[name]
    before = last_number(browser)
    browser.goto(site.page("/", "x"))
    browser.evaluate(f"setTimeout(async () => {{ window.got = String(await ({expression})) }}); 0")
    for message in messages:
        assert one_dialog(browser).message == message
        browser.dialog("accept")
    assert is_told(browser, "window.got") == got
    assert seen(browser, before) == messages
    still_works(browser, site)


def test_a_popup_that_has_no_document_yet_asks_too(browser: Browser, site: Site) -> None:
    before = last_number(browser)
    browser.goto(site.page("/", "x"))
    opener = browser.state.active_tab_id
    browser.evaluate(
        "setTimeout(() => { window.got = String(window.open('').confirm('popup')) }); 0"
    )
    # Its first requests go out as its opener's: which of the two tabs is told may be either.
    assert one_dialog(browser).message == "popup"
    browser.dialog("accept")
    assert is_told(browser, "window.got", tab_id=opener) == "true"
    assert seen(browser, before) == ["popup"]
    browser.tabs("switch", tab_id=opener)
    still_works(browser, site)

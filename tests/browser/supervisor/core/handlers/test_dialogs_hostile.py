# ruff: noqa: E501 - pages, one element after the other
"""Pages that flood, forge, hide or garble dialogs affect only themselves, and nothing hangs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from support.eventually import eventually
from support.pace import allow
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import DialogPending
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.sync import Browser

CALL_MS = 2_000
"""The longest that a single call may take."""


CHANNELS = {"auto": ("debugger", "xhr"), "debugger": ("debugger",), "xhr": ("xhr",)}


@pytest.fixture(scope="module", params=["auto", "debugger", "xhr"])
def mode(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="module")
def bridged(mode: Any) -> Iterator[Browser]:
    config = BrowserConfig(dialog_bridge=mode, default_timeout_ms=CALL_MS)
    with Browser.launch(config=config, timeout_ms=30_000) as browser:
        yield browser


@pytest.fixture
def browser(bridged: Browser) -> Browser:
    before = bridged.state
    bridged.tabs("open")
    for tab in before.tabs:
        bridged.tabs("close", tab_id=tab.tab_id)
    assert bridged.state.pending_dialogs == ()
    return bridged


def one_dialog(browser: Browser) -> PendingDialog:
    eventually(lambda: browser.state.pending_dialogs)
    (dialog,) = browser.state.pending_dialogs
    return dialog


def still_works(browser: Browser, site: Site) -> None:
    """The tab navigates, and a dialog on the new page can be answered."""
    assert browser.state.pending_dialogs == ()
    browser.goto(site.page("/works", "<h1>Works</h1>"))
    browser.evaluate("setTimeout(() => { window.got = prompt('Works?') }); 0")
    one_dialog(browser)
    browser.dialog("accept", prompt_text="yes")
    assert browser.evaluate("got").value == "yes"


def is_told(browser: Browser, expression: str, **where: Any) -> Any:
    """An expression's value once it is defined: pages store their dialog results."""
    return eventually(lambda: browser.evaluate(f"({expression}) ?? null", **where).value)


def seen(browser: Browser, since: int) -> list[str]:
    """The messages of all dialogs from this number on, in order."""
    state = browser.state
    told = [*state.recent_dialogs, *state.pending_dialogs]
    return [d.message for d in told if int(d.id[2:]) > since]


def last_number(browser: Browser) -> int:
    state = browser.state
    return max((int(d.id[2:]) for d in (*state.recent_dialogs, *state.pending_dialogs)), default=0)


def with_headers(body: str, kind: str = "text/html", **headers: str) -> Callable[..., None]:
    """A page with its own response headers."""

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


# -- builtins that a page may overwrite before a dialog ------------------------------------------

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
def test_dialogs_work_on_a_page_with_overwritten_builtins(
    name: str, mode: str, browser: Browser, site: Site
) -> None:
    script = f"const ask = prompt; {BREAKS[name]} setTimeout(() => {{ window.got = [ask('Really?', 'was')][0] }}, 30)"
    before = last_number(browser)
    browser.goto(site.page("/", f"<script>{script}</script>"))
    dialog = one_dialog(browser)
    assert (dialog.type, dialog.message, dialog.default_prompt) == ("prompt", "Really?", "was")
    assert dialog.channel in CHANNELS[mode]
    browser.dialog("accept", prompt_text="told")
    assert is_told(browser, "window.got") == "told"
    assert seen(browser, before) == ["Really?"]
    still_works(browser, site)


# -- dialog functions and the conversion of their arguments ---------------------------------------

FRAME = "const f = document.body.appendChild(document.createElement('iframe'));"
CALLS = {
    # expression: the messages that the agent sees, and the page's results when all are accepted
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


NATIVE = ("applied-elsewhere", "borrowed")
"""With another window as receiver, only the browser knows which window opened the dialog."""


@pytest.mark.parametrize("name", CALLS)
def test_unusual_dialog_function_call_returns_the_agents_answer_or_the_native_result(
    name: str, mode: str, browser: Browser, site: Site
) -> None:
    expression, messages, got = CALLS[name]
    before = last_number(browser)
    browser.goto(site.page("/", "x"))
    browser.evaluate(f"setTimeout(async () => {{ window.got = String(await ({expression})) }}); 0")
    for message in messages:
        dialog = one_dialog(browser)
        assert dialog.message == message
        assert dialog.channel in (("native",) if name in NATIVE else CHANNELS[mode])
        browser.dialog("accept")
    assert is_told(browser, "window.got") == got
    assert seen(browser, before) == messages
    still_works(browser, site)


@pytest.mark.long
def test_agent_answers_a_dialog_in_a_popup_without_a_document(browser: Browser, site: Site) -> None:
    before = last_number(browser)
    browser.goto(site.page("/", "x"))
    opener = browser.state.active_tab_id
    browser.evaluate(
        "setTimeout(() => { window.got = String(window.open('').confirm('popup')) }); 0"
    )
    # Its first requests are sent as its opener's, so either of the two tabs may be reported.
    assert one_dialog(browser).message == "popup"
    browser.dialog("accept")
    assert is_told(browser, "window.got", tab_id=opener) == "true"
    assert seen(browser, before) == ["popup"]
    browser.tabs("switch", tab_id=opener)
    still_works(browser, site)


# -- documents without dialogs, and documents without a URL of their own ---------------------------

ASKS = "<script>setTimeout(() => parent.postMessage(String(confirm('Really?')), '*'), 30)</script>"
TELLS = "<script>addEventListener('message', (event) => { window.got = event.data })</script>"
SANDBOXES = [
    # the attribute, and whether dialogs open
    ("allow-scripts", False),
    ("allow-scripts allow-modals", True),
    ("allow-scripts allow-same-origin", False),
    ("allow-scripts allow-same-origin ALLOW-MODALS", True),
    ("allow-scripts\tallow-modals", True),
]


def asks_or_is_refused(browser: Browser, site: Site, url: str, *, asks: bool) -> None:
    """The agent's answer if the browser would open the dialog; otherwise a silent dismissal."""
    before = last_number(browser)
    browser.goto(url)
    if asks:
        assert one_dialog(browser).message == "Really?"
        browser.dialog("accept")
    assert is_told(browser, "window.got") == ("true" if asks else "false")
    assert seen(browser, before) == ["Really?"] * asks
    still_works(browser, site)


@pytest.mark.parametrize(("words", "asks"), SANDBOXES)
@pytest.mark.parametrize("source", ["here", "there", "srcdoc", "data"])
def test_iframe_sandbox_decides_whether_a_dialog_opens(
    source: str, words: str, asks: bool, browser: Browser, site: Site
) -> None:
    site.page("/in", ASKS)
    attribute = {
        "here": f'src="{site.here}/in"',
        "there": f'src="{site.there}/in"',
        "srcdoc": f'srcdoc="{ASKS}"',
        "data": f'src="data:text/html,{ASKS}"',
    }[source]
    page = site.page("/", f'{TELLS}<iframe sandbox="{words}" {attribute}></iframe>')
    asks_or_is_refused(browser, site, page, asks=asks)


@pytest.mark.parametrize(("words", "asks"), [s for s in SANDBOXES if s[1] or "same-" not in s[0]])
@pytest.mark.parametrize("framed", [False, True], ids=["top", "framed"])
def test_csp_sandbox_decides_whether_a_dialog_opens(
    framed: bool, words: str, asks: bool, browser: Browser, site: Site
) -> None:
    """Not here: ``allow-same-origin`` without ``allow-modals``, which cannot be detected."""
    body = ASKS if framed else TELLS + ASKS
    site.pages["/in"] = with_headers(body, Content_Security_Policy=f"sandbox {words}")
    page = site.page("/", f"{TELLS}<iframe src=/in></iframe>")
    asks_or_is_refused(browser, site, page if framed else f"{site.here}/in", asks=asks)


def test_sandbox_of_an_outer_frame_blocks_dialogs_of_inner_frames(
    browser: Browser, site: Site
) -> None:
    site.page("/in", ASKS.replace("parent", "top"))
    site.page("/around", "<iframe src=/in sandbox='allow-scripts allow-modals'></iframe>")
    page = site.page("/", f"{TELLS}<iframe src=/around sandbox='allow-scripts'></iframe>")
    asks_or_is_refused(browser, site, page, asks=False)


ESCAPED = ASKS.replace("/", "\\/").replace('"', '\\"')
WITHOUT_ADDRESS = {
    "srcdoc": f'<iframe srcdoc="{ASKS}"></iframe>',
    "data": f'<iframe src="data:text/html,{ASKS}"></iframe>',
    "blob": f"<script>const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob([\"{ESCAPED}\"], {{ type: 'text/html' }})); document.body.append(f)</script>",
    "written": f'<script>onload = () => {{ document.open(); document.write("{ESCAPED.replace("<script>", "<script>addEventListener(`message`, (e) => {{ window.got = e.data }});")}"); document.close() }}</script>',
    "frame-written": f'<iframe></iframe><script>const d = document.querySelector("iframe").contentDocument; d.open(); d.write("{ESCAPED}"); d.close()</script>',
    "javascript": '<iframe src="javascript:setTimeout(() => parent.postMessage(String(confirm(`Really?`)), `*`), 30), 0"></iframe>',
}


@pytest.mark.parametrize("name", WITHOUT_ADDRESS)
def test_srcdoc_data_blob_and_written_documents_can_open_dialogs(
    name: str, browser: Browser, site: Site
) -> None:
    page = site.page("/", TELLS + WITHOUT_ADDRESS[name])
    asks_or_is_refused(browser, site, page, asks=True)


# -- unloading -------------------------------------------------------------------------------------

CALL = "localStorage.got = String(confirm('Leaving?'))"
LEAVING = {
    "beforeunload": f"addEventListener('beforeunload', () => {{ {CALL} }})",
    "pagehide": f"addEventListener('pagehide', () => {{ {CALL} }})",
    "unload": f"addEventListener('unload', () => {{ {CALL} }})",
    "visibilitychange": f"document.addEventListener('visibilitychange', () => {{ {CALL} }})",
    "microtask": f"addEventListener('pagehide', () => Promise.resolve().then(() => {{ {CALL} }}))",
    "other-event": f"addEventListener('pagehide', () => {{ const t = new EventTarget(); t.addEventListener('x', () => {{ {CALL} }}); t.dispatchEvent(new Event('x')) }})",
    "borrowed": "const f = document.body.appendChild(document.createElement('iframe')); addEventListener('pagehide', () => { localStorage.got = String(f.contentWindow.confirm('Leaving?')) })",
}


SHOWN_BY_SOME = {"visibilitychange", "microtask", "other-event"}
"""No script can detect that these documents are unloading; Chromium 156 allows the dialog."""


@pytest.mark.parametrize("name", LEAVING)
def test_dialog_during_unload_is_suppressed_and_the_navigation_succeeds(
    name: str, browser: Browser, site: Site
) -> None:
    before = last_number(browser)
    browser.goto(site.page("/", f"<script>{LEAVING[name]}</script>"))
    browser.evaluate("localStorage.got = 'nothing'")
    left = browser.goto(site.page("/next", "next"))
    if left.status == "interrupted" and name in SHOWN_BY_SOME:
        browser.dialog("dismiss")
        browser.wait(text="next")
    else:
        assert left.status == "ok"
    assert browser.evaluate("localStorage.got").value == "false"
    assert seen(browser, before) == [] or name in SHOWN_BY_SOME
    assert {d.closed_by for d in browser.state.recent_dialogs[-1:]} <= {"auto_policy", "agent"}
    still_works(browser, site)


@pytest.mark.parametrize("name", LEAVING)
def test_dialog_during_unload_does_not_block_the_navigation_without_a_bridge(
    name: str, site: Site
) -> None:
    """Newer Chromiums open the dialog and accept no answer."""
    config = BrowserConfig(dialog_bridge="native", default_timeout_ms=CALL_MS)
    with Browser.launch(config=config, timeout_ms=30_000) as browser:
        browser.goto(site.page("/", f"<script>{LEAVING[name]}</script>"))
        browser.evaluate("localStorage.got = 'nothing'")
        assert browser.goto(site.page("/next", "next")).status == "ok"
        assert browser.evaluate("localStorage.got").value == "false"
        assert browser.state.pending_dialogs == ()
        assert {d.closed_by for d in browser.state.recent_dialogs} <= {"auto_policy"}
        assert browser.goto(site.page("/third", "third")).status == "ok"
        browser.evaluate("setTimeout(() => { window.got = confirm('Here?') }); 0")
        one_dialog(browser)
        browser.dialog("accept")
        assert browser.evaluate("got").value is True


# -- forgery ---------------------------------------------------------------------------------------


def test_script_that_imitates_the_bridge_opens_no_dialog(browser: Browser, site: Site) -> None:
    fake = "const request = JSON.stringify({ type: 'confirm', message: 'fake', initial: '', url: 'https://bank.test/' }); let armed, answer; debugger;"
    names = ["0".join([""] * 33) + ".js", "dialogs.js", "a" * 32 + ".js"]
    evals = "".join(f"eval(`(() => {{ {fake} }})()\\n//# sourceURL={name}`);" for name in names)
    before = last_number(browser)
    browser.goto(site.page("/", f"<script>{evals} {fake} window.done = true</script>"))
    browser.evaluate(f"setTimeout(() => {{ {evals} window.again = true }}); 0")
    assert is_told(browser, "window.done && window.again") is True
    assert seen(browser, before) == []
    still_works(browser, site)


LEARN = """
const learn = async () => {
  prompt('Bait');
  const bait = performance.getEntriesByType('resource').find((one) => one.name.includes('.invalid/'));
  if (!bait) return 'nothing to learn';
  const forged = JSON.stringify({ key: '0'.repeat(32), type: 'confirm', message: 'Forged', initial: '', url: 'https://bank.test/' });
  const got = [];
  for (const body of [forged, '', '{}', '[]', 'x'.repeat(100000)]) {
    try { const r = new XMLHttpRequest(); r.open('POST', bait.name, false); r.send(body); got.push(r.responseText) } catch (e) { got.push(e.name) }
    try { const r = new XMLHttpRequest(); r.open('GET', bait.name); await new Promise((done) => { r.onloadend = done; r.send() }); got.push(r.responseText) } catch (e) { got.push(e.name) }
  }
  const way = await fetch(bait.name, { method: 'POST', body: forged }).then((r) => r.text(), () => 'refused');
  return JSON.stringify([...got, way]);
};
setTimeout(async () => { window.got = await learn() }, 0);
"""


def test_page_that_knows_the_bridge_url_cannot_forge_a_dialog(browser: Browser, site: Site) -> None:
    before = last_number(browser)
    browser.goto(site.page("/", f"<script>{LEARN}</script>"))
    one_dialog(browser)
    browser.dialog("accept", prompt_text="x")
    told = is_told(browser, "window.got")
    assert "accept" not in told
    assert "key" not in told
    assert seen(browser, before) == ["Bait"]
    still_works(browser, site)


WORKERS = {
    "watches": "onfetch = () => {}",
    "passes-on": "onfetch = (event) => event.respondWith(fetch(event.request))",
    "answers": 'onfetch = (event) => event.respondWith(new Response(\'{"key":"0","native":false,"accept":true,"text":"fooled"}\'))',
    "breaks": "onfetch = (event) => { if (event.request.mode !== 'navigate') event.respondWith(Response.error()) }",
    "hangs": "onfetch = (event) => { if (event.request.mode !== 'navigate') event.respondWith(new Promise(() => {})) }",
}


@pytest.mark.long
@pytest.mark.parametrize("name", WORKERS)
def test_service_worker_cannot_intercept_a_dialog(
    name: str, mode: str, browser: Browser, site: Site
) -> None:
    site.pages["/worker.js"] = with_headers(
        f"onactivate = (event) => event.waitUntil(clients.claim()); {WORKERS[name]}",
        "text/javascript",
    )
    browser.goto(site.page("/", "x"))
    ready = "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => navigator.serviceWorker.controller || new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done })).then(() => 'ready')"
    assert browser.evaluate(ready).value == "ready"
    before = last_number(browser)
    browser.evaluate("setTimeout(() => { window.got = prompt('Really?') }); 0")
    dialog = one_dialog(browser)
    assert dialog.message == "Really?"
    assert dialog.channel in CHANNELS[mode]
    browser.dialog("accept", prompt_text="told")
    assert is_told(browser, "window.got") == "told"
    assert seen(browser, before) == ["Really?"]
    browser.evaluate(
        "navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister()))).then(() => 0)"
    )
    browser.tabs("open")
    still_works(browser, site)


# -- floods ----------------------------------------------------------------------------------------

FLOODS: dict[str, str] = {
    "loop": "<script>setTimeout(() => { while (true) alert('again') }, 20)</script>",
    "loading": "<script>while (true) alert('again')</script>",
    "timer": "<script>setInterval(() => alert('again'), 1)</script>",
    "promises": "<script>(async () => { while (true) { await 0; alert('again') } })()</script>",
    "recursion": "<script>function again() { alert({ toString() { setTimeout(again); return 'again' } }) } setTimeout(again, 20)</script>",
}


@pytest.mark.parametrize("name", FLOODS)
def test_agent_answers_flooding_dialogs_one_by_one_and_can_close_the_tab(
    name: str, browser: Browser, site: Site
) -> None:
    flood = browser.state.active_tab_id
    before = last_number(browser)
    browser.goto(site.page("/", FLOODS[name]))
    for count in range(1, 9):
        assert one_dialog(browser).message == "again"
        assert seen(browser, before) == ["again"] * min(count, 20)
        browser.dialog("accept" if count % 2 else "dismiss")
    one_dialog(browser)
    with pytest.raises(DialogPending):
        browser.press("Tab")
    browser.tabs("open")
    browser.tabs("close", tab_id=flood)
    still_works(browser, site)


@pytest.mark.parametrize("other", [False, True], ids=["same-process", "own-process"])
def test_agent_answers_simultaneous_dialogs_of_twenty_frames(
    other: bool, browser: Browser, site: Site
) -> None:
    site.page(
        "/in",
        "<script>setTimeout(() => top.postMessage([location.hash, prompt(location.hash)], '*'), 50)</script>",
    )
    base = site.there if other else site.here
    frames = "".join(f"<iframe src='{base}/in#{number}'></iframe>" for number in range(20))
    collects = "<script>window.all = {}; addEventListener('message', (event) => { all[event.data[0]] = event.data[1] })</script>"
    browser.goto(site.page("/", collects + frames))
    for _ in range(20):
        dialogs = eventually(lambda: browser.state.pending_dialogs)
        browser.dialog("accept", prompt_text=f"for {dialogs[0].message}", dialog_id=dialogs[0].id)
    told = eventually(lambda: browser.evaluate("Object.keys(all).length === 20 && all").value)
    assert told == {f"#{number}": f"for #{number}" for number in range(20)}
    still_works(browser, site)


def test_getter_that_opens_a_dialog_does_not_block_snapshot_behind_another_dialog(
    browser: Browser, site: Site
) -> None:
    """Reading behind a dialog must not open another one that cannot be answered."""
    trap = "<script>Object.defineProperty(document, 'title', { get: () => String(confirm('Trap')) }); setTimeout(() => { window.got = confirm('First') }, 30)</script>"
    browser.goto(site.page("/", trap))
    first = one_dialog(browser)
    browser.snapshot()
    if first.channel == "debugger":
        browser.evaluate("document.title")
    while browser.state.pending_dialogs:
        browser.dialog("accept", dialog_id=browser.state.pending_dialogs[-1].id)
    assert is_told(browser, "window.got") is True
    still_works(browser, site)


def test_agent_script_can_open_a_second_dialog_behind_the_first(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "x"))
    browser.evaluate("setTimeout(() => { window.got = confirm('First') }); 0")
    if one_dialog(browser).channel != "debugger":  # nothing runs behind it
        with pytest.raises(DialogPending):
            browser.evaluate("confirm('Second')")
    else:
        assert browser.evaluate("confirm('Second')").interrupted
        first, second = browser.state.pending_dialogs
        assert (first.message, second.message) == ("First", "Second")
        browser.dialog("dismiss", dialog_id=second.id)
    browser.dialog("accept")
    assert is_told(browser, "window.got") is True
    still_works(browser, site)


@pytest.mark.parametrize("ask", ["alert(long)", "got = prompt('Name?', long)"])
def test_huge_dialog_message_is_truncated(ask: str, browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<script>long = 'x'.repeat(5e6); got = ''</script>"))
    browser.evaluate(f"setTimeout(() => {{ {ask} }})")
    dialog = one_dialog(browser)
    assert 10_000 < len(dialog.message + dialog.default_prompt) < 11_000
    assert len(browser.snapshot().text) < 25_000
    browser.dialog("accept")
    assert browser.evaluate("got.length").value == (0 if "alert" in ask else 5e6)


@pytest.mark.long
def test_agent_can_leave_a_page_with_endless_dialogs_under_a_policy(site: Site) -> None:
    site.page("/storm", "<script>setInterval(() => alert('again'), 1)</script>")
    site.page("/loop", "<button onclick='for (;;) alert(1)'>Go</button>")
    calm = site.page("/calm", "calm", title="Calm")
    with Browser.launch(config=BrowserConfig(dialog_policy="auto_dismiss")) as browser:
        browser.goto(site.here + "/storm", timeout_ms=20_000)
        assert browser.goto(calm, timeout_ms=20_000).status == "ok"
        browser.goto(site.here + "/loop", timeout_ms=20_000)
        browser.click(browser.snapshot().ref("Go"), timeout_ms=allow(5_000))
        left = browser.goto(calm, timeout_ms=20_000)
        assert (left.status, left.title) == ("ok", "Calm")

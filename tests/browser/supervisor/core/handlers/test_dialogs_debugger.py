# ruff: noqa: E501 - pages, one element after the other
"""The debugger bridge: dialogs that leave the page readable and look native to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from support.asking import pending_dialogs
from support.pace import allow
from support.reading import ref_of
from support.shared import Shared
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import DialogPending, NoDialog
from tabwarden.sync import Browser

ASK = '<button onclick="document.title = String({})">Go</button>'


@pytest.fixture(scope="module")
def bridged() -> Iterator[Browser]:
    with Browser.launch(config=BrowserConfig(dialog_bridge="debugger")) as browser:
        yield browser


@pytest.fixture
def browser(bridged: Browser) -> Browser:
    before = bridged.state
    bridged.tabs("open")
    for tab in before.tabs:
        bridged.tabs("close", tab_id=tab.tab_id)
    return bridged


@pytest.mark.parametrize(
    ("call", "answer", "got"),
    [
        ("alert('a')", {"action": "accept"}, "undefined"),
        ("alert('a')", {"action": "dismiss"}, "undefined"),
        ("confirm('a')", {"action": "accept"}, "true"),
        ("confirm('a')", {"action": "dismiss"}, "false"),
        ("prompt('a')", {"action": "accept", "prompt_text": "Zoë \"q\" \\ \u2028"}, "Zoë \"q\" \\ \u2028"),
        ("prompt('a', 'was')", {"action": "accept"}, "was"),
        ("prompt('a')", {"action": "accept", "prompt_text": ""}, ""),
        ("prompt('a', 'was')", {"action": "dismiss"}, "null"),
    ],
)  # fmt: skip
def test_page_receives_the_value_of_the_agents_answer(
    call: str, answer: dict[str, str], got: str, browser: Browser, site: Site
) -> None:
    browser.goto(
        site.page(
            "/", f'<button onclick="window.got = String({call})">Go</button>'.replace("'", "&#39;")
        )
    )
    result = browser.click(browser.snapshot().ref("Go"))
    assert result.interrupted
    assert result.by is not None
    assert result.by["dialog"]["message"] == "a"
    assert browser.state.pending_dialogs[0].channel == "debugger"
    browser.dialog(**answer)
    assert browser.evaluate("got").value == got
    assert browser.state.recent_dialogs[-1].closed_by == "agent"


def test_agent_can_read_the_page_behind_a_dialog(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", ASK.format("confirm('Sure?')") + "<h1>Behind</h1>"))
    ref = browser.snapshot().ref("Go")
    browser.click(ref)
    snapshot = browser.snapshot()
    assert not snapshot.stale
    assert "Behind" in snapshot.text
    assert "Dialog d-" in snapshot.text
    assert browser.evaluate("document.querySelector('h1').innerText").value == "Behind"
    assert browser.evaluate("(el) => el.tagName", ref).value == "BUTTON"
    assert "while a dialog was open" in browser.evaluate("1 + 1").note
    assert browser.evaluate("Promise.resolve(1)", timeout_ms=allow(2_000)).status == "ok"
    assert browser.screenshot().data.startswith(b"\x89PNG")
    for act in (
        lambda: browser.click(ref),
        lambda: browser.goto(site.here),
        lambda: browser.press("a"),
    ):
        with pytest.raises(DialogPending):
            act()
    browser.dialog("accept")
    assert browser.evaluate("document.title").value == "true"


@pytest.mark.long
@pytest.mark.parametrize(
    "expression",
    [
        "alert.name", "alert.length", "confirm.length", "prompt.name", "typeof alert",
        "Object.keys(Object.getOwnPropertyDescriptor(window, 'alert')).join()",
        "Object.getOwnPropertyDescriptor(window, 'alert').writable",
        "'prototype' in alert", "(() => { try { new alert() } catch (e) { return e.name } })()",
        "(() => { try { alert.call({}) } catch (e) { return e.name } })()",
        "(() => { try { alert(Symbol()) } catch (e) { return e.name } })()",
        "(() => { try { prompt('', Symbol()) } catch (e) { return e.name } })()",
        "/native code/.test(Function.prototype.toString.call(alert))",
        "Object.getOwnPropertyNames(alert).join()",
    ],
)  # fmt: skip
def test_replaced_dialog_functions_look_native_to_the_page(
    expression: str, browser: Browser, shared: Shared, site: Site
) -> None:
    url = site.page("/", "x")
    browser.goto(url)
    plain = shared.fresh()
    plain.goto(url)
    assert browser.evaluate(expression).value == plain.evaluate(expression).value


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("alert()", ""), ("alert(undefined)", "undefined"), ("alert(null)", "null"),
        ("alert({})", "[object Object]"), ("alert([1, [2]])", "1,2"), ("confirm()", ""),
        ("confirm(undefined)", ""), ("prompt(undefined)", ""), ("alert.call(null, 'called')", "called"),
        ("alert.apply(window, ['applied'])", "applied"), ("alert({ toString: () => 'own' })", "own"),
        ("Reflect.apply(confirm, undefined, ['reflected'])", "reflected"),
        ("(() => { const f = document.body.appendChild(document.createElement('iframe')); f.contentWindow.alert('from a fresh frame') })()", "from a fresh frame"),
    ],
)  # fmt: skip
def test_dialog_arguments_are_converted_to_strings_like_native_dialogs(
    call: str, message: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "x"))
    browser.evaluate(f"setTimeout(() => {{ {call} }}, 0); 0")
    (dialog,) = pending_dialogs(browser, 1)
    assert (dialog.message, dialog.channel) == (message, "debugger")
    browser.dialog("accept")


@pytest.mark.parametrize("other", [False, True])
def test_dialog_opened_by_a_frame_identifies_its_frame(
    other: bool, browser: Browser, site: Site
) -> None:
    site.page("/inner", "<script>setTimeout(() => { window.got = confirm('in?') }, 20)</script>")
    source = (site.there if other else site.here) + "/inner"
    browser.goto(site.page("/", f"<h1>Out</h1><iframe src='{source}'></iframe>"))
    (dialog,) = pending_dialogs(browser, 1)
    (frame,) = browser.state.frame_tree.children
    assert (dialog.frame_id, dialog.channel) == (frame.frame_id, "debugger")
    assert "Out" in browser.snapshot().text
    browser.dialog("accept")
    assert browser.evaluate("got", frame_id=frame.frame_id).value is True


@pytest.mark.parametrize(
    ("sandbox", "asked"),
    [("allow-scripts", False), ("allow-scripts allow-modals", True), ("allow-scripts allow-same-origin", False)],
)  # fmt: skip
def test_sandboxed_frame_without_allow_modals_opens_no_dialog(
    sandbox: str, asked: bool, browser: Browser, site: Site
) -> None:
    site.page("/inner", "<script>parent.postMessage(String(confirm('in?')), '*')</script>")
    page = "<script>onmessage = (e) => { window.got = e.data }</script>"
    browser.goto(site.page("/", f"{page}<iframe sandbox='{sandbox}' src='/inner'></iframe>"))
    if asked:
        pending_dialogs(browser, 1)
        browser.dialog("accept")
    got = "new Promise((done) => { (function look() { window.got ? done(got) : setTimeout(look, 5) })() })"
    assert browser.evaluate(got).value == ("true" if asked else "false")
    assert len(browser.state.pending_dialogs) == 0


def with_policy(policy: str, body: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        page = f"<!doctype html>{body}".encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Security-Policy", policy)
        handler.send_header("Content-Length", str(len(page)))
        handler.end_headers()
        handler.wfile.write(page)

    return answer


def test_dialog_works_under_a_strict_content_security_policy(browser: Browser, site: Site) -> None:
    policy = "default-src 'none'; connect-src 'none'; script-src 'none'"
    site.pages["/"] = with_policy(policy, "<h1>Strict</h1>")
    browser.goto(site.here + "/")
    browser.evaluate("setTimeout(() => { window.got = confirm('strict?') }, 0); 0")
    (dialog,) = pending_dialogs(browser, 1)
    assert dialog.channel == "debugger"
    browser.dialog("accept")
    assert browser.evaluate("got").value is True


def test_debugger_statements_in_page_code_do_not_pause_the_page(
    browser: Browser, site: Site
) -> None:
    page = "<script>for (let n = 0; n < 100; n++) { debugger; eval('debugger') } window.done = 1</script>"
    browser.goto(site.page("/", page))
    assert browser.evaluate("done").value == 1
    assert browser.evaluate("(() => { debugger; return 2 })()").value == 2


@pytest.mark.threat
def test_hostile_page_cannot_forge_or_hide_a_dialog(browser: Browser, site: Site) -> None:
    page = """<script>
    const asked = JSON.stringify({ url: location.href, type: 'alert', message: 'fake', initial: '' });
    Object.prototype.toJSON = () => 'fooled'; String.prototype.toJSON = () => 'fooled';
    JSON.stringify = () => 'fooled'; Reflect.apply = () => 'fooled';
    Function.prototype.toString = () => 'fooled'; window.Proxy = null; window.XMLHttpRequest = null;
    Object.defineProperty(Object.prototype, 'accept', { get: () => true, set() {} });
    Object.defineProperty(Object.prototype, 'native', { get: () => true, set() {} });
    window.ask = confirm; window.alert = () => 'mine';
    for (const name of ['00000000000000000000000000000000.js', 'NAME']) eval(
      `let armed, answer; const request = asked; debugger;\\n//# sourceURL=${name}`);
    </script><button onclick="window.got = ask('really?')">Go</button>"""
    bridge = browser._task.supervisor.state.policy.bridge
    assert bridge is not None
    page = page.replace("NAME", bridge.name)  # in case a page ever learns it
    assert not browser.goto(site.page("/", page)).interrupted
    result = browser.click(browser.snapshot().ref("Go"))
    assert result.by is not None
    assert result.by["dialog"]["message"] == "really?"
    assert browser.state.pending_dialogs[0].channel == "debugger"
    browser.dialog("dismiss")
    assert browser.evaluate("got").value is False


@pytest.mark.long
def test_navigation_closes_an_open_dialog(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", ASK.format("confirm('Sure?')")))
    browser.click(browser.snapshot().ref("Go"))
    tab = browser.state.active_tab_id
    browser.cdp("Page.navigate", {"url": site.page("/next", "next")}, timeout_ms=allow(3_000))
    browser.tabs("open", url=site.page("/other", "other"))
    assert browser.evaluate("document.body.innerText").value == "other"
    browser.tabs("close", tab_id=tab)
    assert browser.state.pending_dialogs == ()
    with pytest.raises(NoDialog):
        browser.dialog("accept")


def test_dialogs_in_several_tabs_are_open_at_the_same_time(browser: Browser, site: Site) -> None:
    page = site.page("/", "<script>setTimeout(() => { window.got = confirm('mine?') }, 5)</script>")
    browser.goto(page)
    for _ in range(4):
        browser.tabs("open", url=page)
    dialogs = pending_dialogs(browser, 5)
    for number, dialog in enumerate(dialogs):
        browser.dialog("accept" if number % 2 else "dismiss", dialog_id=dialog.id)
    for number, dialog in enumerate(dialogs):
        assert browser.evaluate("got", tab_id=dialog.tab_id).value is bool(number % 2)


def test_dialog_during_unload_is_suppressed_like_a_native_dialog(
    browser: Browser, site: Site
) -> None:
    script = "<script>addEventListener('pagehide', () => alert('no')); onunload = () => alert('no')</script>"
    browser.goto(site.page("/", script))
    result = browser.goto(site.page("/next", "next"))
    assert result.status == "ok"
    assert browser.state.pending_dialogs == ()
    assert ref_of  # the same helpers serve both channels

"""The network policy on a real browser: whatever a page asks for goes through the proxy or not at
all. Nothing leaves the machine: ``support.canary.Only`` stands for the internet.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from urllib.parse import quote, unquote

import pytest
from support.canary import Only
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.egress import proxy
from tabwarden.sync import Browser

PUBLIC = "93.184.216.34"
SCRIPT = "text/javascript"
KINDS = {
    "img": "new Image().src = url",
    "redirect": "fetch('/to?' + encodeURIComponent(url), {mode: 'no-cors'}).catch(() => {})",
    "prefetch": "add('link', {rel: 'prefetch', href: url})",
    "favicon": "add('link', {rel: 'icon', href: url})",
    "iframe": "add('iframe', {src: url})",
    "oopif": "add('iframe', {src: there + '/fetching?' + encodeURIComponent(url)})",
    "fetch": "fetch(url, {mode: 'no-cors'}).catch(() => {})",
    "beacon": "navigator.sendBeacon(url, 'x')",
    "form": "const form = add('form', {action: url, method: 'POST', target: '_blank'});"
    "form.submit()",
    "popup": "opened.push(window.open(url, '_blank'))",
    "sse": "const stream = new EventSource(url); stream.onerror = () => stream.close()",
    "worker": "opened.push(new Worker('/fetching.js?' + encodeURIComponent(url)))",
    "shared": "new SharedWorker('/fetching.js?' + encodeURIComponent(url))",
    "service": "navigator.serviceWorker.register('/fetching.js?' + encodeURIComponent(url),"
    " {scope: '/' + Math.random()}).catch(() => {})",
    "websocket": "new WebSocket(url.replace('http', 'ws'))",
}
NOT_IN_THE_HEADLESS_SHELL = {"favicon"}
PAGE = """<script>
const opened = [], there = %s;
const add = (name, given) =>
  document.body.appendChild(Object.assign(document.createElement(name), given));
const kinds = {%s};
const attack = (target, control, tail) => {
  for (const [kind, begin] of Object.entries(kinds)) {
    begin(`${target}/canary?${kind}-${tail}`);
    begin(`${control}/control?${kind}-${tail}`);
  }
};
</script>"""
FETCHING = "fetch(decodeURIComponent(%s), {mode: 'no-cors'}).catch(() => {});"


def answered(body: str, kind: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body.encode())

    return answer


def redirected(handler: BaseHTTPRequestHandler) -> None:
    """To what the query says."""
    handler.send_response(302)
    handler.send_header("Location", unquote(handler.path.partition("?")[2]))
    handler.send_header("Content-Length", "0")
    handler.end_headers()


@pytest.fixture(scope="module")
def canary() -> Iterator[Site]:
    """A server of this machine that nobody has named."""
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def world() -> Iterator[Site]:
    """What stands for the internet, and for the one server of this machine that is named."""
    with Site() as site:
        kinds = ", ".join(f"{name}: url => {{ {code} }}" for name, code in KINDS.items())
        there = json.dumps("http://frame.example")
        site.pages["/attack"] = PAGE % (there, kinds)
        site.pages["/fetching"] = f"<script>{FETCHING % 'location.search.slice(1)'}</script>"
        site.pages["/fetching.js"] = answered(FETCHING % "location.search.slice(1)", SCRIPT)
        site.pages["/to"] = redirected
        site.page("/", "Hello")
        yield site


@pytest.fixture(scope="module")
def outside(world: Site) -> Iterator[Only]:
    only = Only(int(world.here.rpartition(":")[2]))
    for name in ("page", "control", "frame", "hop"):
        only.names[f"{name}.example"] = [PUBLIC]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proxy, "Outside", lambda: only)
        yield only


@pytest.fixture(scope="module")
def guarded(outside: Only) -> Iterator[Browser]:
    with Browser.launch() as browser:
        yield browser


@pytest.fixture
def browser(guarded: Browser, outside: Only, world: Site, canary: Site) -> Iterator[Browser]:
    """Has been at a public page, and one of this machine's was named."""
    guarded.configure(BrowserConfig())
    guarded.tabs("open")
    for tab in guarded.state.tabs[:-1]:
        guarded.tabs("close", tab_id=tab.tab_id)
    guarded.goto("http://page.example/")
    guarded.goto(world.there + "/attack")
    world.hits.clear()
    canary.hits.clear()
    outside.dialled.clear()
    return guarded


def until(there: Callable[[], object], what: str = "it") -> None:
    end = time.monotonic() + 8
    while not there():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.01)


FORMS = {
    "literal": "127.0.0.1:{port}",
    "short": "127.1:{port}",
    "decimal": "2130706433:{port}",
    "hex": "0x7f000001:{port}",
    "octal": "0177.0.0.01:{port}",
    "mapped": "[::ffff:127.0.0.1]:{port}",
    "ipv6": "[::1]:{port}",
    "nowhere": "0.0.0.0:{port}",
    "dot": "localhost.:{port}",
    "userinfo": "control.example@127.0.0.1:{port}",
    "resolves": "evil.example:{port}",
    "flips": "flips.example:{port}",
    "private": "10.1.2.3:{port}",
    "metadata": "169.254.169.254",
    "nat64": "[64:ff9b::a9fe:a9fe]",
}


@pytest.mark.parametrize("form", [*FORMS, "redirected"])
def test_no_kind_of_request_gets_there(
    form: str, browser: Browser, outside: Only, world: Site, canary: Site
) -> None:
    port = canary.here.rpartition(":")[2]
    flips = iter([[PUBLIC]])
    outside.names |= {
        "evil.example": ["127.0.0.1"],
        "flips.example": lambda: next(flips, ["127.0.0.1"]),
    }
    target = f"http://{FORMS.get(form, '').format(port=port)}"
    if form == "redirected":
        target = f"http://hop.example/to?{quote(canary.here)}"
    script = f"attack({json.dumps(target)}, 'http://control.example', {json.dumps(form)})"
    browser.evaluate(script)
    wanted = {f"{kind}-{form}" for kind in KINDS.keys() - NOT_IN_THE_HEADLESS_SHELL}
    came: set[str] = set()

    def all_came() -> bool:
        came.update(hit.partition("?")[2] for hit in world.hits if hit.startswith("/control?"))
        return wanted <= came

    try:
        until(all_came)
    except AssertionError:
        pytest.fail(f"not even allowed: {wanted - came}")
    assert canary.hits == []
    for place, addresses in outside.dialled:
        assert set(addresses) == {PUBLIC} or str(place.port) == world.here.rpartition(":")[2]
    assert any(note.kind == "refused" for note in browser.state.notes)

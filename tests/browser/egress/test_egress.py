"""The network policy on a real browser: whatever a page asks for goes through the proxy or not at
all. Nothing leaves the machine: ``support.canary.Only`` stands for the internet.
"""

from __future__ import annotations

import contextlib
import json
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from support.canary import Only
from support.eventually import eventually
from support.running import running_chromium
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.egress import proxy
from tabwarden.egress.origins import canonical_host
from tabwarden.errors import Denied, PageUnreachable
from tabwarden.events import ConnectionRefused
from tabwarden.own_ports import PortClaim
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
WINDOWS = ["form", "popup"]
NOT_IN_THE_HEADLESS_SHELL = {"favicon"}
PAGE = """<script>
const opened = [], there = %s;
const add = (name, given) =>
  document.body.appendChild(Object.assign(document.createElement(name), given));
const kinds = {%s};
const attack = (target, control, tail, windows) => {
  for (const [kind, begin] of Object.entries(kinds)) {
    if (windows.includes(kind)) continue;
    begin(`${target}/canary?${kind}-${tail}`);
    begin(`${control}/control?${kind}-${tail}`);
  }
};
</script>"""
BOTH = ["launched", "context"]
LEFT: Any = {"ignore_cleanup_errors": True}
FETCHING = "fetch(decodeURIComponent(%s), {mode: 'no-cors'}).catch(() => {});"


def answered(body: str, kind: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body.encode())

    return answer


def swallowed(handler: BaseHTTPRequestHandler) -> None:
    """Read the posted body; otherwise it would be parsed as the connection's next request."""
    handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    answered("taken", "text/html")(handler)


def redirected(handler: BaseHTTPRequestHandler) -> None:
    """Redirect to the URL in the query."""
    handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    handler.send_response(302)
    handler.send_header("Location", unquote(handler.path.partition("?")[2]))
    handler.send_header("Content-Length", "0")
    handler.end_headers()


@pytest.fixture(scope="module")
def canary() -> Iterator[Site]:
    """A local server that no caller's URL has named."""
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def world() -> Iterator[Site]:
    """Stand-ins for the internet, and for the one local server named in a caller's URL."""
    with Site() as site:
        kinds = ", ".join(f"{name}: url => {{ {code} }}" for name, code in KINDS.items())
        there = json.dumps("http://frame.example")
        site.pages["/attack"] = PAGE % (there, kinds)
        site.pages["/fetching"] = f"<script>{FETCHING % 'location.search.slice(1)'}</script>"
        site.pages["/fetching.js"] = answered(FETCHING % "location.search.slice(1)", SCRIPT)
        site.pages["/to"] = redirected
        site.pages["/control"] = swallowed
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
def guarded(request: pytest.FixtureRequest, outside: Only) -> Iterator[Browser]:
    """A browser that we launched, or (as "context") our own context in an attached browser."""
    with contextlib.ExitStack() as open_:
        if getattr(request, "param", "launched") == "launched":
            yield open_.enter_context(Browser.launch())
        else:
            folder = open_.enter_context(tempfile.TemporaryDirectory(prefix="tw-", **LEFT))
            port = open_.enter_context(running_chromium(Path(folder)))
            url = f"http://127.0.0.1:{port}"
            yield open_.enter_context(Browser.connect(url, context="own"))


@pytest.fixture
def browser(guarded: Browser, outside: Only, world: Site, canary: Site) -> Iterator[Browser]:
    """The browser has visited a public page, and a caller's URL named one local server."""
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


def attacked(target: str, form: str, browser: Browser, world: Site) -> None:
    """Send each type of request to the target and to an allowed host; wait for the allowed ones."""
    control = "http://control.example"
    browser.evaluate("(...given) => attack(...given)", args=[target, control, form, WINDOWS])
    for kind in WINDOWS:  # each with a user gesture
        for url in (f"{target}/canary", f"{control}/control"):
            tabs = len(browser.state.tabs)
            browser.evaluate(f"(url) => kinds.{kind}(url)", args=[f"{url}?{kind}-{form}"])
            eventually(lambda known=tabs: len(browser.state.tabs) > known)
    wanted = {f"{kind}-{form}" for kind in KINDS.keys() - NOT_IN_THE_HEADLESS_SHELL}
    came: set[str] = set()

    def all_came() -> bool:
        came.update(hit.partition("?")[2] for hit in world.hits if hit.startswith("/control?"))
        return wanted <= came

    try:
        eventually(all_came)
    except AssertionError:
        pytest.fail(f"not even allowed: {wanted - came}")


@pytest.mark.parametrize("guarded", BOTH, indirect=True)
@pytest.mark.parametrize("form", [*FORMS, "redirected"])
@pytest.mark.threat
def test_network_policy_blocks_every_request_type_to_a_private_address(
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
    attacked(target, form, browser, world)
    assert canary.hits == []
    for place, addresses in outside.dialled:
        assert set(addresses) == {PUBLIC} or str(place.port) == world.here.rpartition(":")[2]
    assert any(note.kind == "refused" for note in browser.state.notes)


@pytest.mark.parametrize("guarded", BOTH, indirect=True)
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "this machine's own"])
@pytest.mark.threat
def test_network_policy_denies_ports_that_tabwarden_reserves(
    host: str, browser: Browser, world: Site, canary: Site
) -> None:
    """Denied even in a caller's URL: it can be the debugging port of another task's browser."""
    if host not in ("127.0.0.1", "localhost"):
        host = own_address()
    port = int(canary.here.rpartition(":")[2])
    target = f"http://{host}:{port}"
    with PortClaim(port):
        with pytest.raises(Denied) as refused:
            browser.goto(f"{target}/json/list")
        assert refused.value.data["why"] in ("own", "reserved", "private")
        with pytest.raises(Denied):
            browser.download(f"{target}/json/list")
        browser.goto(world.there + "/attack")
        attacked(target, f"own-{host}", browser, world)
    assert canary.hits == []
    if host in ("127.0.0.1", "localhost"):  # only the claim denies the port
        browser.goto(target)
        assert canary.hits != []


def own_address() -> str:
    """A non-loopback address of this machine, or 127.0.0.2 if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return "127.0.0.2"
        return str(probe.getsockname()[0])


UDP = """async (stun, of) => {
  const Peer = of()?.RTCPeerConnection;
  if (!Peer) return 'none';
  const peer = new Peer({iceServers: [{urls: 'stun:' + stun}]});
  peer.createDataChannel('x');
  // Where there is a way out, nobody answers: that would take half a minute.
  const gathered = new Promise((done) => {
    peer.onicecandidate = (one) => one.candidate || done();
    setTimeout(done, 5_000);
  });
  await peer.setLocalDescription(await peer.createOffer());
  await gathered;
  peer.close();
}"""


@pytest.mark.parametrize("guarded", BOTH, indirect=True)
@pytest.mark.parametrize(
    "of",
    [
        "() => self",
        "() => add('iframe', {}).contentWindow",
        "() => (opened.push(window.open('')), opened.at(-1))",
    ],
)
@pytest.mark.threat
def test_webrtc_sends_no_udp_packets(of: str, browser: Browser) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as canary:
        canary.bind(("127.0.0.1", 0))
        canary.settimeout(0.2)
        browser.evaluate(
            f"(stun) => ({UDP})(stun, {of})", args=[f"127.0.0.1:{canary.getsockname()[1]}"]
        )
        with pytest.raises(TimeoutError):
            canary.recv(1)


def test_dedicated_workers_still_run_under_the_network_policy(
    browser: Browser, world: Site
) -> None:
    script = (
        "new Promise((resolve, reject) => { opened.push(new Worker('/worker.js'));"
        " opened.at(-1).onmessage = (event) => resolve(event.data);"
        " opened.at(-1).onerror = () => reject(new Error('no worker')) })"
    )
    world.pages["/worker.js"] = answered("postMessage('it runs')", SCRIPT)
    assert browser.evaluate(script).value == "it runs"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://169.254.169.254/latest", "metadata"),
        ("http://metadata.google.internal/", "metadata"),
        ("http://[::ffff:169.254.169.254]/", "metadata"),
        ("http://0.0.0.0:8000/", "reserved"),
        ("http://evil.example/", "loopback"),
        ("http://hop.example/to?http%3A%2F%2F10.9.8.7%2F", "private"),
    ],
)
@pytest.mark.parametrize("way", ["goto", "tabs", "download"])
@pytest.mark.threat
def test_goto_tabs_and_download_deny_forbidden_addresses_and_state_the_reason(
    url: str, why: str, way: str, browser: Browser, outside: Only
) -> None:
    outside.names["evil.example"] = ["127.0.0.1"]
    ways: dict[str, Callable[[], object]] = {
        "goto": lambda: browser.goto(url),
        "tabs": lambda: browser.tabs("open", url=url),
        "download": lambda: browser.download(url),
    }
    with pytest.raises(Denied) as caught:
        ways[way]()
    assert caught.value.data["why"] == why
    assert caught.value.hint
    assert all(set(addresses) == {PUBLIC} for place, addresses in outside.dialled if
               place.host != "localhost")  # fmt: skip


def test_page_may_fetch_a_local_port_after_the_caller_visited_it(
    browser: Browser, world: Site, canary: Site
) -> None:
    ask = "fetch(%s, {mode: 'no-cors'}).then(() => 'there', () => 'refused')"
    assert browser.evaluate(ask % json.dumps(f"{canary.here}/x")).value == "refused"
    browser.goto(canary.there + "/named")
    browser.goto(world.there + "/attack")
    assert browser.evaluate(ask % json.dumps(f"{canary.here}/x")).value == "there"


def test_local_page_may_embed_a_frame_from_another_local_port(outside: Only) -> None:
    with Site() as one, Site() as other, Browser.launch() as browser:
        url = one.page("/", f"<iframe src='{other.there}/frame'></iframe>")
        other.page("/frame", "inside")
        browser.goto(url)
        assert "inside" in browser.snapshot().text


def test_repeated_policy_refusal_gives_one_note_and_is_counted_each_time(browser: Browser) -> None:
    browser.goto("http://page.example/")
    with browser.events(ConnectionRefused) as events:
        before = browser.metrics()["refused_connections"].get("private", 0)
        ask = "fetch('http://10.5.5.%d/').catch(() => 'refused')"
        told = [browser.evaluate(ask % 5).new_since_last.notes for _ in range(2)]
        (note,) = (note for notes in told for note in notes)
        assert note["text"] == "10.5.5.5:80: it is in a private network"
        event = events.get(10)
        assert isinstance(event, ConnectionRefused)
        assert (event.place, event.why) == ("10.5.5.5:80", "private")
        assert browser.metrics()["refused_connections"]["private"] >= before + 2


def test_network_log_gives_the_reason_for_a_failed_request(browser: Browser) -> None:
    browser.network()
    browser.goto("http://page.example/")
    for host in ("10.5.5.6", "nowhere.example"):
        browser.evaluate(f"fetch('http://{host}/').catch(() => 0)")
    errors = {r["url"]: r.get("error") for r in browser.network().value["requests"]}
    assert errors["http://10.5.5.6/"] == "refused by the network policy: private"
    assert errors["http://nowhere.example/"] == "net::ERR_NAME_NOT_RESOLVED"


def test_unreachable_server_is_not_reported_as_a_policy_refusal(browser: Browser) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        for url, error in (
            (f"http://127.0.0.1:{deaf.getsockname()[1]}/", "net::ERR_CONNECTION_REFUSED"),
            ("http://nowhere.example/", "net::ERR_NAME_NOT_RESOLVED"),
        ):
            with pytest.raises(PageUnreachable) as caught:
                browser.goto(url)
            assert caught.value.data["error_text"] == error


def test_new_network_policy_applies_at_once_and_closes_forbidden_connections(
    browser: Browser, world: Site
) -> None:
    held = threading.Event()

    def stream(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(b"data: hello\n\n")
        handler.wfile.flush()
        held.wait(30)

    world.pages["/stream"] = stream
    browser.goto("http://page.example/")
    listening = (
        "new Promise((resolve) => { window.stream = new EventSource('/stream');"
        " stream.onmessage = () => resolve('on'); })"
    )
    try:
        assert browser.evaluate(listening).value == "on"
        browser.configure(BrowserConfig(blocked_origins=["page.example"]))
        lost = "new Promise((resolve) => { if (stream.readyState != 1) resolve('cut');"
        lost += " stream.onerror = () => resolve('cut'); })"
        assert browser.evaluate(lost).value == "cut"
        with pytest.raises(Denied, match="blocked_origins"):
            browser.goto("http://page.example/")
        browser.configure(BrowserConfig(allowed_origins=["http://page.example"]))
        browser.goto("http://page.example/")
        with pytest.raises(Denied, match="allowed_origins"):
            browser.goto("http://control.example/")
        browser.configure(BrowserConfig(allow_private_networks=True))
        browser.goto("http://10.7.7.7/")
    finally:
        held.set()


@pytest.mark.parametrize("url", ["file:///etc/hostname", "chrome://version/", "view-source:file:/"])
@pytest.mark.threat
def test_pages_cannot_open_file_and_chrome_urls(url: str, browser: Browser, world: Site) -> None:
    there = json.dumps(url)
    world.pages["/to-file"] = lambda handler: (
        handler.send_response(302),
        handler.send_header("Location", url),
        handler.send_header("Content-Length", "0"),
        handler.end_headers(),
    )
    with contextlib.suppress(PageUnreachable):
        browser.goto(world.there + "/to-file")
    browser.goto(world.there + "/attack")
    browser.evaluate(
        f"add('iframe', {{src: {there}}}); try {{ opened.push(window.open({there})) }} catch {{}}"
        f" try {{ location.href = {there} }} catch {{}}"
    )
    browser.evaluate("fetch('/to-file').catch(() => 0)")
    shown = [tab.url for tab in browser.state.tabs]
    shown += [frame.url for tree in browser.state.frame_trees.values() for frame in tree.children]
    assert not [one for one in shown if one.startswith(url.partition(":")[0] + ":")]


@pytest.mark.threat
def test_state_reports_whether_the_proxy_enforces_the_network_policy(
    browser: Browser, port: int
) -> None:
    assert browser.state.network_policy == "proxy"
    with Browser.connect(f"http://127.0.0.1:{port}") as attached:
        assert attached.state.network_policy == "documents"
        with pytest.raises(Denied, match="metadata"):
            attached.goto("http://169.254.169.254/")
        with Site() as site:
            site.pages["/go"] = lambda handler: (
                handler.send_response(302),
                handler.send_header("Location", "http://169.254.169.254/"),
                handler.send_header("Content-Length", "0"),
                handler.end_headers(),
            )
            with pytest.raises(Denied, match="metadata"):
                attached.goto(site.here + "/go")
            attached.configure(BrowserConfig(blocked_origins=["localhost"]))
            with pytest.raises(Denied, match="blocked_origins"):
                attached.goto(site.there)


@pytest.mark.threat
def test_canonical_host_matches_how_the_browser_parses_hosts(browser: Browser) -> None:
    hosts = [
        "EXAMPLE.com", "example.com.", "a..b", "127.1", "0x7f.1", "0177.0.0.1", "2130706433",
        "1.2.3.4.", "1.2.3", "256.1.1.1", "4294967296", "0x", "1e3", "%31%32%37.1", "bücher.de",
        "faß.de", "①②⑦.0.0.1", "xn--bcher-kva.de", "a_b.com", "-a.com", "[::1]", "[::FFFF:1.2.3.4]",
        "[1::2::3]", "[::1%25eth0]", "a%00b", "a%2fb", "a|b", "a^b", "a\u00adb.com", "⑴.com",
        "\uff25xample.com", "a。b", "localhost", "0", "0.0.0.0", "\uff11\uff12\uff17.0.0.1",
        "[::127.0.0.1]",
    ]  # fmt: skip
    script = (
        "(all) => all.map((host) => { try { return new URL(`http://${host}/`).hostname }"
        " catch { return null } })"
    )
    theirs = browser.evaluate(script, args=[hosts]).value
    plain = [host and host.strip("[]").removesuffix(".") for host in theirs]
    assert dict(zip(hosts, map(canonical_host, hosts), strict=True)) == dict(
        zip(hosts, plain, strict=True)
    )


@pytest.mark.parametrize(
    "params",
    [{"proxyServer": "direct://"}, {"proxyBypassList": "*"}, {"proxyServer": ""}],
)
@pytest.mark.threat
def test_raw_cdp_cannot_set_another_proxy(params: dict[str, str], browser: Browser) -> None:
    with pytest.raises(Denied, match="network policy"):
        browser.cdp("Target.createBrowserContext", params)

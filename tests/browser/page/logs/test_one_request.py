"""All details of one request, without its secrets."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from support.site import Site
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as serve_socket

from tabwarden import BrowserConfig
from tabwarden.sync import Browser


@pytest.fixture(scope="module")
def recorder() -> Iterator[Browser]:
    """A browser that records requests."""
    with Browser.launch(config=BrowserConfig(record_network=True)) as browser:
        yield browser


@pytest.fixture
def browser(recorder: Browser) -> Browser:
    """The recording browser with a single fresh tab."""
    before = recorder.state.tabs
    recorder.tabs("open")
    for tab in before:
        recorder.tabs("close", tab_id=tab.tab_id)
    return recorder


def answering(body: bytes, kind: str, status: int = 200, *headers: tuple[str, str]) -> Any:
    def answer(request: Any) -> None:
        request.rfile.read(int(request.headers.get("Content-Length", 0)))
        request.send_response(status)
        for name, value in (
            ("Content-Type", kind), ("Content-Length", str(len(body))), *headers,
        ):  # fmt: skip
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def one(browser: Browser, path: str) -> dict[str, Any]:
    found = browser.network(url=path).value["requests"][-1]
    told: dict[str, Any] = browser.network(request_id=found["id"]).value
    return told


def lower(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


POST = """fetch('/save?token=s3cret', {
  method: 'POST', body: JSON.stringify({a: 1, password: 's3cret'}),
  headers: {Authorization: 'Bearer s3cret', 'X-Api-Key': 's3cret', 'X-Plain': 'shown'}})
  .then((it) => it.text())"""


@pytest.mark.threat
def test_network_returns_all_details_of_one_request_without_secrets(
    browser: Browser, site: Site
) -> None:
    set_cookie = ("Set-Cookie", "sid=s3cret; Path=/")
    site.pages["/save"] = answering(b"saved", "text/plain", 201, set_cookie, ("X-More", "m"))
    browser.cookies("set", name="known", value="s3cret", url=site.here)
    browser.goto(site.page("/", "page"))
    browser.evaluate(POST)
    told = one(browser, "*/save*")
    assert (told["method"], told["status"], told["body"]) == ("POST", 201, "saved")
    asked, answered = lower(told["request_headers"]), lower(told["response_headers"])
    assert (asked["x-plain"], answered["x-more"]) == ("shown", "m")
    assert asked["cookie"] == asked["authorization"] == asked["x-api-key"] == "[hidden]"
    assert answered["set-cookie"] == "[hidden]"
    assert asked["host"] == site.here.removeprefix("http://"), "as sent, not as planned"
    assert told["post_data"] == '{"a":1,"password":"…"}'
    assert "remote_address" not in told, "the browser knows only our proxy's"
    assert told["protocol"] == "http/1.1"
    assert {"send", "wait", "receive"} <= told["timings_ms"].keys()
    assert sum(told["timings_ms"].values()) > 0
    assert told["initiator"]["type"] == "script"
    assert "s3cret" not in repr((told, browser._task.state.network))


def test_network_secrets_option_shows_headers_and_data_unmasked(site: Site) -> None:
    site.pages["/save"] = answering(b"saved", "text/plain", 200, ("Set-Cookie", "sid=s3cret"))
    config = BrowserConfig(record_network=True, network_secrets=True)
    with Browser.launch(config=config) as browser:
        browser.goto(site.page("/", "page"))
        browser.evaluate(POST)
        told = one(browser, "*/save*")
    assert lower(told["request_headers"])["authorization"] == "Bearer s3cret"
    assert lower(told["response_headers"])["set-cookie"] == "sid=s3cret"
    assert told["post_data"] == '{"a":1,"password":"s3cret"}'


def test_network_returns_separate_headers_for_each_redirect(browser: Browser, site: Site) -> None:
    for at, place in enumerate(("/b", "/c")):
        site.pages[f"/{'ab'[at]}"] = answering(
            b"", "text/plain", 302, ("Location", place), ("X-Hop", str(at))
        )
    site.pages["/c"] = answering(b"end", "text/plain", 200, ("X-Hop", "2"))
    browser.goto(site.page("/", "page"))
    browser.evaluate("fetch('/a', {headers: {'X-Mine': '1'}}).then((it) => it.text())")
    hops = [one(browser, site.here + path) for path in ("/a", "/b", "/c")]
    assert [lower(hop["response_headers"])["x-hop"] for hop in hops] == ["0", "1", "2"]
    assert [lower(hop["request_headers"])["x-mine"] for hop in hops] == ["1", "1", "1"]
    chain = [(site.here + path, status) for path, status in (("/a", 302), ("/b", 302), ("/c", 200))]
    assert [(hop["url"], hop["status"]) for hop in hops[1]["redirects"]] == chain
    assert "redirected" in hops[0]["body_missing"]
    assert hops[2]["body"] == "end"


def test_network_returns_the_latest_websocket_messages(browser: Browser, site: Site) -> None:
    def echo(socket: ServerConnection) -> None:
        for message in socket:
            socket.send(message)

    with serve_socket(echo, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.socket.getsockname()[1]
        browser.goto(site.page("/", "page"))
        browser.evaluate(
            f"""new Promise((done) => {{
              const socket = new WebSocket('ws://127.0.0.1:{port}/talk');
              let got = 0;
              socket.onopen = () => {{
                socket.send('x'.repeat(5000)); socket.send(new Uint8Array([1, 2, 3]));
                for (let n = 0; n < 100; n += 1) socket.send(`n${{n}}`);
              }};
              socket.onmessage = () => {{ if (++got === 102) done(); }};
            }})"""
        )
        told = one(browser, "/talk")
        server.shutdown()
    assert told["type"] == "websocket"
    assert told["status"] == 101
    assert "upgrade" in lower(told["request_headers"])
    assert len(told["messages"]) == 100
    assert told["messages_forgotten"] == 104
    last = told["messages"][-1]
    assert (last["direction"], last["chars"], last["text"]) == ("received", 3, "n99")
    assert last["after_ms"] > 0
    assert "body_missing" not in told or "complete" in told["body_missing"]


def test_network_shortens_long_and_binary_websocket_messages(browser: Browser, site: Site) -> None:
    def talk(socket: ServerConnection) -> None:
        socket.send("y" * 5000)
        socket.send(b"abcde")
        socket.recv()

    with serve_socket(talk, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.socket.getsockname()[1]
        browser.goto(site.page("/", "page"))
        browser.evaluate(
            f"""new Promise((done) => {{
              const socket = new WebSocket('ws://127.0.0.1:{port}/talk');
              let got = 0;
              socket.onmessage = () => {{ if (++got === 2) {{ socket.send('bye'); done(); }} }};
            }})"""
        )
        long, binary, bye = one(browser, "/talk")["messages"]
        server.shutdown()
    assert (len(long["text"]), long["chars"]) == (2000, 5000)
    assert (binary["bytes"], "text" in binary) == (5, False)
    assert (bye["direction"], bye["text"]) == ("sent", "bye")


def test_network_returns_eventsource_messages(browser: Browser, site: Site) -> None:
    site.pages["/events"] = answering(
        b"data: one\n\nevent: more\ndata: two\n\n", "text/event-stream"
    )
    browser.goto(site.page("/", "page"))
    browser.evaluate(
        """new Promise((done) => {
          const source = new EventSource('/events');
          source.addEventListener('more', () => { source.close(); done(); });
        })"""
    )
    told = one(browser, "/events")["messages"]
    assert [(it["event"], it["text"]) for it in told] == [("message", "one"), ("more", "two")]


@pytest.mark.long
def test_network_returns_headers_without_a_body_while_the_page_hangs(
    browser: Browser, site: Site
) -> None:
    site.pages["/data"] = answering(b"1", "text/plain", 200, ("X-More", "m"))
    browser.goto(site.page("/", "page"))
    browser.evaluate("fetch('/data').then((it) => it.text())")
    browser.evaluate(
        "void setTimeout(() => { const t = Date.now(); while (Date.now() - t < 6000); })"
    )
    told = one(browser, "/data")
    assert lower(told["response_headers"])["x-more"] == "m"
    assert "does not answer" in told["body_missing"]

"""Routes change matching requests, as in Playwright's route tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from support.eventually import eventually
from support.relay import Relay
from support.site import Site

from tabwarden import events
from tabwarden.config import BrowserConfig
from tabwarden.errors import BudgetExceeded, Denied, Disabled, InvalidArgument, PageUnreachable
from tabwarden.sync import Browser

GET = "(url) => fetch(url).then((r) => r.text(), (e) => 'failed')"


@pytest.fixture
def browser(browser: Browser) -> Iterator[Browser]:
    yield browser
    browser.route(mode="remove")


def got(browser: Browser, url: str) -> str:
    found: str = browser.evaluate(f"({GET})({json.dumps(url)})").value
    return found


def script(site: Site, path: str, text: str) -> None:
    def respond(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/javascript")
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        request.wfile.write(text.encode())

    site.pages[path] = respond


def echo(site: Site, path: str) -> None:
    """Serve a request's headers as JSON."""

    def respond(request: BaseHTTPRequestHandler) -> None:
        text = json.dumps({name.lower(): value for name, value in request.headers.items()})
        request.send_response(200)
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        request.wfile.write(text.encode())

    site.pages[path] = respond


def test_route_can_mock_fail_and_count_requests(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "hello"))
    added = browser.route("**/api/*", body='{"a": 1}', status=201, headers={"X-Mine": "yes"}).value
    assert added == {
        "id": added["id"], "url": "**/api/*", "does": "answer 201 with 8 bytes", "matches": 0,
    }  # fmt: skip
    told = browser.evaluate(
        "fetch('/api/x').then(async (r) => [r.status, r.headers.get('x-mine'),"
        " r.headers.get('content-type'), await r.json()])"
    ).value
    assert told == [201, "yes", "application/json", {"a": 1}]
    browser.route("**/api/gone", abort="connectionrefused", method="get")
    assert got(browser, "/api/gone") == "failed"
    assert got(browser, "/api/y") == '{"a": 1}'
    assert [one["matches"] for one in browser.route(mode="list").value["routes"]] == [2, 1]
    assert not any(path.startswith("/api") for path in site.hits)


def test_latest_matching_route_applies_until_its_times_are_used_up(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "hello"))
    site.page("/x", "real")
    first = browser.route("/\\/X$/i", body="first").value["id"]
    browser.route(body="second", resource_type="fetch", times=1)
    assert [got(browser, "/x") for _ in range(2)] == ["second", "first"]
    assert browser.route(mode="remove", route_id=first).value == {"removed": [first]}
    assert "real" in got(browser, "/x")
    with pytest.raises(InvalidArgument) as refused:
        browser.route(mode="remove", route_id=first)
    assert refused.value.data["field"] == "route_id"


def test_route_sets_and_removes_request_headers(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "hello"))
    echo(site, "/headers")
    browser.route("**/headers", headers={"X-Mine": "yes", "x-page": None, "Accept": "a/b"})
    seen = browser.evaluate(
        "fetch('/headers', {headers: {'X-Page': '1', 'X-Kept': '2'}}).then((r) => r.json())"
    ).value
    assert (seen["x-mine"], seen["accept"], seen["x-kept"]) == ("yes", "a/b", "2")
    assert "x-page" not in seen
    assert "host" in seen


def test_route_mocks_a_document_and_goto_follows_a_mocked_redirect(
    browser: Browser, site: Site
) -> None:
    real = site.page("/real", "the real page", title="Real")
    browser.goto(real)
    browser.route("https://shop.example/**", body="<title>Mock</title><p>grüezi")
    browser.goto("https://shop.example/cart")
    assert browser.evaluate("[document.title, document.body.innerText, origin]").value == [
        "Mock", "grüezi", "https://shop.example",
    ]  # fmt: skip
    browser.route("https://shop.example/old", status=302, headers={"Location": real})
    browser.goto("https://shop.example/old")
    assert browser.evaluate("document.title").value == "Real"
    browser.route("**/real", abort="timedout")
    with pytest.raises(PageUnreachable) as failed:
        browser.goto(real)
    assert failed.value.data["error_text"] == "net::ERR_TIMED_OUT"
    assert "ro-" in failed.value.hint


def test_mocked_response_is_readable_from_another_origin(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "hello"))
    browser.route("**/api", body="mocked", method="PUT")
    put = "fetch(%s, {method: 'PUT', headers: {'x-a': '1'}, credentials: 'include'})"
    asked = put % json.dumps(site.there + "/api")
    assert browser.evaluate(f"{asked}.then((r) => r.text(), () => 'failed')").value == "mocked"
    assert not site.hits.count("/api")


def test_route_applies_to_frames_popups_and_workers(browser: Browser, site: Site) -> None:
    """From the first request on, including a service worker's and a shared worker's requests."""
    script(site, "/w.js", "fetch('/api/worker').then((r) => r.text()).then(postMessage)")
    script(site, "/sh.js", "onconnect = ({ports: [p]}) => "
           "fetch('/api/shared').then((r) => r.text()).then((t) => p.postMessage(t))")  # fmt: skip
    script(site, "/sw.js", "onmessage = ({source: s}) => "
           "fetch('/api/service').then((r) => r.text()).then((t) => s.postMessage(t))")  # fmt: skip
    site.page("/inner", "<script>fetch('/api/inner')</script>")
    browser.goto(site.page("/", f"<iframe src={site.there}/inner></iframe>"))
    browser.route("**/api/*", body="mocked")
    browser.route(
        "**/popup", body="<title>Mocked popup</title><script>fetch('/api/other')</script>"
    )
    browser.reload()
    told = browser.evaluate(
        """Promise.all([
          new Promise((yes) => new Worker('/w.js').onmessage = (e) => yes(e.data)),
          new Promise((yes) => new SharedWorker('/sh.js').port.onmessage = (e) => yes(e.data)),
          navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)
            .then((r) => new Promise((yes) => {
              navigator.serviceWorker.onmessage = (e) => yes(e.data);
              navigator.serviceWorker.startMessages();
              r.active.postMessage(1);
            })),
        ])"""
    ).value
    assert told == ["mocked"] * 3
    browser.evaluate("void open('/popup')")
    eventually(lambda: any(tab.title == "Mocked popup" for tab in browser.state.tabs))
    eventually(lambda: browser.route(mode="list").value["routes"][0]["matches"] == 5)
    assert not {"/api/other", "/api/shared", "/popup"} & set(site.hits[1:])
    browser.route(mode="remove")
    assert browser.evaluate(
        "navigator.serviceWorker.ready.then((r) => new Promise((yes) => {"
        " navigator.serviceWorker.onmessage = (e) => yes(e.data); r.active.postMessage(1) }))"
    ).value.startswith("not here")
    browser.evaluate("navigator.serviceWorker.ready.then((r) => r.unregister())")


def test_route_responds_with_a_file_from_the_upload_folder(site: Site, tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' width='7'/>")
    with Browser.launch(config=BrowserConfig(upload_dir=tmp_path)) as browser:
        browser.route("**/*.svg", path="logo.svg")
        with pytest.raises(Denied) as refused:
            browser.route(path="../secret")
        assert refused.value.data["field"] == "path"
        browser.goto(site.page("/", "<img src=/a.svg>"))
        assert browser.evaluate("document.images[0].width").value == 7


@pytest.mark.long
def test_goto_timeout_error_identifies_the_route_that_delays_the_request(
    browser: Browser, site: Site
) -> None:
    url = site.page("/slow", "slow")
    route = browser.route("**/slow", delay_ms=600_000).value["id"]
    with pytest.raises(BudgetExceeded) as late:
        browser.goto(url, timeout_ms=1_500)
    assert f"{route} delays" in late.value.hint
    browser.goto(site.page("/", "hello"))
    browser.evaluate("window.answer = fetch('/slow').then((r) => r.text()); 0")
    eventually(lambda: browser.route(mode="list").value["routes"][0]["matches"] == 2)
    browser.route(mode="remove", route_id=route)
    assert "slow" in browser.evaluate("answer").value
    browser.route("**/slow", delay_ms=200, body="late")
    assert got(browser, "/slow") == "late"


def test_routes_survive_a_lost_connection(port: int, site: Site) -> None:
    with Relay(port) as relay, Browser.connect(relay.url) as browser:
        browser.goto(site.page("/", "hello"))
        browser.route("**/api", body="mocked")
        with browser.events(events.EndpointLost) as told:
            relay.cut()
            assert told.get(5) is not None
        browser.snapshot()
        assert got(browser, "/api") == "mocked"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"url": "*.js", "abort": "failed"}, "url"),
        ({"url": "/api/users", "abort": "failed"}, "url"),
        ({"url": "/(/", "abort": "failed"}, "url"),
        ({"url": "**/{a", "abort": "failed"}, "url"),
        ({"abort": "time_out"}, "abort"),
        ({"abort": "failed", "body": "x"}, "abort"),
        ({}, "abort"),
        ({"abort": "failed", "resource_type": "websocket"}, "resource_type"),
        ({"abort": "failed", "resource_type": ["image", "picture"]}, "resource_type"),
        ({"abort": "failed", "method": "FETCH"}, "method"),
        ({"status": 42}, "status"),
        ({"body": "x", "headers": {"X": None}}, "headers"),
        ({"headers": {"Host": "a"}}, "headers"),
        ({"path": "nothing.json"}, "path"),
        ({"delay_ms": -1, "body": "x"}, "delay_ms"),
        ({"body": "x", "times": 0}, "times"),
        ({"mode": "list", "body": "x"}, "body"),
        ({"mode": "remove", "route_id": "r-1"}, "route_id"),
        ({"mode": "remove", "url": "**/none"}, "url"),
    ],
)  # fmt: skip
def test_route_rejects_invalid_arguments_and_adds_no_route(
    browser: Browser, wrong: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        browser.route(**wrong)
    assert refused.value.data["field"] == field
    assert browser.route(mode="list").value == {"routes": []}


@pytest.mark.threat
def test_route_rejects_response_bodies_when_evaluate_is_disabled(
    browser: Browser, site: Site
) -> None:
    browser.configure(BrowserConfig(evaluate_enabled=False))
    try:
        for answer in (
            {"body": "document.title = 'ran'", "content_type": "text/javascript"},
            {"body": "<script>document.title = 'ran'</script>"},
            {"body": "{}"},
            {"status": 302, "headers": {"Location": site.there}},
        ):
            with pytest.raises(Disabled, match="evaluate_enabled"):
                browser.route("**/*", **answer)  # type: ignore[arg-type]
        browser.route("**/none", status=404)
        browser.route("**/ads", abort="failed")
        browser.route("**/api", headers={"X-A": "1"})
        browser.route("**/slow", delay_ms=1)
        assert len(browser.route(mode="list").value["routes"]) == 4
    finally:
        browser.configure(BrowserConfig())

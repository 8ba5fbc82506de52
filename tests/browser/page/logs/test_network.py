"""The network log: recorded from the first call, limited in size, without secrets."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from support.cases import ALL
from support.eventually import eventually
from support.relay import Relay
from support.site import Site

from tabwarden import BrowserConfig, events
from tabwarden.errors import InvalidArgument
from tabwarden.supervisor.core.state.network_log import NETWORK_RING
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


def answering(body: bytes, kind: str = "text/html", status: int = 200, **headers: str) -> Any:
    def answer(request: Any) -> None:
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def log(browser: Browser, **wanted: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = browser.network(**wanted).value["requests"]
    return found


def fetched(browser: Browser, *urls: str) -> None:
    browser.evaluate(
        "(...urls) => Promise.all(urls.map((url) => fetch(url).then((it) => it.text(), () => 0)))",
        args=urls,
    )


def test_network_starts_recording_on_its_first_call_and_says_so(
    own_browser: Browser, site: Site
) -> None:
    own_browser.goto(site.page("/", "page"))
    first = own_browser.network()
    assert first.value["requests"] == []
    assert "Recording starts now" in first.note
    own_browser.reload()
    again = own_browser.network()
    assert again.note == ""
    (document,) = [one for one in again.value["requests"] if one["type"] == "document"]
    assert (document["method"], document["status"], document["pending"]) == ("GET", 200, False)
    assert document["url"] == f"{site.here}/"
    assert document["size"] > 0
    assert document["duration_ms"] > 0
    assert document["started_at"] >= again.value["recording_since"] - 1
    own_browser.tabs("open", url=site.page("/two", "two"))
    (two,) = log(own_browser, resource_type="document")
    assert two["url"] == f"{site.here}/two"


def test_network_filters_narrow_the_list_of_requests(browser: Browser, site: Site) -> None:
    site.pages["/app.js"] = answering(b"1", "text/javascript")
    site.pages["/api/items"] = answering(b"[]", "application/json")
    site.pages["/api/broken"] = answering(b"no", status=500)
    browser.goto(site.page("/", "<h1>Items</h1><script src=/app.js></script>"))
    fetched(browser, "/api/items", "/api/broken", "http://127.0.0.1:9/")
    everything = log(browser)
    assert [one["type"] for one in everything][:2] == ["document", "script"]
    assert {one["url"] for one in log(browser, resource_type="fetch", url="/api/")} == {
        f"{site.here}/api/items", f"{site.here}/api/broken",
    }  # fmt: skip
    assert [one["url"] for one in log(browser, url="*/api/*s")] == [f"{site.here}/api/items"]
    failed = {one["url"]: one for one in log(browser, failed=True) if "favicon" not in one["url"]}
    assert failed[f"{site.here}/api/broken"]["status"] == 500
    assert "net::" in failed["http://127.0.0.1:9/"]["error"]
    assert len(failed) == 2
    last = everything[-1]["id"]
    assert log(browser, since=last) == []
    fetched(browser, "/api/items")
    assert [one["url"] for one in log(browser, since=last)] == [f"{site.here}/api/items"]
    cut = browser.network(limit=1).value
    assert len(cut["requests"]) == 1
    assert cut["left_out"] == len(everything)


def test_network_lists_each_hop_of_a_redirect(browser: Browser, site: Site) -> None:
    site.pages["/old"] = answering(b"", status=302, Location="/new")
    site.page("/new", "new")
    browser.goto(f"{site.here}/old")
    hops = [(one["url"], one["status"], one["pending"]) for one in log(browser)][:2]
    assert hops == [(f"{site.here}/old", 302, False), (f"{site.here}/new", 200, False)]
    old = browser.network(request_id=log(browser)[0]["id"]).value
    assert "redirected" in old["body_missing"]


def test_network_returns_a_response_body_on_request(browser: Browser, site: Site) -> None:
    site.pages["/items"] = answering(b'{"a": "\xc3\xa4"}' + b" " * 100, "application/json")
    site.pages["/pixel"] = answering(base64.b64decode("R0lGODlhAQABAAAAACw="), "image/gif")
    browser.goto(site.page("/", "page"))
    fetched(browser, "/items", "/pixel")
    items, pixel = (log(browser, url=path)[0]["id"] for path in ("/items", "/pixel"))
    whole = browser.network(request_id=items).value
    assert whole["body"].startswith('{"a": "ä"}')
    assert (whole["chars"], whole["truncated"], whole["status"]) == (110, False, 200)
    part = browser.network(request_id=items, max_chars=6).value
    assert (part["body"], part["truncated"]) == ('{"a": ', True)
    assert browser.network(request_id=pixel).value["bytes"] == 14
    document = log(browser, resource_type="document")[0]["id"]
    assert "page" in browser.network(request_id=document).value["body"]
    browser.goto("about:blank")
    left = browser.network(request_id=items).value
    assert (left["status"], "body" in left) == (200, False)
    assert left["body_missing"]


@pytest.mark.threat
def test_network_and_state_mask_secrets_in_urls(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "page"))
    browser.evaluate(
        """Promise.all([
          fetch('/a?access_token=s3cret&page=2#id_token=s3cret'),
          fetch('/p;jsessionid=s3cret?PHPSESSID=s3cret'),
          fetch('/b?X-Amz-Signature=s3cret&q=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s3cret'),
          fetch('/c', {method: 'POST', body: 's3cret', headers: {Authorization: 's3cret'}}),
        ]).then(() => 0)"""
    )
    found = browser.network()
    assert "s3cret" not in repr(found)
    assert "s3cret" not in repr(browser.state)
    assert log(browser, url="/a")[0]["url"].startswith(f"{site.here}/a?access_token=…&page=2")
    assert log(browser, url="/c")[0]["method"] == "POST"


@pytest.mark.long
def test_network_keeps_only_the_latest_of_many_requests(browser: Browser, site: Site) -> None:
    times = 10_000 if ALL else 2_000
    site.pages["/n"] = answering(b"1")
    browser.goto(site.page("/", "page"))
    browser.evaluate(
        """async (times) => {
          for (let at = 0; at < times; at += 500)
            await Promise.all(Array.from({length: 500}, (_, n) =>
              fetch(`data:text/plain,${at + n}`).then((it) => it.text())));
        }""",
        args=[times],
        timeout_ms=100_000,
    )
    found = browser.network(limit=500).value
    assert len(found["requests"]) == 500
    assert found["forgotten"] >= times - 500
    numbers = [int(one["id"][2:]) for one in found["requests"]]
    assert numbers == sorted(numbers)
    assert browser.state.health.status == "live"


def test_network_shortens_long_urls(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "page"))
    fetched(browser, "/long?" + "x" * 5_000, "data:text/plain," + "y" * 100_000)
    assert max(len(one["url"]) for one in log(browser)) <= 300
    assert any(one["url"].endswith("(100016 characters)") for one in log(browser))


def test_network_lists_requests_from_cross_site_frames(browser: Browser, site: Site) -> None:
    site.pages["/inner.js"] = answering(b"1", "text/javascript")
    site.page("/inner", "<script src=/inner.js></script>")
    browser.goto(site.page("/", f"<iframe src={site.there}/inner></iframe>"))
    urls = [one["url"] for one in log(browser)]
    assert f"{site.there}/inner" in urls
    assert f"{site.there}/inner.js" in urls
    for path in ("/inner.js", f"{site.there}/inner"):
        one = log(browser, url=path)[0]
        assert (one["status"], one["pending"]) == (200, False)


def test_network_marks_slow_requests_as_pending_and_abandoned_requests_as_failed(
    browser: Browser, site: Site
) -> None:
    release = threading.Event()

    def hold(request: Any) -> None:
        release.wait(30)

    site.pages["/slow"] = hold
    browser.goto(site.page("/", "<script>fetch('/slow')</script>"))
    (slow,) = log(browser, url="/slow")
    assert (slow["pending"], slow["status"]) == (True, None)
    assert "not complete" in browser.network(request_id=slow["id"]).value["body_missing"]
    browser.goto("about:blank")
    (slow,) = log(browser, url="/slow")
    assert slow["error"]
    assert not slow["pending"]
    release.set()


@pytest.mark.long
def test_network_omits_tabwardens_own_requests(own_browser: Browser, site: Site) -> None:
    own_browser.network()
    site.page("/", "<button onclick=\"alert('wait')\">Ask</button>")
    own_browser.goto(f"{site.here}/")
    assert own_browser.click(own_browser.snapshot().ref("Ask")).interrupted
    assert log(own_browser), "it can be read behind a dialog"
    own_browser.dialog("accept")
    own_browser.storage_state()
    own_browser.clipboard("write", "text")
    assert {one["url"].partition("?")[0] for one in log(own_browser)} <= {
        f"{site.here}/", f"{site.here}/favicon.ico",
    }  # fmt: skip


def test_network_keeps_recording_after_a_lost_connection(port: int, site: Site) -> None:
    with Relay(port) as relay, Browser.connect(relay.url) as browser:
        browser.network()
        browser.goto(site.page("/", "page"))
        with browser.events(events.EndpointLost) as told:
            relay.cut()
            assert told.get(5) is not None
        browser.snapshot()
        fetched(browser, "/after")
        assert [one["url"] for one in log(browser, resource_type="document")] == [f"{site.here}/"]
        assert len(log(browser, url="/after")) == 1


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"resource_type": "xml"}, "type"),
        ({"since": "12"}, "since"),
        ({"request_id": "r-x"}, "request_id"),
        ({"request_id": "r-999999"}, "request_id"),
        ({"limit": 0}, "limit"),
        ({"max_chars": 0}, "max_chars"),
    ],
)
def test_network_rejects_invalid_arguments(
    browser: Browser, arguments: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.network(**arguments)
    assert caught.value.data["field"] == field


@pytest.mark.parametrize(
    ("method", "status", "body"),
    [("DELETE", 204, b""), ("POST", 205, b""), ("HEAD", 200, b""), ("GET", 200, b""),
     ("GET", 200, b"unread")],
)  # fmt: skip
def test_network_does_not_mark_a_response_with_an_unread_body_as_failed(
    browser: Browser, site: Site, method: str, status: int, body: bytes
) -> None:
    """Chromium reports this request as canceled; an agent would send it again."""
    site.pages["/x"] = answering(body, status=status)
    button = f"<button onclick=\"fetch('/x', {{method: '{method}', keepalive: true}})\">Go</button>"
    browser.goto(site.page("/", button))
    effect = browser.click(browser.snapshot().ref("Go")).effect
    assert eventually(lambda: [one for one in log(browser, url="/x") if not one["pending"]])
    [request] = log(browser, url="/x")
    assert (request["status"], request.get("error", "")) == (status, "")
    assert log(browser, url="/x", failed=True) == []
    assert "failed" not in str(effect)


def test_network_does_not_mark_a_form_submission_answered_with_204_as_failed(
    browser: Browser, site: Site
) -> None:
    site.pages["/x"] = answering(b"", status=204)
    browser.goto(site.page("/", "<form method=post action=/x><button>Save</button></form>"))
    effect = browser.click(browser.snapshot().ref("Save")).effect
    assert eventually(lambda: [one for one in log(browser, url="/x") if not one["pending"]])
    [request] = log(browser, url="/x")
    assert (request["status"], request.get("error", "")) == (204, "")
    assert "failed" not in str(effect)


def test_network_marks_a_request_that_the_page_aborted_as_failed(
    browser: Browser, site: Site
) -> None:
    goes_on = threading.Event()
    site.pages["/x"] = lambda request: goes_on.wait(30)
    browser.goto(site.page("/", ""))
    browser.evaluate(
        "stop = new AbortController(), void fetch('/x', {signal: stop.signal}).catch(() => 0)"
    )
    assert eventually(lambda: "/x" in site.hits)
    browser.evaluate("stop.abort()")
    assert eventually(lambda: log(browser, url="/x", failed=True))
    goes_on.set()


def test_new_requests_are_those_that_began_or_ended_since_the_last_such_call(
    browser: Browser, site: Site
) -> None:
    released = threading.Event()

    def slow(request: Any) -> None:
        released.wait(20)
        answering(b"late", status=500)(request)

    site.pages |= {"/slow": slow, "/data": answering(b"x")}

    def new() -> list[tuple[str, int | None]]:
        value = browser.network(new=True).value
        assert (value["left_out"], value["forgotten"]) == (0, 0)
        return [(one["url"].removeprefix(site.here), one["status"]) for one in value["requests"]]

    try:
        browser.goto(site.page("/", "<script>fetch('/slow')</script>"))
        assert new() == [("/", 200), ("/slow", None)]
        assert new() == []
        fetched(browser, "/data")
        assert len(log(browser)) == 3, "the whole list"
        assert new() == [("/data", 200)]
    finally:
        released.set()
    assert eventually(new) == [("/slow", 500)]
    assert new() == []


@pytest.mark.parametrize("other", [{"request_id": "r-1"}, {"filename": "new.har"}])
def test_new_requests_are_only_listed(other: dict[str, Any], browser: Browser) -> None:
    with pytest.raises(InvalidArgument, match="new lists requests"):
        browser.network(new=True, **other)


def test_list_of_new_requests_counts_those_that_were_lost_since_the_last_call(
    browser: Browser, site: Site
) -> None:
    site.pages["/n"] = answering(b"1")
    browser.goto(site.page("/", "page"))
    browser.network(new=True)
    urls = [f"data:text/plain,{n}" for n in range(NETWORK_RING + 20)]
    fetched(browser, *urls)
    value = browser.network(new=True, limit=500).value
    assert (len(value["requests"]), value["forgotten"]) == (NETWORK_RING, 20)
    fetched(browser, "/n")
    value = browser.network(new=True).value
    assert [one["url"] for one in value["requests"]] == [f"{site.here}/n"]
    assert value["forgotten"] == 0

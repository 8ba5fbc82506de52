"""Navigation: completed by events, with accurate failure reports."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path

import pytest
from support.hangs import servers
from support.needs import needs
from support.pace import allow
from support.site import Site

from tabwarden.errors import (
    BadCertificate,
    BudgetExceeded,
    Denied,
    InvalidArgument,
    PageUnreachable,
)
from tabwarden.sync import Browser


def test_goto_waits_for_load_and_returns_url_and_title(browser: Browser, site: Site) -> None:
    result = browser.goto(site.page("/", "<img src='/slow.png'>", title="Start"))
    assert (result.status, result.url, result.title) == ("ok", site.here + "/", "Start")
    assert browser.evaluate("document.readyState").value == "complete"


def test_back_forward_and_reload_load_the_right_page(browser: Browser, site: Site) -> None:
    one = site.page("/one", "1", title="One")
    two = site.page("/two", "2", title="Two")
    browser.goto(one)
    browser.goto(two)
    assert browser.back().title == "One"
    assert browser.forward().title == "Two"
    browser.evaluate("window.mark = 1")
    assert browser.reload().title == "Two"
    assert browser.evaluate("window.mark ?? null").value is None
    with pytest.raises(InvalidArgument):
        browser.forward()


def test_back_and_forward_return_after_a_same_document_navigation(
    browser: Browser, site: Site
) -> None:
    url = site.page("/", "x", title="Start")
    browser.goto(url)
    browser.evaluate("window.mark = 1; history.pushState(0, '', '/one?q=2')")
    browser.evaluate("history.pushState(0, '', '/one?q=2')")  # the same URL once more
    assert browser.back(timeout_ms=10_000).url == site.here + "/one?q=2"
    assert browser.back(timeout_ms=10_000).url == url
    assert browser.forward(timeout_ms=10_000).url == site.here + "/one?q=2"
    assert browser.evaluate("window.mark").value == 1


def test_back_waits_for_another_document_at_the_same_url(browser: Browser, site: Site) -> None:
    def form(request: BaseHTTPRequestHandler) -> None:
        request.rfile.read(int(request.headers.get("Content-Length") or 0))
        if came and request.command == "GET":
            time.sleep(0.3)
        came.append(request.command)
        body = f"<title>{request.command}</title><form method=post><button>Send</button></form>"
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.send_header("Cache-Control", "no-store")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body.encode())

    came: list[str] = []
    site.pages["/form"] = form
    browser.goto(site.here + "/form")
    assert browser.click("css=button").title == "POST"
    assert browser.back().title == "GET"


def test_goto_and_back_navigate_within_the_same_document(browser: Browser, site: Site) -> None:
    url = site.page("/", "<a href='#x'>x</a>", title="Start")
    browser.goto(url)
    browser.evaluate("window.mark = 1")
    assert browser.goto(url + "#part").url == url + "#part"
    assert browser.evaluate("window.mark").value == 1
    assert browser.back().url == url


def test_goto_fails_when_no_server_is_listening(browser: Browser) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(PageUnreachable) as caught:
            browser.goto(f"http://127.0.0.1:{port}/")
    assert caught.value.code == "page_unreachable"
    assert caught.value.data["error_text"].startswith("net::ERR_")
    assert browser.evaluate("1").value == 1


@needs("openssl")
def test_goto_raises_bad_certificate_for_an_untrusted_certificate(
    browser: Browser, tmp_path: Path
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost".split()
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", *made, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with pytest.raises(BadCertificate) as caught:
        browser.goto(f"https://127.0.0.1:{server.server_port}/")
    server.shutdown()
    server.server_close()
    assert caught.value.data["error_text"].startswith("net::ERR_CERT_")
    assert "person" in caught.value.hint


@pytest.mark.parametrize(
    "url", ["", "   ", "http://", "http://[", "no url at all", "http://x:99999/"]
)
def test_goto_rejects_invalid_urls(browser: Browser, url: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.goto(url)
    assert caught.value.data["field"] == "url"


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        " FI\tLE:/etc/passwd",
        "view-source:file:///etc/passwd",
        "view-source:http://localhost/",
        "filesystem:http://localhost/x",
        "chrome://settings",
        "chrome-extension://x/y",
        "devtools://devtools/x",
        "javascript:alert(1)",
        "\tjavaScript:alert(1)",
        "about:crash",
    ],
)
@pytest.mark.threat
def test_goto_denies_forbidden_url_schemes(browser: Browser, url: str) -> None:
    with pytest.raises(Denied):
        browser.goto(url)


@pytest.mark.parametrize("way", ["iframe src", "img src", "object data", "embed src"])
@pytest.mark.threat
def test_page_from_a_data_url_cannot_read_local_files(
    way: str, browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "file.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg'><text>leaked</text></svg>"
    )
    there = (tmp_path / "file.svg").as_uri()
    browser.goto(f"data:text/html,<{way}='{there}'><script>location='{there}'</script>")
    browser.evaluate("(there) => fetch(there).catch(() => 0)", args=[there])
    assert "leaked" not in browser.snapshot().text
    frames = [browser.state.frame_tree.top, *browser.state.frame_tree.children]
    assert not [one for one in frames if one is not None and one.url.startswith("file:")]


@pytest.fixture
def silent_page(site: Site) -> Iterator[str]:
    """A page whose server accepts the request and never responds."""
    over = threading.Event()

    def answer(_: BaseHTTPRequestHandler) -> None:
        over.wait(60)

    site.pages["/silent"] = answer
    yield site.here + "/silent"
    over.set()


def test_goto_times_out_on_an_unresponsive_server_and_the_old_page_still_works(
    browser: Browser, site: Site, silent_page: str
) -> None:
    browser.goto(site.page("/", "<p>here</p>", title="Here"))
    with pytest.raises(BudgetExceeded):
        browser.goto(silent_page, timeout_ms=300)
    assert browser.evaluate("document.title", timeout_ms=allow(5_000)).value == "Here"


def test_page_that_never_finishes_loading_is_usable(
    browser: Browser, site: Site, silent_page: str
) -> None:
    url = site.page("/", f"<p>text</p><img src='{silent_page}'>", title="Usable")
    result = browser.goto(url, timeout_ms=1_500)
    assert result.status == "ok"
    assert "still loading" in result.note
    assert browser.evaluate("document.title").value == "Usable"


def test_click_on_a_link_waits_for_the_linked_page(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a machine of any speed: otherwise a slow page is reported as busy.
    monkeypatch.setattr(import_module("tabwarden.page.call.settle"), "FLUSH_MS", 20_000.0)
    site.page("/next", "<p>there</p>", title="Next")
    style = "position:fixed;left:0;top:0;width:100px;height:50px;display:block"
    browser.goto(site.page("/", f"<a href='/next' style='{style}'>Next</a>"))
    result = browser.click(x=20, y=20, timeout_ms=60_000)
    assert (result.url, result.title) == (site.here + "/next", "Next")


@pytest.mark.parametrize("wait_until", ["commit", "domcontentloaded"])
def test_goto_can_return_before_the_load_event(
    wait_until: str, browser: Browser, site: Site, silent_page: str
) -> None:
    url = site.page("/", f"<p>text</p><img src='{silent_page}'>", title="Early")
    result = browser.goto(url, wait_until=wait_until)  # type: ignore[arg-type]
    assert (result.status, result.url, result.note) == ("ok", url, "")


def test_goto_waits_for_the_networkidle_load_state(browser: Browser, site: Site) -> None:
    late = (
        "<script>onload = () => fetch('/late').then(() => { document.title = 'Rested' })</script>"
    )
    url = site.page("/", late, title="Early")
    result = browser.goto(url, wait_until="networkidle")
    assert (result.title, result.note) == ("Rested", "")


def test_goto_rejects_an_unknown_load_state(browser: Browser) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.goto("about:blank", wait_until="soon")  # type: ignore[arg-type]
    assert caught.value.data["field"] == "wait_until"


@pytest.mark.parametrize(
    ("status", "note"),
    [
        (200, ""),
        (404, "The server replied 404 (Not Found)."),
        (500, "The server replied 500 (Internal Server Error)."),
        (599, "The server replied 599."),
    ],
)
def test_goto_and_tabs_report_an_http_error_status(
    status: int, note: str, browser: Browser, site: Site
) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", "17")
        handler.end_headers()
        handler.wfile.write(b"<title>A</title>a")

    site.pages["/answer"] = respond
    gone = browser.goto(site.here + "/answer")
    assert (gone.status, gone.title, gone.note) == ("ok", "A", note)
    assert browser.tabs("open", url=site.there + "/answer").note == note
    assert browser.goto(site.page("/fine", "fine")).note == ""


@pytest.mark.usefixtures("patient")  # or Tabwarden reports a slow page as recovering
def test_goto_timeout_error_contains_the_unresponsive_url_and_the_current_page(
    browser: Browser, site: Site
) -> None:
    calm = site.page("/calm", "calm")
    site.pages["/silent"] = servers.silent
    browser.goto(calm)
    with pytest.raises(BudgetExceeded) as raised:
        browser.goto(site.here + "/silent", timeout_ms=700)
    assert "has not responded" in raised.value.hint
    assert site.here + "/silent" in raised.value.hint
    assert calm in raised.value.hint


@pytest.mark.usefixtures("patient")  # or Tabwarden reports a slow page as recovering
def test_goto_times_out_when_a_blocking_script_never_arrives(browser: Browser, site: Site) -> None:
    site.pages["/silent"] = servers.silent
    page = site.page("/waits", "<p>Here</p><script src=/silent></script>")
    with pytest.raises(BudgetExceeded) as raised:
        browser.goto(page, timeout_ms=700)
    assert "has not finished loading" in raised.value.hint
    assert page in raised.value.hint


def test_timeout_error_identifies_the_dialog_that_blocked_the_call(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/calm", "calm"))
    with pytest.raises(BudgetExceeded, match=r"Dialog d-\d+ \(alert\) is waiting .*Sure") as raised:
        browser.cdp("Runtime.evaluate", {"expression": "alert('Sure?')"}, timeout_ms=700)
    assert raised.value.data["dialog"]["message"] == "Sure?"
    browser.dialog("accept")


@pytest.mark.usefixtures("patient")  # or Tabwarden reports a slow page as recovering
def test_state_keeps_the_old_url_after_a_navigation_times_out(browser: Browser, site: Site) -> None:
    site.pages["/silent"] = servers.silent
    here = site.page("/", "here", title="Here")
    for _ in range(3):
        browser.goto(here)
        browser.evaluate("1")  # its title is requested once more later, during the navigation
        with pytest.raises(BudgetExceeded) as caught:
            browser.goto(site.here + "/silent", timeout_ms=500)
        assert f"The tab still shows {here}." in caught.value.hint
        assert browser.state.tabs[0].url == here
        assert here in browser.state_message()

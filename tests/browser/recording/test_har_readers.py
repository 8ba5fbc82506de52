"""HAR files as other programs read them: sizes, frames, and requests that failed."""

from __future__ import annotations

import base64
import gzip
import json
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.beside import sync_playwright_browser
from support.site import Site
from support.trace_viewer import opened
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as serve_socket

from tabwarden import BrowserConfig
from tabwarden.sync import Browser

TEXT, PICTURE = b"x" * 10_000, bytes(range(256)) * 4
ZIPPED = gzip.compress(TEXT, mtime=0)


def answering(body: bytes, kind: str = "text/plain", status: int = 200, **headers: str) -> Any:
    def answer(request: Any) -> None:
        request.send_response(status)
        named = {"Content-Type": kind, "Content-Length": str(len(body)), **headers}
        for name, value in named.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def in_chunks(request: Any) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "text/plain")
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    request.wfile.write(b"5\r\nhello\r\n0\r\n\r\n")


def cut(request: Any) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b"half")
    request.close_connection = True


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("har")


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Browser]:
    config = BrowserConfig(record_network=True, output_dir=folder, trace_dir=folder)
    with Browser.launch(config=config) as opened_browser:
        yield opened_browser


@pytest.fixture
def pages(site: Site) -> Site:
    site.pages["/text"] = answering(b"four", "text/plain")
    site.pages["/zipped"] = answering(ZIPPED, Content_Encoding="gzip")
    site.pages["/picture"] = answering(PICTURE, "image/x-none", Cache_Control="max-age=1000")
    site.pages["/moved"] = answering(b"", status=302, Location="/none")
    site.pages["/none"] = answering(b"", status=204)
    site.pages["/chunks"] = in_chunks
    site.pages["/cut"] = cut
    return site


def entries(browser: Browser, name: str, url: str) -> list[dict[str, Any]]:
    saved = browser.network(filename=name, url=url, content="embed", overwrite=True).value
    read: list[dict[str, Any]] = json.loads(Path(saved["path"]).read_text())["log"]["entries"]
    return read


@pytest.mark.parametrize(
    ("path", "read", "came", "size"),
    [
        ("/text", "text", 4, 4),
        ("/zipped", "text", len(ZIPPED), len(TEXT)),
        ("/picture", "arrayBuffer", len(PICTURE), len(PICTURE)),
        ("/picture?", "blob", len(PICTURE), len(PICTURE)),
        ("/moved", "text", 0, 0),
        ("/none", "text", 0, 0),
        ("/chunks", "text", None, 5),
    ],
)
def test_har_contains_the_sizes_of_response_bodies(
    path: str, read: str, came: int | None, size: int, browser: Browser, pages: Site
) -> None:
    browser.goto(pages.page("/", "page"))
    browser.evaluate(f"fetch('{path}').then(it => it.{read}()).then(() => 1)")
    response = entries(browser, "sizes.har", pages.here + path)[-1]["response"]
    assert response["content"]["size"] == size
    assert came is None or response["bodySize"] == came
    assert response["headersSize"] > 50


def test_har_records_a_body_size_of_zero_for_a_cached_response(
    browser: Browser, pages: Site
) -> None:
    browser.goto(pages.page("/", "page"))
    for _ in range(2):
        browser.evaluate("fetch('/picture?2').then(it => it.arrayBuffer()).then(() => 1)")
    (_, cached) = entries(browser, "cached.har", pages.here + "/picture?2")
    assert (cached["response"]["bodySize"], cached["response"]["headersSize"]) == (0, -1)
    assert cached["response"]["content"]["size"] == len(PICTURE)


@pytest.mark.parametrize(
    ("asks", "read"),
    [
        ("/text", "blob"),
        ("/zipped", "blob"),
        ("/text", "text"),
        ("/zipped", "text"),
        ("/chunks", "text"),
    ],
)
def test_har_reports_that_a_body_read_as_a_blob_is_missing(
    asks: str, read: str, browser: Browser, pages: Site
) -> None:
    browser.goto(pages.page("/", "page"))
    browser.evaluate(f"fetch('{asks}').then(it => it.{read}()).then(() => 1)")
    found = browser.network(url=pages.here + asks).value["requests"][-1]
    told = browser.network(request_id=found["id"], max_chars=20).value
    (entry,) = entries(browser, "blob.har", pages.here + asks)
    content = entry["response"]["content"]
    if read == "blob":
        assert "Blob" in told["body_missing"]
        assert "Blob" in content["_body_missing"]
        assert "text" not in content
    else:
        assert told["body"]
        assert content["text"].startswith(told["body"])


def test_har_does_not_report_an_empty_body_as_missing(browser: Browser, pages: Site) -> None:
    pages.pages["/empty"] = answering(b"")
    browser.goto(pages.page("/", "page"))
    browser.evaluate("fetch('/empty').then(it => it.text())")
    found = browser.network(url=pages.here + "/empty").value["requests"][-1]
    assert browser.network(request_id=found["id"]).value["body"] == ""


def talk(browser: Browser, site: Site) -> None:
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
                socket.send('hello'); socket.send(new Uint8Array([0, 255, 2]));
                socket.send('y'.repeat(5000));
              }};
              socket.onmessage = () => {{ if (++got === 3) {{ socket.close(); done(); }} }};
            }})"""
        )
        server.shutdown()


def test_har_contains_websocket_frames(browser: Browser, pages: Site) -> None:
    began = time.time()
    talk(browser, pages)
    (entry,) = entries(browser, "socket.har", "/talk")
    frames = entry["_webSocketMessages"]
    sent = [one for one in frames if one["type"] == "send"]
    assert [(one["opcode"], one["data"][:5]) for one in sent] == [
        (1, "hello"), (2, base64.b64encode(b"\0\xff\2").decode()[:5]), (1, "yyyyy"),
    ]  # fmt: skip
    assert [one["data"] for one in frames if one["type"] == "receive"] == [
        one["data"] for one in sent
    ]
    assert (len(sent[2]["data"]), sent[2]["_size"]) == (2000, 5000)
    assert all(began - 1 < one["time"] < time.time() + 1 for one in frames)
    response = entry["response"]
    assert (response["status"], response["bodySize"], response["content"]["size"]) == (101, 0, 0)


def test_playwright_trace_viewer_shows_websocket_frames(
    browser: Browser, pages: Site, folder: Path
) -> None:
    talk(browser, pages)
    path = Path(browser.trace("frames").value["path"])
    lines = zipfile.ZipFile(path).read("trace.network").decode().splitlines()
    snapshots = [json.loads(line)["snapshot"] for line in lines]
    (entry,) = [one for one in snapshots if one.get("_webSocketMessages")][-1:]
    assert entry["_webSocketMessages"][0]["time"] > 1e12  # Playwright's are in milliseconds
    with sync_playwright_browser() as playwright, opened(playwright, path) as viewer:
        assert "hello" in viewer.messages("talk")


def test_failed_request_has_no_status_in_the_har_and_is_not_replayed(
    browser: Browser, pages: Site, folder: Path
) -> None:
    browser.goto(pages.page("/", "page"))
    for path in ("/cut", "/text"):
        browser.evaluate(f"fetch('{path}').then(it => it.text()).catch(() => 1)")
    (failed,) = entries(browser, "failed.har", pages.here + "/cut")
    assert failed["response"]["status"] == -1
    assert "CONTENT_LENGTH_MISMATCH" in failed["response"]["_failureText"]
    path = folder / "replayed.har"
    browser.network(filename=path.name, content="embed", overwrite=True)
    with sync_playwright_browser() as playwright:
        page = playwright.new_page()
        page.route_from_har(path, not_found="abort")
        page.goto(pages.here + "/")
        assert page.evaluate("fetch('/text').then(it => it.text())") == "four"
        got = """Promise.race([
          fetch('/cut').then(it => it.status, () => 'failed'),
          new Promise(done => setTimeout(done, 500, 'no answer'))])"""
        assert page.evaluate(got) in ("failed", "no answer")

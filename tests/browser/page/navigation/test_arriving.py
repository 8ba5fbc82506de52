"""Incomplete documents: a navigation ends, and the received part is usable."""

from __future__ import annotations

from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from support.hangs import servers
from support.pace import allow, long_before
from support.serving_files import endless
from support.site import Site

from tabwarden.errors import BudgetExceeded
from tabwarden.sync import Browser

ROW = b"<p>Row</p>"


def flood(handler: BaseHTTPRequestHandler) -> None:
    """Endless paragraphs, as fast as the browser reads them."""
    piece = b"<p>Row " + b"word " * 100
    handler.close_connection = True
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while True:
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))


@pytest.mark.parametrize(
    ("kind", "piece"), [("text/html", ROW), ("text/event-stream", b"data: Row\n\n")]
)
@pytest.mark.whole
def test_goto_and_snapshot_use_the_received_part_of_an_endless_document(
    kind: str, piece: bytes, browser: Browser, site: Site
) -> None:
    site.pages["/feed"] = endless(kind, piece, most=3)
    with long_before(30):
        shown = browser.goto(site.here + "/feed", timeout_ms=allow(6_000))
    assert (
        shown.note
        == "The document is still being received. The part received so far can be read and used."
    )
    browser.wait(script="document.body.innerText.includes('Row')")
    assert "Row" in browser.snapshot().text
    assert browser.evaluate("document.readyState").value == "loading"


@pytest.mark.parametrize("kind", ["text/html", "text/event-stream", "multipart/x-mixed-replace"])
@pytest.mark.whole
def test_goto_with_a_snapshot_does_not_wait_for_the_end_of_an_endless_document(
    kind: str, browser: Browser, site: Site
) -> None:
    site.pages["/feed"] = endless(kind, ROW, most=3)
    with long_before(9):
        shown = browser.goto(site.here + "/feed", snapshot="full", timeout_ms=allow(30_000))
    assert "The document is still being received." in shown.note
    assert "still changing" not in shown.note


def test_goto_with_a_snapshot_reads_an_incomplete_document_at_once(
    browser: Browser, site: Site
) -> None:
    site.pages["/cut"] = servers.cut_short
    with long_before(4):
        shown = browser.goto(site.here + "/cut", snapshot="full")
    assert shown.note.startswith("Only part of the page was received")
    assert shown.snapshot is not None
    assert "Half" in shown.snapshot.text


@pytest.mark.parametrize("body", [servers.headers_only, endless("text/html", ROW, most=3)])
def test_wait_for_load_reports_that_the_document_is_incomplete(
    body: object, browser: Browser, site: Site
) -> None:
    site.pages["/feed"] = body  # type: ignore[assignment]
    browser.goto(site.here + "/feed", wait_until="commit")
    with pytest.raises(BudgetExceeded) as late:
        browser.wait(load_state="load", timeout_ms=500)
    assert "the document itself, or a script or a stylesheet in it, has not been received" in (
        late.value.hint
    )


@pytest.mark.parametrize("wait_until", ["load", "commit"])
def test_goto_keeps_the_received_part_of_an_endless_fast_document(
    wait_until: Any, browser: Browser, site: Site
) -> None:
    site.pages["/flood"] = flood
    url = site.here + "/flood"
    with suppress(BudgetExceeded):  # if the page does not respond before that
        shown = browser.goto(url, wait_until=wait_until, timeout_ms=allow(5_000))
        assert (shown.status, shown.url) == ("ok", url)
        assert ("received so far" in shown.note) == (wait_until == "load")
    with suppress(BudgetExceeded):
        browser.wait(load_state="load", timeout_ms=2_000)
    assert browser.evaluate("document.querySelectorAll('p').length").value > 100
    assert browser.state.tabs[0].url == url


@pytest.mark.parametrize(
    "part",
    [
        "<iframe src=/silent></iframe>",
        "<img src=/silent>",
        "<style>@font-face { font-family: X; src: url(/silent) } p { font-family: X }</style>",
    ],
    ids=["frame", "image", "font"],
)
def test_goto_waits_only_briefly_for_a_stalled_frame_image_or_font(
    part: str, browser: Browser, site: Site
) -> None:
    site.pages["/silent"] = servers.silent
    with long_before(10):
        shown = browser.goto(site.page("/", f"<p>Text</p>{part}"))
    assert "a frame, an image or a font has not loaded" in shown.note
    assert "Text" in browser.snapshot().text


def test_click_and_snapshot_are_fast_on_an_endless_document(browser: Browser, site: Site) -> None:
    body = b"<button onclick=\"this.textContent = 'Done'\">Go</button>"
    site.pages["/feed"] = endless("text/html", body, most=1)
    browser.goto(site.here + "/feed", timeout_ms=allow(4_000))
    with long_before(3):
        clicked = browser.click("css=button")
    assert clicked.note == ""
    with long_before(2):
        assert '"Done"' in browser.snapshot().text

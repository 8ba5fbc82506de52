"""PDFs, printed into the download folder or into memory."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from support.hangs import servers
from support.site import Site

import tabwarden
from tabwarden.config import BrowserConfig
from tabwarden.errors import Denied, DialogPending, InvalidArgument, TargetCrashed
from tabwarden.sync import Browser

TALL = "<style>p { break-after: page }</style><p>one<p>two<p>three"


@pytest.fixture(scope="module")
def down(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("down")


@pytest.fixture(scope="module")
def module_browser(down: Path) -> Iterator[Browser]:
    with Browser.launch(config=BrowserConfig(download_dir=down)) as browser:
        yield browser


@pytest.fixture
def browser(module_browser: Browser, down: Path, site: Site) -> Browser:
    for left in down.iterdir():
        left.unlink()
    module_browser.goto(site.page("/", TALL, title="Year / in ../review"))
    return module_browser


def sheets(document: bytes) -> list[tuple[float, float]]:
    """The size of each page, in millimeters."""
    text = document
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", document, re.S):
        try:
            text += zlib.decompress(packed)
        except zlib.error:
            continue
    boxes = re.findall(rb"/Type\s*/Page\b[^s].*?/MediaBox\s*\[([^\]]*)\]", text, re.S)
    sizes = [tuple(float(n) for n in box.split()) for box in boxes]
    return [(round(w / 72 * 25.4), round(h / 72 * 25.4)) for _, _, w, h in sizes]


def printed(browser: Browser, **options: object) -> bytes:
    document = browser.pdf(as_bytes=True, **options).value  # type: ignore[arg-type]
    assert isinstance(document, bytes)
    assert document.startswith(b"%PDF-")
    return document


def test_pdf_saves_a_file_named_after_the_page_title(browser: Browser, down: Path) -> None:
    done = browser.pdf()
    path = Path(done.value["path"])
    assert path.parent == down.resolve()
    data = path.read_bytes()
    assert done.value == {
        "path": str(path),
        "filename": "review.pdf",
        "size": len(data),
        "mime_type": "application/pdf",
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    assert sheets(data) == [(210, 297)] * 3


def test_pdf_overwrites_files_only_on_request_and_never_writes_outside_its_folder(
    browser: Browser, down: Path
) -> None:
    assert browser.pdf("mine").value["filename"] == "mine.pdf"
    assert browser.pdf("mine.pdf").value["filename"] == "mine (1).pdf"
    assert browser.pdf("mine.pdf", overwrite=True).value["filename"] == "mine.pdf"
    assert sorted(p.name for p in down.iterdir()) == ["mine (1).pdf", "mine.pdf"]
    with pytest.raises(Denied):
        browser.pdf("../mine.pdf")


def test_pdf_as_bytes_writes_no_file(browser: Browser, down: Path) -> None:
    assert len(sheets(printed(browser))) == 3
    assert not list(down.iterdir())


@pytest.mark.parametrize(
    ("options", "size", "count"),
    [
        ({"paper": "letter"}, (216, 279), 3),
        ({"paper": "a3", "landscape": True}, (420, 297), 3),
        ({"size_mm": [100, 150]}, (100, 150), 3),
        ({"page_ranges": "2-3"}, (210, 297), 2),
        ({"page_ranges": "1, 3-"}, (210, 297), 2),
    ],
)
def test_pdf_applies_paper_size_and_page_range_options(
    options: dict[str, object], size: tuple[int, int], count: int, browser: Browser
) -> None:
    found = sheets(printed(browser, **options))
    assert len(found) == count
    for width, height in found:
        assert abs(width - size[0]) <= 1
        assert abs(height - size[1]) <= 1


def test_scale_and_margins_change_the_number_of_pdf_pages(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/long", "<p>line</p>" * 200))
    assert len(sheets(printed(browser, scale=0.5))) < len(sheets(printed(browser)))
    assert len(sheets(printed(browser, margin_mm=[80, 10, 80, 10]))) > len(sheets(printed(browser)))


def test_css_page_size_option_uses_the_stylesheets_paper_size(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/own", "<style>@page { size: 120mm 80mm }</style>card"))
    assert sheets(printed(browser, css_page_size=True)) == [(120, 80)]


def test_pdf_options_control_backgrounds_and_footers(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/bg", "<body style='background:linear-gradient(red,blue)'>text"))
    assert len(printed(browser)) > len(printed(browser, background=False))
    footer = "<div style='font-size:9px'>Page <span class=pageNumber></span></div>"
    assert len(printed(browser, footer=footer)) > len(printed(browser)) + 500


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"paper": "b5"}, "paper"),
        ({"size_mm": [1, 2]}, "size_mm"),
        ({"size_mm": [100]}, "size_mm"),
        ({"scale": 3}, "scale"),
        ({"margin_mm": -1}, "margin_mm"),
        ({"margin_mm": [1, 2]}, "margin_mm"),
        ({"margin_mm": 200}, "margin_mm"),
        ({"page_ranges": "first"}, "page_ranges"),
        ({"page_ranges": "9"}, "page_ranges"),
        ({"page_ranges": "3-1"}, "page_ranges"),
        ({"filename": "a/b"}, "filename"),
    ],
)
def test_pdf_rejects_invalid_options_and_writes_no_file(
    wrong: dict[str, object], field: str, browser: Browser, down: Path
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        browser.pdf(**wrong)  # type: ignore[arg-type]
    assert refused.value.data["field"] == field
    assert not list(down.iterdir())


def test_pdf_fails_while_a_dialog_is_open(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/ask", "<button onclick='alert(1)'>Ask"))
    assert browser.click(browser.snapshot().ref("Ask")).interrupted
    with pytest.raises(DialogPending):
        browser.pdf()
    browser.dialog("accept")
    assert browser.pdf(as_bytes=True).value.startswith(b"%PDF-")


def test_dialog_in_onbeforeprint_interrupts_pdf(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/asks", "<script>onbeforeprint = () => alert('print?')</script>x"))
    done = browser.pdf()
    assert done.interrupted
    assert done.by is not None
    assert done.by["dialog"]["message"] == "print?"
    browser.dialog("accept")
    assert browser.evaluate("1 + 1").value == 2


def test_pdf_reports_a_page_crash_during_printing(browser: Browser, site: Site) -> None:
    supervisor = tabwarden.browser.opening.registry.get(browser.task_id)
    assert supervisor is not None

    def crash(handler: BaseHTTPRequestHandler) -> None:
        (tab,) = supervisor.state.tabs.values()
        send = supervisor.connection.send
        supervisor.loop.call_soon_threadsafe(send, "Page.crash", b"{}", tab.session_id)
        servers.silent(handler)

    site.pages["/crash"] = crash
    told = "<script>onbeforeprint = () => navigator.sendBeacon('/crash')</script>"
    crashes = site.page("/crashes", told + "<p>many sheets" * 5_000)
    for _ in range(4):  # the browser may reject the command first or report the crash first
        browser.goto(crashes)
        with pytest.raises(TargetCrashed):
            browser.pdf(timeout_ms=10_000)
    browser.goto(site.page("/", "calm"))
    assert browser.evaluate("1 + 1").value == 2

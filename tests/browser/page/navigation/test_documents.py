"""Documents other than HTML and text: results describe them and how to read them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.pace import allow
from support.running import is_shell
from support.serving_files import endless, file, pdf_of
from support.site import Site

from tabwarden.errors import BudgetExceeded
from tabwarden.sync import Browser

GIF = base64.b64decode("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==")
WAV = b"RIFF\x25\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\1\0\0\0\x80"
UNSHOWN = "an image that the browser can't display; use the download tool to save it"
IMAGE = "an image of 1x1 pixels; take a screenshot to see it"
PDF = "a PDF of 2 pages; read its text with the scrape tool, or save it with the download tool"


@pytest.fixture(scope="module")
def whole() -> Iterator[Browser]:
    """A browser that shows PDFs; the headless shell downloads them."""
    with Browser.launch(executable=whole_chromium()) as browser:
        yield browser


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("image/gif", GIF, IMAGE),
        ("image/png", b"<h1>Session expired</h1>", UNSHOWN),
        ("audio/wav", WAV, "audio; use the download tool to save it"),
        ("video/mp4", b"", "a video; use the download tool to save it"),
    ],
)
@pytest.mark.whole
def test_goto_and_click_describe_an_image_audio_or_video_document(
    kind: str, body: bytes, words: str, browser: Browser, site: Site
) -> None:
    site.pages["/file"] = file(kind, body)
    shown = browser.goto(site.here + "/file", snapshot="full")
    assert shown.note == f"This document is {words}."
    assert shown.snapshot is not None
    assert f"- ({words})\n" in shown.snapshot.text
    browser.goto(site.page("/", "<a href=/file>File</a>"))
    assert browser.click("css=a").note == f"This document is {words}."


LINE = "A line of a log 1234567.\n"


@pytest.mark.parametrize(
    ("kind", "line", "end"),
    [("text/plain", LINE * 100_000, "The end"), ("text/html", f"<p>{LINE}" * 5_000, "<p>The end")],
    ids=["text", "html"],
)
@pytest.mark.whole
def test_find_wait_and_scrape_reach_the_end_of_a_long_text_file(
    kind: str, line: str, end: str, browser: Browser, site: Site
) -> None:
    site.pages["/log"] = file(kind, f"{line}{end} of (it)".encode())
    browser.goto(site.here + "/log")
    assert browser.find("the  END of (it)").value["total"] == 1
    browser.wait(text="the END of (it)")
    read = browser.scrape(format="text", max_chars=10_000_000)
    assert read.value["text"].rstrip().endswith("The end of (it)")
    assert read.note == ""


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "image/svg+xml", "text/html"])
def test_goto_does_not_describe_an_html_page_of_plain_text_as_a_file(
    kind: str, browser: Browser, site: Site
) -> None:
    body = b"<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>Words</text></svg>"
    site.pages["/page"] = file(kind, body)
    shown = browser.goto(site.here + "/page", snapshot="full")
    assert shown.note == ""
    assert shown.snapshot is not None
    assert "Words" in shown.snapshot.text
    assert "- (" not in shown.snapshot.text


def test_goto_does_not_treat_a_page_that_overrides_contenttype_as_a_file(
    browser: Browser, site: Site
) -> None:
    pose = "<script>Object.defineProperty(document, 'contentType', {value: 'image/gif'})</script>"
    shown = browser.goto(site.page("/", f"Words{pose}<img name=contentType>"), snapshot="full")
    assert shown.note == ""
    assert shown.snapshot is not None
    assert "- (" not in shown.snapshot.text


def test_snapshot_describes_a_file_in_a_frame(browser: Browser, site: Site) -> None:
    site.pages["/file"] = file("image/gif", GIF)
    browser.goto(site.page("/", "<p>Before</p><iframe src=/file></iframe><p>After</p>"))
    assert f"  - ({IMAGE})\n" in browser.snapshot().text


@needs("chromium")
def test_goto_describes_a_pdf_and_scrape_reads_its_text(whole: Browser, site: Site) -> None:
    site.pages["/report.pdf"] = file("application/pdf", pdf_of("Sum <b> 100", "Sum 101"))
    shown = whole.goto(site.here + "/report.pdf", snapshot="full")
    assert shown.note == f"This document is {PDF}."
    assert shown.snapshot is not None
    assert f"- ({PDF})\n" in shown.snapshot.text
    for form, words in (("text", "Sum <b> 100"), ("markdown", "Sum <b> 100")):
        read = whole.scrape(format=form)  # type: ignore[arg-type]
        assert words in read.value["text"]
        assert "Sum 101" in read.value["text"]


@pytest.mark.parametrize("policy", ["sandbox", "sandbox allow-scripts", ""])
def test_snapshot_says_that_a_sandboxed_page_runs_no_scripts(
    policy: str, browser: Browser, site: Site
) -> None:
    body = b"<!doctype html><button onclick=\"this.textContent = 'Hit'\">Go</button>"
    site.pages["/page"] = file("text/html", body, Content_Security_Policy=policy)
    browser.goto(site.here + "/page")
    line = "(scripts are off in this document, so controls that need them do nothing)"
    assert (line in browser.snapshot().text) == (policy == "sandbox")
    browser.click("css=button")
    assert ("Hit" in browser.snapshot().text) == (policy != "sandbox")


def test_snapshot_does_not_trust_a_page_that_poses_as_sandboxed(
    browser: Browser, site: Site
) -> None:
    pose = "<img name=createElement><noscript>Off</noscript><script>delete window.Document</script>"
    types = "require-trusted-types-for 'script'"
    body = f"<!doctype html>Words{pose}".encode()
    for policy in ("", types):
        site.pages["/page"] = file("text/html", body, Content_Security_Policy=policy)
        browser.goto(site.here + "/page")
        assert "Words" in browser.snapshot().text
        assert "scripts are off" not in browser.snapshot().text
        assert browser.console().value == []


def test_snapshot_of_a_long_text_file_names_the_tool_that_reads_it(
    browser: Browser, site: Site
) -> None:
    words = "(a long text file; read all of it with the scrape tool)"
    for count in (1, 1000):
        site.pages["/page"] = file("application/json", b'["a word"' + b',"a word"' * count + b"]")
        browser.goto(site.here + "/page")
        assert (words in browser.snapshot().text) == (count > 1)


def test_scrape_reads_an_svg_file(browser: Browser, site: Site) -> None:
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'>{}<text y='20'>Words</text></svg>"
    hidden = "<title>Name</title><style>a {}</style><defs><text>Unused</text></defs>"
    site.pages["/page"] = file("image/svg+xml", drawing.format(hidden).encode())
    browser.goto(site.here + "/page")
    assert browser.scrape(format="text").value["text"] == "Words"
    browser.goto(site.page("/", "<p>Before</p>" + drawing.format("")))
    assert browser.scrape(format="text").value["text"] == "Before"


def test_goto_describes_a_stream_of_parts_that_are_no_images(browser: Browser, site: Site) -> None:
    kind = "multipart/x-mixed-replace; boundary=b"
    part = b"--b\r\nContent-Type: text/html\r\n\r\n<p>Row</p>\r\n"
    site.pages["/stream"] = endless(kind, part, most=3)
    shown = browser.goto(site.here + "/stream", snapshot="full", timeout_ms=allow(6_000))
    words = "a stream of parts; the browser shows only streams of images"
    assert f"This document is {words}." in shown.note
    assert shown.snapshot is not None
    assert f"- ({words})" in shown.snapshot.text


def test_snapshot_and_scrape_read_a_document_in_an_embed_element(
    browser: Browser, site: Site
) -> None:
    site.page("/inside", "<button>Inner</button>")
    embedded = "<p>Before</p><embed src=/inside type=text/html width=300 height=200><p>After</p>"
    browser.goto(site.page("/", embedded))
    shown = browser.snapshot()
    assert "- iframe" in shown.text
    assert '  - button "Inner"' in shown.text
    assert browser.scrape(format="text").value["text"].split() == ["Before", "Inner", "After"]
    browser.click(shown.ref("Inner"))


def test_snapshot_shows_the_url_of_a_file_in_an_embed_or_object_element(
    browser: Browser, site: Site
) -> None:
    body = "<embed src=/a.bin type=application/x-unknown><object data=/b.bin></object>"
    browser.goto(site.page("/", body))
    text = browser.snapshot().text
    assert 'url="/a.bin"' in text


def says_why_nothing_is_found(browser: Browser, words: str) -> None:
    assert browser.find("Sum").note == f"This document is {words}."
    with pytest.raises(BudgetExceeded, match=re.escape(f"this document is {words}")):
        browser.wait(text="Sum", timeout_ms=3000)


def test_find_and_wait_report_a_file_that_they_cannot_search(browser: Browser, site: Site) -> None:
    site.pages["/file"] = file("image/gif", GIF)
    browser.goto(site.here + "/file")
    says_why_nothing_is_found(browser, IMAGE)
    assert browser.find(css="img").note == ""
    browser.goto(site.page("/", "<p>Before</p><iframe src=/file></iframe>"))
    assert browser.find("Sum").note == f"A frame's document is {IMAGE}."
    assert browser.find("Before").note == ""


@needs("chromium")
def test_find_and_wait_on_a_pdf_suggest_scrape(whole: Browser, site: Site) -> None:
    site.pages["/report.pdf"] = file("application/pdf", pdf_of("Sum 100", "Sum 101"))
    whole.goto(site.here + "/report.pdf")
    says_why_nothing_is_found(whole, PDF)


@needs("chromium")
def test_goto_reports_a_pdf_that_the_browser_cannot_read(whole: Browser, site: Site) -> None:
    site.pages["/report.pdf"] = file("application/pdf", b"<h1>Session expired</h1>")
    shown = whole.goto(site.here + "/report.pdf")
    assert (
        shown.note
        == "This document is a PDF that the browser can't read; use the download tool to save it."
    )


@needs("chromium")
@pytest.mark.parametrize(
    "element",
    [
        "<iframe src=/report.pdf></iframe>",
        "<embed src=/report.pdf width=300 height=300>",
        "<object data=/report.pdf width=300 height=300></object>",
    ],
    ids=["iframe", "embed", "object"],
)
@pytest.mark.whole
def test_snapshot_and_scrape_read_an_embedded_pdf(element: str, whole: Browser, site: Site) -> None:
    site.pages["/report.pdf"] = file("application/pdf", pdf_of("Sum 100", "Sum 101"))
    whole.goto(site.page("/", f"<p>Before</p>{element}<p>After</p>"))
    assert f"  - ({PDF})\n" in whole.snapshot().text
    assert whole.scrape(format="text").value["text"].split() == (
        "Before Sum 100 Sum 101 After".split()
    )


def test_goto_downloads_a_pdf_that_the_browser_does_not_display(
    browser: Browser, site: Site
) -> None:
    if not is_shell(browser):
        pytest.skip("this browser shows PDFs")
    site.pages["/report.pdf"] = file("application/pdf", pdf_of("Sum 100"))
    note = browser.goto(site.here + "/report.pdf").note
    download = browser.state.downloads[-1]
    assert note.startswith(f'The URL started a download ({download.id}, "report.pdf")')
    assert f"browser.wait(download={download.id!r})" in note
    eventually(lambda: browser.state.downloads[-1].path)

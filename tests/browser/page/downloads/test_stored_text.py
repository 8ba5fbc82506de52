"""The text of downloaded files: PDFs, also with a password, and text files."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.pace import allow
from support.running import is_shell
from support.serving_files import file, pdf_of
from support.site import Site

from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.sync import Browser

PASSWORD = "open sesame 7"


def locked(*pages: str) -> bytes:
    """A PDF that needs ``PASSWORD``."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_of(*pages))))
    writer.encrypt(PASSWORD, algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def download(browser: Browser, site: Site, kind: str, body: bytes, name: str = "file") -> str:
    """Let a page start a download, and return its id."""
    site.pages["/" + name] = file(kind, body, Content_Disposition=f"attachment; filename={name}")
    browser.goto(site.page("/", f"<a href=/{name}>Get</a>"))
    browser.click("css=a")
    return eventually(lambda: browser.state.downloads)[-1].id


def test_note_of_a_downloaded_pdf_names_the_call_that_reads_it(
    browser: Browser, site: Site
) -> None:
    if not is_shell(browser):
        pytest.skip("this browser shows PDFs")
    site.pages["/report.pdf"] = file("application/pdf", pdf_of("Sum 100", "Sum 101"))
    note = browser.goto(site.here + "/report.pdf").note
    pdf = browser.state.downloads[-1].id
    assert f"If it is a PDF or text, read it with browser.scrape(download={pdf!r})." in note
    read = browser.scrape(download=pdf, format="text")
    assert read.value["text"].split("\n\n") == ["Page 1", "Sum 100", "Page 2", "Sum 101"]
    assert read.note == "The file is a PDF of 2 pages."


def test_scrape_waits_for_a_download_and_reads_a_text_file(browser: Browser, site: Site) -> None:
    for body, words in (
        (b"name,sum\nA\xc3\xa4,1\n", "Aä,1"),
        (b"\xef\xbb\xbfname", "name"),
        ("Zoë".encode("utf-16"), "Zoë"),
        (b"Zo\xeb", "Zoë"),
        (b"<b>Bold</b> & so on", "<b>Bold</b> & so on"),
    ):
        name = download(browser, site, "text/csv", body)
        assert words in browser.scrape(download=name).value["text"]


def test_scrape_of_a_file_without_text_names_the_file(browser: Browser, site: Site) -> None:
    name = download(browser, site, "application/zip", b"PK\3\4\0\0")
    with pytest.raises(InvalidArgument, match="neither a PDF nor a text file") as caught:
        browser.scrape(download=name)
    assert str(browser.state.downloads[-1].path) in caught.value.hint


def test_scrape_of_an_unknown_download_lists_the_downloads(browser: Browser, site: Site) -> None:
    with pytest.raises(InvalidArgument, match="no download"):
        browser.scrape(download="dl-99")
    name = download(browser, site, "text/csv", b"a,b")
    with pytest.raises(InvalidArgument) as caught:
        browser.scrape(download="dl-99")
    assert name in caught.value.hint
    with pytest.raises(InvalidArgument, match="no frames and no elements"):
        browser.scrape(download=name, selector="p")


def test_scrape_reads_a_downloaded_pdf_in_parts(browser: Browser, site: Site) -> None:
    name = download(browser, site, "application/pdf", pdf_of(*(f"Sum {n}" for n in range(60))))
    first = browser.scrape(download=name, max_chars=300)
    assert "Sum 1" in first.value["text"]
    rest = browser.scrape(download=name, offset=first.value["next_offset"])
    assert "Sum 59" in rest.value["text"]
    assert rest.value["next_offset"] is None


def test_locked_pdf_says_how_to_give_the_password(browser: Browser, site: Site) -> None:
    name = download(browser, site, "application/pdf", locked("Secret sum"), "locked.pdf")
    with pytest.raises(InvalidArgument, match="needs a password") as caught:
        browser.scrape(download=name)
    assert f"browser.scrape(download={name!r}, password='...')" in caught.value.hint
    with pytest.raises(InvalidArgument, match="needs another password"):
        browser.scrape(download=name, password="wrong")
    assert "Secret sum" in browser.scrape(download=name, password=PASSWORD).value["text"]


@needs("chromium")
@pytest.mark.parametrize("where", ["tab", "frame"])
def test_locked_pdf_in_the_viewer_opens_with_the_password(where: str, site: Site) -> None:
    site.pages["/report.pdf"] = file("application/pdf", locked("Secret sum"))
    framed = site.page("/", "<p>Before</p><iframe src=/report.pdf></iframe>")
    with Browser.launch(executable=whole_chromium()) as browser:
        browser.goto(site.here + "/report.pdf" if where == "tab" else framed)
        words = "a PDF that needs a password; read it with the scrape tool and its parameter"
        assert f"({words} password)" in browser.snapshot().text
        with pytest.raises(InvalidArgument, match="accepts this password"):
            browser.scrape(password="wrong")
        assert "Secret sum" in browser.scrape(password=PASSWORD).value["text"]
        assert "a PDF of 1 page" in browser.snapshot().text


def test_broken_pdf_is_named_as_broken(browser: Browser, site: Site) -> None:
    name = download(browser, site, "application/pdf", b"%PDF-1.4\nno more", "broken.pdf")
    with pytest.raises(InvalidArgument, match="a PDF that can't be read"):
        browser.scrape(download=name)


def slow_pdf() -> bytes:
    """A PDF of 50 kB with a page that takes several seconds to read, and much memory."""
    drawn = b"BT /F1 24 Tf 72 700 Td " + b"(a) Tj " * 5_000_000 + b"ET"
    packed = zlib.compress(drawn, 9)
    plain = pdf_of("Sum 100")
    start, end = plain.index(b"<< /Length"), plain.index(b"endstream")
    stream = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\n" % (len(packed), packed)
    return plain[:start] + stream + plain[end:]


@pytest.mark.threat
def test_pdf_that_takes_too_long_does_not_outlive_the_budget(browser: Browser, site: Site) -> None:
    name = download(browser, site, "application/pdf", slow_pdf())
    eventually(lambda: browser.state.downloads[-1].path)
    with pytest.raises(BudgetExceeded, match="was not read in time"):
        browser.scrape(download=name, timeout_ms=allow(1_500))
    assert browser.evaluate("1 + 1").value == 2


@pytest.mark.threat
def test_scrape_reads_no_file_outside_the_download_folder(
    tmp_path: Path, browser: Browser, site: Site
) -> None:
    """A browser that keeps downloads in a folder of its own can't make us read any file."""
    name = download(browser, site, "text/csv", b"a,b")
    browser.scrape(download=name)
    kept = Path(browser.state.downloads[-1].path or "")
    outside = tmp_path / "secret.csv"
    outside.write_text("secret")
    kept.unlink()
    kept.symlink_to(outside)
    with pytest.raises(InvalidArgument, match="keeps the file"):
        browser.scrape(download=name)

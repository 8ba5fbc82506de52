"""Downloads by URL: complete or not at all, into one folder, with the browser's cookies."""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from support.eventually import eventually
from support.site import Site

from tabwarden import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import (
    BudgetExceeded,
    Cancelled,
    Denied,
    InvalidArgument,
    NotSupported,
    PageUnreachable,
)
from tabwarden.events import DownloadProgress
from tabwarden.files.download_folder import PartialFile
from tabwarden.protocol import target
from tabwarden.results import Download
from tabwarden.supervisor.core.handlers import hidden_targets
from tabwarden.sync import Browser

BODY = bytes(range(256)) * 4_000


class Files:
    """A server of one file: how it responds, and the requests it received."""

    def __init__(self, site: Site) -> None:
        self.headers: dict[str, str] = {"Content-Type": "application/pdf"}
        self.body = BODY
        self.status = 200
        self.ranges = True
        self.breaks_after: list[int] = []
        """How many bytes each of the next connections carries before it breaks."""
        self.asked: list[dict[str, str]] = []
        self.released = threading.Event()
        self.released.set()
        self.url = site.here + "/files/report.pdf"
        self.elsewhere = site.there + "/files/report.pdf"
        site.pages["/files/report.pdf"] = self.answer

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        self.asked.append({k.lower(): v for k, v in request.headers.items()})
        wanted = self.asked[-1].get("range") if self.ranges else None
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        request.send_response(206 if wanted else self.status)
        if wanted:
            span = f"bytes {start}-{len(self.body) - 1}/{len(self.body)}"
            request.send_header("Content-Range", span)
        request.send_header("Content-Length", str(len(self.body) - start))
        for name, value in self.headers.items():
            request.send_header(name, value)
        request.end_headers()
        end = len(self.body)
        if self.breaks_after:
            end = start + self.breaks_after.pop(0)
            request.close_connection = True
        request.wfile.write(self.body[start : min(end, start + 300_000)])
        request.wfile.flush()
        self.released.wait(30)
        request.wfile.write(self.body[start + 300_000 : end])


@pytest.fixture
def files(site: Site) -> Files:
    return Files(site)


@pytest.fixture(scope="module")
def down(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("down")


@pytest.fixture(scope="module")
def module_browser(down: Path) -> Iterator[Browser]:
    with Browser.launch(config=BrowserConfig(download_dir=down)) as browser:
        yield browser


@pytest.fixture
def browser(module_browser: Browser, down: Path) -> Browser:
    for left in down.iterdir():
        left.unlink()
    return module_browser


def there(down: Path) -> list[str]:
    return sorted(path.name for path in down.iterdir())


def described(files: Files, path: Path) -> dict[str, Any]:
    """The result fields for that file, for any caller."""
    return {
        "url": files.url,
        "suggested_filename": "report.pdf",
        "filename": path.name,
        "status": "completed",
        "received_bytes": len(BODY),
        "size": len(BODY),
        "mime_type": "application/pdf",
        "sha256": hashlib.sha256(BODY).hexdigest(),
        "path": str(path),
        "reason": "",
    }


def test_download_saves_the_whole_file_and_describes_it(
    browser: Browser, files: Files, down: Path
) -> None:
    done = browser.download(files.url)
    path = down.resolve() / "report.pdf"
    known = browser.state.downloads[-1]
    about = {"id": known.id, "tab_id": None, "started_at": known.started_at}
    assert done.value == {**about, **described(files, path)}
    assert done.note == ""
    assert path.read_bytes() == BODY
    assert there(down) == ["report.pdf"]


def test_page_started_download_has_the_result_fields_of_the_download_action(
    browser: Browser, files: Files, site: Site, down: Path
) -> None:
    ours = browser.download(files.url).value
    browser.goto(site.page("/", f"<a href={files.url} download>Get</a>"))
    browser.click(browser.snapshot().ref("Get"))
    done = browser.wait(download=True, filename="mine.pdf")
    theirs = done.value["download"]
    assert list(theirs) == list(ours) == list(Download.__annotations__)
    known = browser.state.downloads[-1]
    about = {"id": known.id, "tab_id": browser.state.active_tab_id, "started_at": known.started_at}
    assert theirs == {**about, **described(files, down.resolve() / "mine.pdf")}
    assert [*browser.snapshot().downloads[-2:]] == [ours, theirs]


def test_wait_reports_a_downloaded_file_that_could_not_be_renamed(
    browser: Browser, files: Files, site: Site, down: Path
) -> None:
    browser.goto(site.page("/", f"<a href={files.url} download>Get</a>"))
    before = {one.id for one in browser.state.downloads}
    browser.click(browser.snapshot().ref("Get"))
    eventually(
        lambda: any(
            one.status == "completed" for one in browser.state.downloads if one.id not in before
        )
    )
    (down / "report.pdf").unlink()
    done = browser.wait(download=True, filename="mine.pdf")
    assert done.value["download"]["filename"] == "report.pdf"
    assert "could not be renamed and keeps its name: No such file or directory" in done.note


def test_download_saves_an_empty_file(browser: Browser, files: Files, down: Path) -> None:
    files.body = b""
    done = browser.download(files.url)
    assert (done.value["size"], done.note) == (0, "")
    assert (down / "report.pdf").read_bytes() == b""


def test_download_opens_no_tab_and_does_not_navigate_the_page(
    browser: Browser, files: Files, site: Site
) -> None:
    browser.goto(site.page("/", "<script>onbeforeunload = () => 'no'</script>here"))
    events = browser.events()
    before = browser.state.tabs
    browser.download(files.url)
    assert browser.evaluate("onbeforeunload = null; document.body.innerText").value == "here"
    assert [t.tab_id for t in browser.state.tabs] == [t.tab_id for t in before]
    events.close()
    told = list(events)
    assert {type(event) for event in told} == {DownloadProgress}
    assert [told[0].download.status, told[-1].download.status] == ["in_progress", "completed"]


def test_download_sends_all_cookies_and_keeps_new_ones(
    browser: Browser, files: Files, site: Site
) -> None:
    script = "document.cookie = 'strict=1; SameSite=Strict'; document.cookie = 'lax=2'"
    browser.goto(site.page("/", f"<script>{script}</script>"))
    browser.goto("about:blank")
    files.headers["Set-Cookie"] = "seen=3; Path=/"
    browser.download(files.url)
    assert files.asked[0]["cookie"] == "strict=1; lax=2"
    browser.download(files.url)
    assert "seen=3" in files.asked[1]["cookie"]


def test_download_follows_redirects_to_another_site(
    browser: Browser, files: Files, site: Site
) -> None:
    def redirect(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", files.elsewhere)
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages["/go"] = redirect
    done = browser.download(site.here + "/go")
    assert (done.value["url"], done.value["filename"]) == (files.elsewhere, "report.pdf")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('attachment; filename="sales 2026.csv"', "sales 2026.csv"),
        ("attachment; filename*=UTF-8''na%C3%AFve.csv", "naïve.csv"),
        ('attachment; filename="../../evil.sh"', "evil.sh"),
        ("attachment; filename*=UTF-8''%2Fetc%2Fcron.d%2Fevil", "evil.pdf"),
        ('attachment; filename=".bashrc"', "bashrc.pdf"),
        ('attachment; filename="CON"', "CON_.pdf"),
        ("attachment; filename*=UTF-8''%E2%80%AEgpj.exe", "gpj.exe"),
        (f'attachment; filename="{"x" * 400}.csv"', f"{'x' * 146}.csv"),
        ("inline", "report.pdf"),
    ],
)
@pytest.mark.threat
def test_download_sanitizes_the_file_name_from_the_server(
    header: str, name: str, browser: Browser, files: Files, down: Path
) -> None:
    files.headers["Content-Disposition"] = header
    done = browser.download(files.url)
    assert done.value["filename"] == name
    assert there(down) == [name]
    assert Path(done.value["path"]).parent == down.resolve()


@pytest.mark.threat
def test_download_numbers_an_existing_file_name_and_overwrites_only_on_request(
    browser: Browser, files: Files, down: Path
) -> None:
    (down / "mine.pdf").write_text("mine")
    done = browser.download(files.url, "mine.pdf")
    assert done.value["filename"] == "mine (1).pdf"
    assert done.note == "'mine.pdf' already exists, so the file is named 'mine (1).pdf'."
    assert (down / "mine.pdf").read_text() == "mine"
    assert browser.download(files.url, "mine.pdf", overwrite=True).value["filename"] == "mine.pdf"
    assert (down / "mine.pdf").read_bytes() == BODY
    assert there(down) == ["mine (1).pdf", "mine.pdf"]


@pytest.mark.threat
def test_download_creates_its_folder_accessible_to_its_user_only(
    files: Files, site: Site, tmp_path: Path
) -> None:
    before = os.umask(0o022)
    try:
        wanted = tmp_path / "new" / "downloads"
        with Browser.launch(config=BrowserConfig(download_dir=wanted)) as browser:
            browser.goto(site.page("/", "page"))
            browser.download(files.url)
        with PartialFile(tmp_path / "gone" / "downloads"):
            pass
    finally:
        os.umask(before)
    for made in (wanted, tmp_path / "gone" / "downloads"):
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert there(wanted) == ["report.pdf"]


@pytest.mark.parametrize("name", ["../x", "/etc/x", "C:\\x", "..", "a/../../x", "..\\x"])
@pytest.mark.threat
def test_download_denies_file_names_outside_its_folder(
    name: str, browser: Browser, files: Files
) -> None:
    with pytest.raises(Denied) as denied:
        browser.download(files.url, name)
    assert denied.value.data["field"] == "filename"
    assert not files.asked


@pytest.mark.parametrize(
    "name",
    ["", " ", "a/b", "a\\b", "nul", "COM1.txt", "a\0b", "a" * 151, ".x", "x.", "a\nb", "\ud800"],
)
def test_download_rejects_invalid_file_names(name: str, browser: Browser, files: Files) -> None:
    with pytest.raises(InvalidArgument) as wrong:
        browser.download(files.url, name)
    assert wrong.value.data["field"] == "filename"
    assert not files.asked


@pytest.mark.parametrize(
    "validator", [{"ETag": '"v1"'}, {"Last-Modified": "Sat, 21 Nov 2026 08:00:00 GMT"}]
)
def test_download_resumes_after_a_broken_connection(
    validator: dict[str, str], browser: Browser, files: Files, down: Path
) -> None:
    files.headers |= validator
    files.breaks_after = [300_000, 200_000]
    done = browser.download(files.url)
    assert (down / "report.pdf").read_bytes() == BODY
    assert done.value["sha256"] == hashlib.sha256(BODY).hexdigest()
    assert [a.get("range") for a in files.asked] == [None, "bytes=300000-", "bytes=500000-"]
    assert {a.get("if-range") for a in files.asked[1:]} == set(validator.values())
    assert done.note == "The connection broke, and the download was resumed 2 time(s)."


def test_download_restarts_after_a_broken_connection_without_an_http_validator(
    browser: Browser, files: Files, down: Path
) -> None:
    files.breaks_after = [300_000]
    browser.download(files.url)
    assert [a.get("range") for a in files.asked] == [None, None]
    assert (down / "report.pdf").read_bytes() == BODY


def test_download_restarts_after_a_broken_connection_if_the_server_ignores_ranges(
    browser: Browser, files: Files, down: Path
) -> None:
    files.headers["ETag"] = '"v1"'
    files.ranges = False
    files.breaks_after = [300_000]
    browser.download(files.url)
    assert (down / "report.pdf").read_bytes() == BODY


def test_download_fails_and_leaves_no_file_if_the_connection_keeps_breaking(
    browser: Browser, files: Files, down: Path
) -> None:
    files.breaks_after = [300_000] * 20
    with pytest.raises(PageUnreachable, match="kept breaking") as broken:
        browser.download(files.url)
    assert broken.value.data["size"] == len(BODY)
    assert there(down) == []
    assert browser.state.downloads[-1].status == "failed"


def test_download_decompresses_a_gzipped_body(browser: Browser, files: Files, down: Path) -> None:
    files.headers["Content-Encoding"] = "gzip"
    files.body = gzip.compress(BODY)
    done = browser.download(files.url)
    assert (down / "report.pdf").read_bytes() == BODY
    assert "did not send the file's size" in done.note


@pytest.mark.parametrize("status", [204, 404, 410])
def test_download_fails_when_the_server_replies_without_a_file(
    status: int, browser: Browser, files: Files, down: Path
) -> None:
    files.status = status
    files.body = b"" if status == 204 else b"<h1>Not here</h1>"
    with pytest.raises(InvalidArgument, match=f"replied {status}") as refused:
        browser.download(files.url)
    assert refused.value.data["field"] == "url"
    assert there(down) == []


def test_download_reports_a_server_error_or_a_refused_connection(
    browser: Browser, files: Files
) -> None:
    files.status = 503
    with pytest.raises(PageUnreachable, match="replied 503"):
        browser.download(files.url)
    assert len(files.asked) == 1
    with pytest.raises(PageUnreachable, match="ERR_CONNECTION_REFUSED"):
        browser.download("http://127.0.0.1:9911/x")


def test_download_that_exceeds_its_budget_times_out_and_leaves_no_file(
    browser: Browser, files: Files, down: Path
) -> None:
    files.released.clear()
    with pytest.raises(BudgetExceeded) as late:
        browser.download(files.url, timeout_ms=700)
    files.released.set()
    assert late.value.data["size"] == len(BODY)
    assert "more time (timeout_ms)" in late.value.hint
    assert there(down) == []
    download = browser.state.downloads[-1]
    assert (download.status, download.filename) == ("canceled", "report.pdf")


def test_canceled_download_leaves_no_file(browser: Browser, files: Files, down: Path) -> None:
    files.released.clear()
    budget = Budget(30_000)
    raised: list[BaseException] = []

    def run() -> None:
        try:
            browser.download(files.url, timeout_ms=budget)
        except Cancelled as error:
            raised.append(error)

    with browser.events(DownloadProgress) as events:
        thread = threading.Thread(target=run)
        thread.start()
        for event in events:
            if event.download.received_bytes:
                break
        assert "Download dl-" in browser.snapshot().text
        assert "1 download in progress" in browser.state_message()
        assert "262144 of 1024000 bytes" in budget.doing
        budget.cancel()
        thread.join()
    files.released.set()
    assert raised
    assert there(down) == []


def test_download_does_not_repeat_its_result_as_a_note(browser: Browser, files: Files) -> None:
    browser.tabs()
    assert browser.download(files.url).new_since_last.downloads == ()
    assert browser.tabs().new_since_last.downloads == ()


def test_download_bypasses_a_service_worker(browser: Browser, files: Files, site: Site) -> None:
    worker = b"onfetch = (e) => e.respondWith(new Response('from the worker'))"

    def script(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/javascript")
        request.send_header("Content-Length", str(len(worker)))
        request.end_headers()
        request.wfile.write(worker)

    site.pages["/files/worker.js"] = script
    browser.goto(site.page("/files/page", "page"))
    browser.evaluate("navigator.serviceWorker.register('worker.js').then(r => 0)")
    browser.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    assert browser.download(files.url).value["size"] == len(BODY)


def test_download_works_while_a_dialog_is_open(browser: Browser, files: Files, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick='alert(1)'>Ask"))
    assert browser.click(browser.snapshot().ref("Ask")).interrupted
    assert browser.download(files.url).value["size"] == len(BODY)
    browser.dialog("accept")


@pytest.mark.parametrize(
    ("url", "body", "mime_type", "name"),
    [
        ("data:text/csv;charset=utf-8,a%2Cb%0A1%2C2", b"a,b\n1,2", "text/csv", "download.csv"),
        ("data:;base64,AAEC", b"\0\1\2", "text/plain", "download.txt"),
    ],
)
def test_download_saves_a_data_url(
    url: str, body: bytes, mime_type: str, name: str, browser: Browser, down: Path
) -> None:
    done = browser.download(url)
    assert (done.value["mime_type"], done.value["filename"]) == (mime_type, name)
    assert (down / name).read_bytes() == body


def test_download_saves_a_blob_url_of_the_page(browser: Browser, site: Site, down: Path) -> None:
    browser.goto(site.page("/", "page"))
    make = "URL.createObjectURL(new Blob(['x'.repeat(3e6)], {type: 'text/csv'}))"
    url = browser.evaluate(make).value
    done = browser.download(url, "made.csv")
    assert (done.value["size"], done.value["mime_type"]) == (3_000_000, "text/csv")
    assert (down / "made.csv").read_bytes() == b"x" * 3_000_000
    browser.evaluate("location.reload()")
    with pytest.raises(InvalidArgument, match="has no"):
        browser.download(url)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "chrome://version", "javascript:1"])
def test_download_denies_file_chrome_and_javascript_urls(url: str, browser: Browser) -> None:
    with pytest.raises(Denied):
        browser.download(url)


@pytest.mark.parametrize("url", ["", "no url", "about:blank", "data:x", "data:;base64,?"])
def test_download_rejects_invalid_urls(url: str, browser: Browser) -> None:
    with pytest.raises(InvalidArgument) as wrong:
        browser.download(url)
    assert wrong.value.data["field"] == "url"


def test_download_logs_in_with_configured_credentials(
    site: Site, files: Files, tmp_path: Path
) -> None:
    plain = files.answer

    def guarded(request: BaseHTTPRequestHandler) -> None:
        if request.headers.get("Authorization") == "Basic YWRhOmxvdmVsYWNl":
            plain(request)
            return
        request.send_response(401)
        request.send_header("WWW-Authenticate", 'Basic realm="Vault"')
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages["/files/report.pdf"] = guarded
    login: Any = {site.here: {"username": "ada", "password": "lovelace"}}
    config = BrowserConfig(download_dir=tmp_path, credentials=login)
    with Browser.launch(config=config) as browser:
        assert browser.download(files.url).value["size"] == len(BODY)
        with pytest.raises(InvalidArgument, match="replied 401") as refused:
            browser.download(files.elsewhere)
        assert "browser.auth(" in refused.value.hint


def test_download_fails_when_its_folder_is_not_writable(
    site: Site, files: Files, tmp_path: Path, own_browser: Browser
) -> None:
    (tmp_path / "file").write_text("")
    config = BrowserConfig(download_dir=tmp_path / "file" / "down")
    own_browser._task.config = config
    with pytest.raises(InvalidArgument) as wrong:
        own_browser.download(files.url)
    assert wrong.value.data["field"] == "download_dir"


def test_download_fails_when_the_browser_cannot_open_a_hidden_page(
    browser: Browser, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden_targets.target, "CreateTarget", _Unknown)
    with pytest.raises(NotSupported, match="can't open a hidden helper page"):
        browser.download(files.url)


class _Unknown(target.CreateTarget, frozen=True, kw_only=True):
    METHOD = "Target.createNothing"


def test_wait_reports_whether_a_download_is_older_than_the_last_action(site: Site) -> None:
    links = [
        f'<a href="data:text/csv,{name}" download="{name}.csv">{name}</a>'
        for name in ("first", "second")
    ]
    with Browser.launch() as browser:
        browser.goto(site.page("/", "".join(links)))
        seen = browser.snapshot()
        for number, name in enumerate(("first", "second"), 1):
            browser.click(seen.ref(name))
            eventually(
                lambda: [one.status for one in browser.state.downloads] == ["completed"] * number  # noqa: B023
            )
        older, last = browser.wait(download=True), browser.wait(download=True)
    assert older.value["download"]["filename"] == "first.csv"
    assert "before your last click" in older.note
    assert (last.value["download"]["filename"], last.note) == ("second.csv", "")

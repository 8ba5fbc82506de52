"""Other prompts and background events: files, passwords, permissions, downloads."""

from __future__ import annotations

import base64
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from support.eventually import eventually
from support.pace import in_time
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.errors import Denied, DialogPending, InvalidArgument, NotInteractable
from tabwarden.sync import Browser


def guarded(site: Site, path: str = "/secret") -> str:
    """A page that requires the login ada / lovelace."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        given = handler.headers.get("Authorization", "")
        right = given == "Basic " + base64.b64encode(b"ada:lovelace").decode()
        body = b"<title>In</title>welcome" if right else b"<title>Out</title>refused"
        handler.send_response(200 if right else 401)
        if not right:
            handler.send_header("WWW-Authenticate", 'Basic realm="The vault"')
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    site.pages[path] = respond
    return site.here + path


def test_permission_error_identifies_an_invalid_origin_or_name(browser: Browser) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.permission("geolocation", "granted", origin="foo")
    assert caught.value.data["field"] == "origin"
    assert "https://host" in caught.value.hint
    with pytest.raises(InvalidArgument) as other:
        browser.permission("geolocatoin", "granted", origin="https://example.com")
    assert other.value.data["field"] == "name"


# -- files --------------------------------------------------------------------------------------


@pytest.fixture
def uploads(folder: Path) -> Path:
    (folder / "up").mkdir()
    (folder / "up" / "one.txt").write_text("one")
    (folder / "up" / "two.txt").write_text("two")
    (folder / "secret.txt").write_text("no")
    (folder / "up-other").mkdir()
    (folder / "up-other" / "one.txt").write_text("no")
    (folder / "up" / "sub").mkdir()
    (folder / "up" / "link.txt").symlink_to(folder / "secret.txt")
    return folder / "up"


CHOOSER = """
<input type=file id=f aria-label=File onchange="document.title = [...files].map(f => f.name)">
<button onclick="f.click()">Pick</button>"""


def test_agent_sees_a_file_chooser_and_handles_it_with_upload(uploads: Path, site: Site) -> None:
    with Browser.launch(config=BrowserConfig(upload_dir=uploads)) as browser:
        browser.goto(site.page("/", CHOOSER))
        seen = browser.snapshot()
        clicked = browser.click(seen.ref("Pick"))
        (chooser,) = clicked.new_since_last.file_choosers
        assert (chooser["id"], chooser["multiple"]) == ("f-1", False)
        assert "File chooser f-1 is waiting in tab t1 for one file" in browser.snapshot().text
        assert "1 file chooser waiting" in browser.state_message()
        with pytest.raises(InvalidArgument, match="accepts one file"):
            browser.upload(["one.txt", "two.txt"])
        done = browser.upload(["one.txt"])
        assert done.value == {"files": ["one.txt"]}
        assert browser.evaluate("document.title").value == "one.txt"
        assert browser.state.file_choosers == ()
        assert "chooser" not in browser.snapshot().text
        with pytest.raises(InvalidArgument, match="No file chooser is open"):
            browser.upload(["one.txt"])
        browser.upload(["two.txt"], seen.ref("File"))
        assert browser.evaluate("document.title").value == "two.txt"
        browser.upload(["one.txt"], seen.ref("Pick"))
        assert browser.evaluate("document.title").value == "one.txt"


def test_empty_upload_declines_a_file_chooser_and_clears_an_input(
    uploads: Path, site: Site
) -> None:
    with Browser.launch(config=BrowserConfig(upload_dir=uploads)) as browser:
        browser.goto(site.page("/", CHOOSER))
        seen = browser.snapshot()
        browser.upload(["one.txt"], seen.ref("File"))
        browser.evaluate("f.oncancel = (e) => { document.title = 'cancelled ' + f.files.length }")
        browser.click(seen.ref("Pick"))
        assert browser.upload([]).value == {"files": []}
        assert browser.state.file_choosers == ()
        assert browser.evaluate("document.title").value == "cancelled 1"
        browser.upload([], seen.ref("File"))
        assert browser.evaluate("f.files.length").value == 0
        for ref in (None, seen.ref("Pick")):
            with pytest.raises(InvalidArgument, match="filenames is empty"):
                browser.upload([], ref)


@pytest.mark.threat
def test_program_uploads_checked_files_from_other_folders(uploads: Path, site: Site) -> None:
    granted = uploads.parent / "granted"
    granted.mkdir()
    (granted / "doc.txt").write_text("granted")
    (granted / "link.txt").symlink_to(uploads.parent / "secret.txt")
    doc, link = str(granted / "doc.txt"), str(granted / "link.txt")
    with Browser.launch(config=BrowserConfig(upload_dir=uploads)) as browser:
        browser.goto(site.page("/", CHOOSER))
        seen = browser.snapshot()
        with pytest.raises(Denied):
            browser.upload([doc], seen.ref("File"))
        assert browser.upload([doc], seen.ref("File"), roots=[granted]).value == {
            "files": ["doc.txt"]
        }
        assert browser.evaluate("f.files[0].text()").value == "granted"
        browser.click(seen.ref("Pick"))
        browser.upload([doc], roots=[str(granted)])
        assert browser.state.file_choosers == ()
        browser.upload(["one.txt"], seen.ref("File"), roots=[granted])
        for outside in (link, str(uploads.parent / "secret.txt"), "../secret.txt"):
            with pytest.raises(Denied):
                browser.upload([outside], seen.ref("File"), roots=[granted])
        with pytest.raises(Denied):
            browser.upload([doc], seen.ref("File"))
        step = {"tool": "upload", "filenames": [doc], "ref": seen.ref("File"), "roots": ["/"]}
        with pytest.raises(InvalidArgument, match="roots"):
            browser.batch([step])


def test_navigation_closes_a_file_chooser(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", CHOOSER))
    browser.click(browser.snapshot().ref("Pick"))
    assert len(browser.state.file_choosers) == 1
    browser.goto(site.page("/2", "another"))
    assert browser.state.file_choosers == ()


def test_upload_answers_a_file_chooser_of_a_cross_site_frame(uploads: Path, site: Site) -> None:
    site.page("/in", CHOOSER)
    with Browser.launch(config=BrowserConfig(upload_dir=uploads)) as browser:
        browser.goto(site.page("/", f'<iframe src="{site.there}/in"></iframe>'))
        eventually(lambda: any("/in" in f.url for f in browser.state.frame_tree.children))
        seen = browser.snapshot()
        browser.upload(["one.txt"], seen.ref("Pick"))
        frame = seen.refs[seen.ref("Pick")]["frame_id"]
        assert browser.evaluate("document.title", frame_id=frame).value == "one.txt"


@pytest.mark.parametrize(
    ("names", "error", "words"),
    [
        (["../secret.txt"], Denied, "outside the upload folder"),
        (["../up-other/one.txt"], Denied, "outside the upload folder"),
        (["one.txt", "../secret.txt"], Denied, "outside the upload folder"),
        (["/etc/passwd"], Denied, "outside the upload folder"),
        (["link.txt"], Denied, "outside the upload folder"),
        (["/secret/one.txt"], Denied, "outside the upload folder"),
        (["./one.txt"], InvalidArgument, "no file './one.txt'"),
        (["three.txt"], InvalidArgument, "one.txt, two.txt"),
        (["sub"], InvalidArgument, r"It contains: one\.txt, two\.txt\.$"),
        (["x" * 300], InvalidArgument, r"It contains: one\.txt, two\.txt\.$"),
        ("one.txt", InvalidArgument, "list of file names"),
        (["a\0b"], InvalidArgument, "not a valid file name"),
    ],
)
@pytest.mark.threat
def test_upload_rejects_files_outside_the_upload_folder(
    names: Any, error: type[Exception], words: str, uploads: Path, site: Site
) -> None:
    with Browser.launch(config=BrowserConfig(upload_dir=uploads)) as browser:
        browser.goto(site.page("/", CHOOSER))
        with pytest.raises(error, match=words):
            browser.upload(names, browser.snapshot().ref("File"))
        assert browser.evaluate("f.files.length").value == 0


@pytest.mark.parametrize(
    ("name", "arrives"),
    [
        ("cv.pdf", "mine"),
        ("docs/cv.pdf", "deep"),
        ("./cv.pdf", "mine"),
        ("{roots}/docs/cv.pdf", "deep"),
        ("{uploads}/one.txt", "one"),
        ("one.txt", ""),
        ("{roots}/../secret.txt", ""),
        ("../secret.txt", ""),
        ("docs/link", ""),
    ],
)
@pytest.mark.threat
def test_upload_accepts_a_path_in_another_allowed_folder(
    name: str, arrives: str, uploads: Path, folder: Path, site: Site
) -> None:
    roots = folder / "roots"
    (roots / "docs").mkdir(parents=True)
    for path, text in (("cv.pdf", "mine"), ("docs/cv.pdf", "deep"), ("one.txt", "another one")):
        (roots / path).write_text(text)
    (roots / "docs" / "link").symlink_to(folder / "secret.txt")
    with Browser.launch(config=BrowserConfig(upload_dir=uploads, upload_roots=[roots])) as browser:
        browser.goto(site.page("/", CHOOSER))
        given = [name.format(roots=roots, uploads=uploads)]
        if arrives:
            browser.upload(given, browser.snapshot().ref("File"))
            assert browser.evaluate("f.files[0].text()").value == arrives
        else:
            words = "is in two folders" if name == "one.txt" else "outside the upload folder"
            with pytest.raises((Denied, InvalidArgument), match=words):
                browser.upload(given, browser.snapshot().ref("File"))


@pytest.mark.threat
def test_upload_passes_the_files_of_one_folder_to_a_directory_input(
    uploads: Path, site: Site
) -> None:
    photos = uploads / "photos"
    (photos / "may").mkdir(parents=True)
    (photos / "a.png").write_text("a")
    (photos / "may" / "b.png").write_text("bb")
    (photos / "link.txt").symlink_to(uploads.parent / "secret.txt")
    (photos / "other").symlink_to(uploads.parent / "up-other")
    page = CHOOSER.replace("type=file", "type=file webkitdirectory")
    with Browser.launch(config=BrowserConfig(upload_dir=uploads)) as browser:
        browser.goto(site.page("/", page))
        seen = browser.snapshot()
        for element in ("File", "Pick"):
            browser.evaluate("f.value = ''")
            browser.upload(["photos"], seen.ref(element))
            had = browser.evaluate("[...f.files].map(f => f.webkitRelativePath).sort()").value
            assert had == ["photos/a.png", "photos/may/b.png"]
        for names in (["one.txt"], ["photos", "one.txt"], ["sub"]):
            with pytest.raises(InvalidArgument, match=r"accepts one folder|has no files"):
                browser.upload(names, seen.ref("File"))
        assert browser.evaluate("f.files.length").value == 2


def test_upload_ends_when_the_page_has_all_files_of_a_folder(uploads: Path, site: Site) -> None:
    for folder in ("first", "second"):
        (uploads / folder).mkdir()
        for number in range(1_500):
            (uploads / folder / f"{number}.txt").touch()
    page = CHOOSER.replace("type=file", "type=file webkitdirectory")
    with Browser.launch(config=BrowserConfig(upload_dir=uploads)) as browser:
        browser.goto(site.page("/", page))
        ref = browser.snapshot().ref("File")
        for folder in ("first", "second", "second"):
            browser.upload([folder], ref)
            had = browser.evaluate("[...f.files].map(f => f.webkitRelativePath)").value
            assert len(had) == 1_500
            assert had[0].startswith(folder)


@pytest.mark.long
def test_upload_reports_an_element_that_opens_no_file_chooser(uploads: Path, site: Site) -> None:
    with Browser.launch(config=BrowserConfig(upload_dir=uploads)) as browser:
        browser.goto(site.page("/", "<button>Idle</button>"))
        with pytest.raises(NotInteractable, match="did not open a file chooser"):
            browser.upload(["one.txt"], browser.snapshot().ref("Idle"))


# -- passwords ----------------------------------------------------------------------------------


def test_password_prompt_interrupts_goto_and_the_agent_answers(
    browser: Browser, site: Site
) -> None:
    asked = browser.goto(guarded(site))
    assert asked.interrupted
    assert asked.by is not None
    auth = asked.by["auth"]
    assert (asked.by["kind"], auth["realm"], auth["origin"]) == ("auth", "The vault", site.here)
    assert "browser.auth(" in asked.next
    assert 'requests credentials for "The vault": browser.auth(' in browser.snapshot().text
    assert "1 password prompt waiting" in browser.state_message()
    wrong = browser.auth("ada", "wrong")
    assert "The server refused the credentials." in wrong.note
    (again,) = browser.state.auth_challenges
    assert again.refused == "agent"
    done = browser.auth("ada", "lovelace")
    assert (done.url, done.title, done.note) == (site.here + "/secret", "In", "")
    assert browser.state.auth_challenges == ()
    assert browser.evaluate("document.body.innerText").value == "welcome"
    assert "lovelace" not in repr(browser.state)


@pytest.mark.parametrize(
    "read",
    [
        lambda browser, url: (browser.goto(url), browser.snapshot())[1],
        lambda browser, url: (browser.goto(url), browser.snapshot(diff=True))[1],
        lambda browser, url: browser.goto(url, snapshot="full").snapshot,
    ],
    ids=["snapshot", "diff", "navigate"],
)
def test_snapshot_returns_at_once_during_a_password_prompt(
    read: Any, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button>Here</button>"))
    with in_time(0):
        shown = read(browser, guarded(site))
    assert shown.stale
    assert 'requests credentials for "The vault": browser.auth(' in shown.text
    assert "STALE: the next page is waiting for a password (a-" in shown.text
    assert browser.auth("ada", "lovelace").title == "In"


@pytest.mark.parametrize(
    "call",
    [
        lambda browser: browser.evaluate("1"),
        lambda browser: browser.click("css=button"),
        lambda browser: browser.find("Here"),
        lambda browser: browser.scrape(),
        lambda browser: browser.wait(text="Here"),
    ],
    ids=["evaluate", "click", "find", "scrape", "wait"],
)
def test_page_calls_fail_during_a_password_prompt(call: Any, browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button>Here</button>"))
    assert browser.goto(guarded(site)).interrupted
    with in_time(0), pytest.raises(DialogPending) as refused:
        call(browser)
    assert refused.value.data["auth"]["realm"] == "The vault"
    assert "browser.auth(" in refused.value.hint
    assert browser.auth("ada", "lovelace").title == "In"


def test_agent_can_cancel_a_password_prompt(browser: Browser, site: Site) -> None:
    assert browser.goto(guarded(site)).interrupted
    browser.auth(cancel=True)
    assert browser.evaluate("document.body.innerText").value == "refused"
    with pytest.raises(InvalidArgument, match="No server is waiting"):
        browser.auth("ada", "x")
    with pytest.raises(InvalidArgument, match="either username"):
        browser.auth()


def test_navigation_closes_a_password_prompt(browser: Browser, site: Site) -> None:
    assert browser.goto(guarded(site)).interrupted
    assert browser.goto(site.page("/2", "another")).status == "ok"
    assert browser.state.auth_challenges == ()


def test_agent_answers_a_password_prompt_in_a_frame(browser: Browser, site: Site) -> None:
    guarded(site)
    # Since 156.0.8078.79 Chromium opens no password prompt for a cross-site frame.
    browser.goto(site.page("/", f'<iframe src="{site.here}/secret"></iframe>'))
    eventually(lambda: browser.state.auth_challenges)
    browser.auth("ada", "lovelace")
    eventually(lambda: not browser.state.auth_challenges)
    eventually(lambda: "welcome" in browser.snapshot().text)


def test_configured_credentials_answer_a_password_prompt_if_correct(site: Site) -> None:
    right = {site.here: {"username": "ada", "password": "lovelace"}}
    with Browser.launch(config=BrowserConfig(credentials=right)) as browser:  # type: ignore[arg-type]
        assert browser.goto(guarded(site)).title == "In"
    wrong = {site.here: {"username": "ada", "password": "sesame"}}
    config = BrowserConfig(credentials=wrong)  # type: ignore[arg-type]
    assert "sesame" not in repr(config)
    with Browser.launch(config=config) as browser:
        asked = browser.goto(guarded(site))
        assert asked.by is not None
        assert asked.by["auth"]["refused"] == "configuration"
        shown = browser.snapshot().text
        assert "the server refused the configuration's credentials" in shown
        assert browser.auth("ada", "lovelace").title == "In"


@pytest.mark.parametrize("policy", ["auto_accept", "auto_dismiss"])
def test_note_reports_a_password_prompt_that_the_policy_canceled(policy: Any, site: Site) -> None:
    wrong = {site.there: {"username": "ada", "password": "sesame"}}
    config = BrowserConfig(dialog_policy=policy, credentials=wrong)  # type: ignore[arg-type]
    with Browser.launch(config=config) as browser:
        gone = browser.goto(guarded(site))
        assert gone.status == "ok"
        (note,) = gone.new_since_last.notes
        assert note["kind"] == "password"
        assert f'{site.here} ("The vault") was canceled' in note["text"]
        assert [one["text"] for one in browser.snapshot().notes] == [note["text"]]
        (refused,) = browser.goto(site.there + "/secret").new_since_last.notes
        assert "the server refused the configuration's credentials" in refused["text"]
        assert "sesame" not in refused["text"]


def test_unanswered_password_prompt_times_out(site: Site) -> None:
    with Browser.launch(config=BrowserConfig(dialog_timeout_s=0.3)) as browser:
        assert browser.goto(guarded(site)).interrupted
        eventually(lambda: not browser.state.auth_challenges)
        eventually(lambda: browser.state.tabs[0].url.endswith("/secret"))


# -- downloads ----------------------------------------------------------------------------------


def served(site: Site, path: str, body: bytes, name: str, *, whole: bool = True) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/octet-stream")
        handler.send_header("Content-Disposition", f'attachment; filename="{name}"')
        handler.send_header("Content-Length", str(len(body) + (0 if whole else 1000)))
        handler.end_headers()
        handler.wfile.write(body)
        if not whole:
            handler.close_connection = True

    site.pages[path] = respond


def test_downloads_are_reported_and_never_overwrite_a_file(folder: Path, site: Site) -> None:
    served(site, "/report.pdf", b"x" * 300_000, "report.pdf")
    with Browser.launch(config=BrowserConfig(download_dir=folder / "down")) as browser:
        browser.goto(site.page("/", '<a href="/report.pdf">Get it</a>'))
        ref = browser.snapshot().ref("Get it")
        told: list[str] = []
        for name in ("report.pdf", "report (1).pdf"):
            count = len(browser.state.downloads)
            told += [d["status"] for d in browser.click(ref).new_since_last.downloads]
            eventually(
                lambda: len(browser.state.downloads) > count and browser.state.downloads[-1].path  # noqa: B023
            )
            download = browser.state.downloads[-1]
            assert (download.status, download.filename) == ("completed", name)
            assert download.suggested_filename == "report.pdf"
            assert (download.received_bytes, download.tab_id) == (300_000, "t1")
            assert Path(download.path) == folder.resolve() / "down" / name
            assert Path(download.path).read_bytes() == b"x" * 300_000
        told += [d["status"] for d in browser.tabs().new_since_last.downloads]
        assert told.count("completed") == 2
        assert sorted(p.name for p in (folder / "down").iterdir()) == [
            "report (1).pdf",
            "report.pdf",
        ]
        assert "Download" not in browser.snapshot().text


EVIL = ["../../evil.sh", "..\\\\evil.sh", "/etc/cron.d/evil", ".bashrc", "CON", "a" * 400]


@pytest.mark.parametrize("name", EVIL)
@pytest.mark.threat
def test_download_is_never_saved_outside_its_folder(name: str, folder: Path, site: Site) -> None:
    served(site, "/file", b"data", name)
    with Browser.launch(config=BrowserConfig(download_dir=folder / "down")) as browser:
        browser.goto(site.page("/", '<a href="/file" download>Get it</a>'))
        browser.click(browser.snapshot().ref("Get it"))
        eventually(lambda: browser.state.downloads and browser.state.downloads[0].path)
        (download,) = browser.state.downloads
        path = Path(download.path)
        assert path.parent == folder.resolve() / "down"
        assert path.read_bytes() == b"data"
        assert not path.name.startswith(".")
        assert not list(folder.glob("evil*"))


def test_interrupted_download_is_reported_as_canceled(folder: Path, site: Site) -> None:
    served(site, "/broken", b"x" * 1000, "broken.bin", whole=False)
    with Browser.launch(config=BrowserConfig(download_dir=folder / "down")) as browser:
        browser.goto(site.page("/", '<a href="/broken">Get it</a>'))
        browser.click(browser.snapshot().ref("Get it"))
        eventually(
            lambda: browser.state.downloads and browser.state.downloads[0].status == "canceled"
        )


# -- page events without a visible sign ---------------------------------------------------------


def test_permission_request_is_reported_and_answered_per_the_configuration(site: Site) -> None:
    page = """<button onclick="navigator.geolocation.getCurrentPosition(
        p => document.title = 'here', e => document.title = 'no ' + e.code)">Where</button>"""
    denied = BrowserConfig(permissions={"geolocation": "denied"})
    with Browser.launch(config=denied) as browser:
        browser.goto(site.page("/", page))
        browser.click(browser.snapshot().ref("Where"))
        (note,) = eventually(lambda: browser.state.notes)
        assert (note.kind, note.text, note.origin) == (
            "permission",
            "geolocation: denied",
            site.here,
        )
        query = "(await navigator.permissions.query({name: 'geolocation'})).state"
        assert browser.evaluate(query).value == "denied"
        set_now = browser.permission("geolocation", "granted", origin=site.here)
        assert {"name": "geolocation", "setting": "granted", "origin": site.here} in set_now.value
        assert browser.evaluate(query).value == "granted"
        with pytest.raises(InvalidArgument, match="geolokation"):
            browser.permission("geolokation")


def test_notes_report_printing_and_links_to_other_programs(browser: Browser, site: Site) -> None:
    page = """<button onclick="print()">Print</button>
    <a href="mailto:ada@example.com">Mail</a>
    <script>onbeforeprint = () => window.before = true</script>"""
    browser.goto(site.page("/", page))
    seen = browser.snapshot()
    printed = browser.click(seen.ref("Print"))
    assert [n["kind"] for n in printed.new_since_last.notes] == ["print"]
    assert browser.evaluate("[before, print.name, print.length]").value == [True, "print", 0]
    mailed = browser.click(seen.ref("Mail"))
    (note,) = mailed.new_since_last.notes
    assert (note["kind"], note["text"]) == ("external", "mailto:ada@example.com")
    assert (
        browser.evaluate("Object.keys(window).filter(k => /^_[0-9a-f]{32}$/.test(k))").value == []
    )


@pytest.mark.threat
def test_auth_stores_a_login_for_one_origin_until_it_is_removed(
    browser: Browser, site: Site
) -> None:
    guarded(site)
    guarded(site, "/other")
    assert browser.auth("ada", "lovelace", origin=site.here + "/").value == {"origin": site.here}
    browser.configure(BrowserConfig())  # a configuration change does not remove it
    assert browser.goto(site.here + "/secret").title == "In"
    assert browser.goto(site.there + "/secret").interrupted
    browser.auth(cancel=True)
    browser.auth(cancel=True, origin=site.here.replace("127.0.0.1", "127.0.0.2"))
    browser.auth("ada", "wrong", origin=site.there)
    browser.auth(cancel=True, origin=site.there)
    assert browser.goto(site.there + "/other").interrupted
    browser.auth(cancel=True)


@pytest.mark.parametrize(
    "origin",
    ["host", "ftp://host", "https://host/path", "https://a:b@host", "https://", "http://h:x"],
)
def test_auth_rejects_an_invalid_origin(origin: str, browser: Browser) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.auth("ada", "lovelace", origin=origin)
    assert caught.value.data["field"] == "origin"

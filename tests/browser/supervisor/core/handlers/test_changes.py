"""The window of state changes names what happened, and has it when the call returns."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.errors import Denied
from tabwarden.supervisor.core.state.changes import Change
from tabwarden.sync import Browser

GUARDED = """<input aria-label=Draft><script>
onbeforeunload = (event) => event.preventDefault()</script>"""


@pytest.fixture(
    scope="module", params=["own", pytest.param("whole Chromium", marks=needs("chromium"))]
)
def executable(request: pytest.FixtureRequest) -> Path | None:
    return whole_chromium() if request.param != "own" else None


@pytest.fixture(scope="module")
def dismissing(
    executable: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """A browser whose policy dismisses dialogs."""
    config = BrowserConfig(
        dialog_policy="auto_dismiss",
        blocked_origins=["localhost"],
        download_dir=tmp_path_factory.mktemp("down"),
    )
    with Browser.launch(executable=executable, config=config) as browser:
        yield browser


@pytest.fixture
def browser(dismissing: Browser) -> Browser:
    before = dismissing.state.tabs
    dismissing.tabs("open")
    for tab in before:
        dismissing.tabs("close", tab_id=tab.tab_id)
    return dismissing


class Watch:
    """The changes since the last look."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._seen = browser.state.changes.sequence

    def new(self) -> list[Change]:
        changes = self._browser.state.changes
        since, self._seen = self._seen, changes.sequence
        return [*changes.after(since)]

    def kinds(self) -> list[str]:
        return [one.kind for one in self.new()]


def served(body: bytes, **headers: str) -> object:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)
        request.close_connection = True

    return answer


def file(length: int, size: int = 1_000) -> object:
    return served(
        b"x" * size,
        Content_Type="application/octet-stream",
        Content_Disposition="attachment; filename=a.bin",
        Content_Length=str(length),
    )


def test_changes_name_navigations_tabs_and_popups(browser: Browser, site: Site) -> None:
    second = site.page("/second", "two")
    first = site.page(
        "/", "<a href='#x'>Fragment</a><button onclick=\"window.open('/second')\">Go</button>"
    )
    watch = Watch(browser)
    one = browser.goto(first).tab_id
    assert [(c.kind, c.tab_id, c.url) for c in watch.new()] == [("navigation", one, first)]
    browser.click(browser.snapshot().ref("Fragment"))
    assert watch.kinds() == [], "the document is the same"
    browser.click(browser.snapshot().ref("Go"))
    opened = watch.new()
    popup = opened[0].tab_id
    assert opened[0].kind == "tab_opened"
    assert popup != one
    assert [c.url for c in opened if c.kind == "navigation"][-1] == second
    browser.tabs("switch", tab_id=popup)
    browser.tabs("close", tab_id=popup)
    assert [(c.kind, c.tab_id) for c in watch.new()] == [
        ("tab_switched", popup),
        ("tab_closed", popup),
        ("tab_switched", one),
    ]


def test_changes_name_the_answer_of_the_dialog_policy_when_the_click_returns(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button onclick=\"confirm('Sure?')\">Go</button>"))
    go = browser.snapshot().ref("Go")
    for _ in range(5):
        watch = Watch(browser)
        done = browser.click(go)
        (change,) = watch.new()
        assert change.kind == "dialog_answered"
        assert change.dialog is not None
        assert (change.dialog.message, change.dialog.accepted) == ("Sure?", False)
        assert change.dialog.closed_by == "auto_policy"
        assert done.by is not None
        assert done.by["dialog"]["closed_by"] == "auto_policy"
        assert done.next == "The dialog policy dismissed this dialog. Continue."
        assert done.new_since_last.dialogs == (), "the result has it already"


@pytest.mark.parametrize("way", ["goto", "back", "reload", "close"])
def test_agent_leaves_a_page_whose_beforeunload_dialog_the_policy_would_dismiss(
    way: str, browser: Browser, site: Site
) -> None:
    calm = site.page("/calm", "calm", title="Calm")
    browser.goto(calm)
    tab_id = browser.goto(site.page("/", GUARDED, title="Draft")).tab_id
    browser.type("text", browser.snapshot().ref("Draft"))
    watch = Watch(browser)
    if way == "goto":
        done = browser.goto(calm)
    elif way == "close":
        done = browser.tabs("close", tab_id=tab_id)
    else:
        done = getattr(browser, way)()
    assert (done.status, done.note) == ("ok", "")
    told = watch.new()
    answered = told[0].dialog
    assert answered is not None
    assert (answered.type, answered.accepted) == ("beforeunload", True)
    assert [one["closed_by"] for one in done.new_since_last.dialogs] == ["auto_policy"]
    if way == "close":
        assert tab_id not in {tab.tab_id for tab in browser.state.tabs}
    else:
        assert [one.kind for one in told] == ["dialog_answered", "navigation"]


def test_page_can_not_leave_itself_against_the_dialog_policy(browser: Browser, site: Site) -> None:
    site.page("/next", "next")
    url = site.page("/", GUARDED + "<a href=/next>Link</a>", title="Draft")
    browser.goto(url)
    browser.type("text", browser.snapshot().ref("Draft"))
    watch = Watch(browser)
    browser.click(browser.snapshot().ref("Link"))
    eventually(lambda: browser.state.recent_dialogs[-1].type == "beforeunload")
    (answered,) = watch.new()
    assert answered.dialog is not None
    assert answered.dialog.accepted is False
    assert browser.snapshot().url == url


def test_navigation_that_the_policy_refuses_is_a_change(browser: Browser, site: Site) -> None:
    site.page("/other", "other")
    refused = f"{site.there}/other"
    browser.goto(site.page("/", f"<a href='{refused}'>Other</a><a href='mailto:a@b.test'>Mail</a>"))
    watch = Watch(browser)
    browser.click(browser.snapshot().ref("Mail"))
    eventually(lambda: browser.state.notes)
    (mail,) = watch.new()
    assert (mail.kind, mail.reason, mail.url) == (
        "navigation_refused",
        "unsupported",
        "mailto:a@b.test",
    )
    browser.click(browser.snapshot().ref("Other"))
    assert [(c.kind, c.reason, c.url) for c in watch.new()] == [
        ("navigation_refused", "policy", refused),
        ("navigation", "", refused),
    ]
    for url, reason in ((refused, "policy"), ("chrome://settings", "unsupported")):
        with pytest.raises(Denied):
            browser.goto(url)
        assert [(c.kind, c.reason, c.url) for c in watch.new()] == [
            ("navigation_refused", reason, url)
        ]


def test_redirect_that_the_policy_refuses_is_a_change(browser: Browser, site: Site) -> None:
    def redirect(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", f"{site.there}/other")
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages["/redirect"] = redirect
    watch = Watch(browser)
    with pytest.raises(Denied):
        browser.goto(f"{site.here}/redirect")
    refused = watch.new()[0]
    assert (refused.kind, refused.reason) == ("navigation_refused", "policy")


def test_changes_name_the_start_and_the_end_of_downloads(browser: Browser, site: Site) -> None:
    site.pages |= {"/whole": file(1_000), "/cut": file(100_000)}  # type: ignore[dict-item]
    browser.goto(site.page("/", "<a href=/whole>Whole</a><a href=/cut>Cut off</a>"))
    for link, end in (("Whole", "completed"), ("Cut off", "canceled")):
        watch = Watch(browser)
        browser.click(browser.snapshot().ref(link))
        eventually(lambda end=end: browser.state.downloads[-1].status == end)
        first, second = watch.new()
        assert (first.status, second.status) == ("started", end)
        assert first.tab_id == second.tab_id == browser.state.active_tab_id
        assert first.url == second.url == site.here + ("/whole" if end == "completed" else "/cut")
        assert second.download is not None
        assert second.download == browser.state.downloads[-1]
        assert bool(second.download.path) is (end == "completed")
        assert bool(second.download.reason) is (end == "canceled")


@needs("chromium")
def test_blocked_download_of_a_sandboxed_frame_is_a_change_and_a_note(site: Site) -> None:
    site.pages["/file"] = file(1_000)  # type: ignore[assignment]
    frame = "<iframe sandbox='allow-scripts' srcdoc='<a href=/file>File</a>'></iframe>"
    with Browser.launch(executable=whole_chromium()) as browser:
        tab_id = browser.goto(site.page("/", frame)).tab_id
        browser.click(browser.snapshot().ref("File"))
        blocked = eventually(
            lambda: [c for c in browser.state.changes.entries if c.kind == "download"]
        )
        assert [(c.status, c.tab_id, c.download) for c in blocked] == [("blocked", tab_id, None)]
        assert browser.state.downloads == ()
        (note,) = [note for note in browser.state.notes if note.kind == "download"]
        assert note.text.startswith("Download is disallowed.")

"""Storage states save and restore logins without requests to the sites."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import sync_playwright
from support.eventually import eventually
from support.pace import allow
from support.shared import Shared
from support.site import Site
from support.telling import hang

from tabwarden import BrowserConfig, events
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose
from tabwarden.errors import BudgetExceeded, Denied, InvalidArgument
from tabwarden.sync import Browser

WORKER = "addEventListener('fetch', (e) => e.respondWith(fetch('/worker-saw?' + e.request.url)))"
REGISTER = """<script>window.ready = navigator.serviceWorker.register('/worker.js')
  .then(() => navigator.serviceWorker.ready).then(() => 'ready')</script>"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """A separate browser, with the storage of all test sites."""
    shared = Shared(tmp_path_factory.mktemp("downloads"))
    yield shared
    shared.close()


@pytest.fixture
def browser(empty: Shared) -> Browser:
    browser = empty.fresh()
    browser.cookies("clear")  # of the tests before
    return browser


@pytest.fixture
def states(tmp_path: Path) -> Iterator[Browser]:
    """A browser that saves its states in the test's own folder."""
    with Browser.launch(config=BrowserConfig(state_dir=tmp_path / "states")) as browser:
        yield browser


def page_targets(browser: Browser) -> int:
    found = browser.cdp("Target.getTargets", {"filter": [{}]}).value["targetInfos"]
    return sum(info["type"] in ("page", "other") for info in found)


def logged_in(browser: Browser, site: Site) -> dict[str, Any]:
    """Log in on both sites, then leave them."""
    site.page("/in", "<script>localStorage.token = 'of ' + location.host</script>")
    site.page("/away", "page")
    for origin in (site.here, site.there):
        browser.goto(f"{origin}/in")
        browser.cookies("set", name="session", value="s3cret", http_only=True)
    browser.goto("about:blank")
    return browser.storage_state()


@pytest.mark.long
def test_storage_state_saves_and_restores_logins_without_visiting_sites(
    browser: Browser, site: Site
) -> None:
    state = logged_in(browser, site)
    tokens = {one["origin"]: one["localStorage"] for one in state["origins"]}
    for origin in (site.here, site.there):
        host = origin.partition("//")[2]
        assert tokens[origin] == [{"name": "token", "value": f"of {host}"}]
    cookies = [c for c in state["cookies"] if c["name"] == "session"]
    assert {c["domain"] for c in cookies} == {"127.0.0.1", "localhost"}
    assert cookies[0] == {
        "name": "session", "value": "s3cret", "domain": cookies[0]["domain"], "path": "/",
        "expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax",
    }  # fmt: skip
    with Browser.launch() as other:
        site.hits.clear()
        with other.events(events.TabOpened) as opened:
            done = other.load_storage_state(json.loads(json.dumps(state)))
            assert opened.get(0) is None
        assert site.hits == [], "no site was asked"
        assert {site.here, site.there} <= set(done.value["origins"])
        # Chromium 156.0.8078.79 connects ahead of a navigation, even one that we answer:
        # the proxy refuses that connection, and a note says so.
        assert {note["kind"] for note in done.new_since_last.notes} <= {"refused"}
        assert not msgspec.structs.replace(done.new_since_last, notes=())
        assert len(other.state.tabs) == 1
        for origin in (site.here, site.there):
            seen = "<script>window.first = localStorage.token</script>"
            site.page("/seen", seen)
            other.goto(f"{origin}/seen")
            assert other.evaluate("first").value == f"of {origin.partition('//')[2]}"
            assert [c["name"] for c in other.cookies(url=origin).value] == ["session"]


def test_storage_state_closes_its_hidden_page_when_it_finishes(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "page"))
    before = page_targets(browser)
    browser.storage_state()
    eventually(lambda: page_targets(browser) == before)
    for timeout_ms in (1, 2, 4, 8, 16, 32):
        with contextlib.suppress(BudgetExceeded):
            browser.storage_state(timeout_ms=timeout_ms)
    assert browser.evaluate("1").value == 1
    eventually(lambda: page_targets(browser) == before)
    assert len(browser.state.tabs) == 1
    assert browser.tabs().new_since_last.tabs == ()


@pytest.mark.calm  # the slower the reading, the more tabs open
def test_tabs_that_open_during_storage_state_become_normal_tabs(
    browser: Browser, site: Site
) -> None:
    site.page("/popup", "popup", title="Popup")
    browser.goto(site.page("/", "<button onclick=\"open('/popup', '', 'noopener')\">Open</button>"))
    for turn in range(5):
        browser.evaluate("setTimeout(() => document.querySelector('button').click(), 0); 0")
        browser.storage_state()
        eventually(lambda: len(browser.state.tabs) == turn + 2)  # noqa: B023
    assert {tab.status for tab in browser.state.tabs} == {"ready"}


def test_storage_state_starts_no_service_worker_and_sends_no_request(
    browser: Browser, site: Site
) -> None:
    def worker(request: Any) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/javascript")
        request.send_header("Content-Length", str(len(WORKER)))
        request.end_headers()
        request.wfile.write(WORKER.encode())

    site.pages["/worker.js"] = worker
    site.page("/worker-saw", "answered by the worker")
    browser.goto(site.page("/", REGISTER))
    assert browser.evaluate("ready").value == "ready"
    browser.goto("about:blank")
    site.hits.clear()
    browser.load_storage_state(
        {"origins": [{"origin": site.here, "localStorage": [{"name": "a", "value": "1"}]}]}
    )
    assert browser.storage_state()["origins"] != []
    assert [hit for hit in site.hits if "worker.js" not in hit] == []


def test_storage_state_works_behind_a_dialog_and_on_a_hung_page(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button onclick=\"alert('wait')\">Ask</button>"))
    browser.storage("set", key="a", value="1")
    assert browser.click(browser.snapshot().ref("Ask")).interrupted
    assert any(one["origin"] == site.here for one in browser.storage_state()["origins"])
    browser.dialog("accept")
    hang(browser, site)
    assert any(one["origin"] == site.here for one in browser.storage_state()["origins"])


@pytest.mark.long
def test_playwright_and_tabwarden_load_each_others_storage_state(
    browser: Browser, site: Site
) -> None:
    state = logged_in(browser, site)
    ours = {
        "cookies": [c for c in state["cookies"] if c["name"] == "session"],
        "origins": [o for o in state["origins"] if o["origin"] in (site.here, site.there)],
    }
    path = str(asyncio.run(choose(Budget(60_000))).path)
    with sync_playwright() as playwright:
        rival = playwright.chromium.launch(executable_path=path)
        context = rival.new_context(storage_state=ours)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"{site.there}/away")
        assert page.evaluate("localStorage.token") == f"of {site.there.partition('//')[2]}"
        theirs = context.storage_state()
        rival.close()
    assert {c["name"] for c in theirs["cookies"]} == {"session"}
    with Browser.launch() as other:
        done = other.load_storage_state(theirs).value
        assert done == {"cookies": 2, "origins": done["origins"]}
        assert set(done["origins"]) == {site.here, site.there}
        again = other.storage_state()
    assert sorted(again["cookies"], key=str) == sorted(theirs["cookies"], key=str)
    assert sorted(again["origins"], key=str) == sorted(theirs["origins"], key=str)


DATABASE = """<script>
  window.ready = new Promise((done) => {
    const asked = indexedDB.open("db", 2);
    asked.onupgradeneeded = () => asked.result.createObjectStore("s", {autoIncrement: true});
    asked.onsuccess = () => {
      const value = {list: [undefined, NaN, -0, 7n], map: new Map([[1, /x/g]])};
      value.bytes = new Uint8Array([9]);
      value.never = new Date(NaN);
      value.self = value;
      const change = asked.result.transaction("s", "readwrite");
      change.objectStore("s").put(value);
      change.objectStore("s").put({plain: [1, "two", null]});
      change.oncomplete = () => (asked.result.close(), done(1));
    };
  });
</script>"""
READ_DATABASE = """new Promise((done) => {
  const asked = indexedDB.open("db");
  asked.onsuccess = () => {
    const got = asked.result.transaction("s").objectStore("s").getAll();
    got.onsuccess = () => {
      const [{list, map, bytes, self, never}, plain] = got.result;
      asked.result.close();
      done([String(list), Object.is(list[2], -0), typeof list[3], String(map.get(1)), bytes[0],
        self.self === self, String(never), JSON.stringify(plain)]);
    };
  };
})"""


@pytest.mark.long
def test_playwright_and_tabwarden_load_each_others_databases(browser: Browser, site: Site) -> None:
    site.page("/in", DATABASE)
    site.page("/away", "page")
    browser.goto(f"{site.there}/in")
    browser.evaluate("ready")
    wanted = browser.evaluate(READ_DATABASE).value
    assert wanted[:3] == [",NaN,0,7", True, "bigint"]
    origins = [one for one in browser.storage_state()["origins"] if one["origin"] == site.there]
    path = str(asyncio.run(choose(Budget(60_000))).path)
    with sync_playwright() as playwright:
        rival = playwright.chromium.launch(executable_path=path)
        context = rival.new_context(storage_state={"cookies": [], "origins": origins})  # type: ignore[arg-type,typeddict-item]
        page = context.new_page()
        page.goto(f"{site.there}/away")
        assert page.evaluate(READ_DATABASE) == wanted
        theirs = context.storage_state(indexed_db=True)
        rival.close()
    with Browser.launch() as other:
        other.load_storage_state(theirs)
        other.goto(f"{site.there}/away")
        assert other.evaluate(READ_DATABASE).value == wanted


@pytest.mark.threat
def test_storage_state_files_are_private_and_written_only_to_their_folder(
    states: Browser, site: Site, tmp_path: Path
) -> None:
    states.goto(site.page("/", "page"))
    states.cookies("set", name="a", value="s3cret")
    states.storage("set", key="k", value="t0ken")
    saved = states.save_storage_state("shop")
    assert "s3cret" not in repr(saved)
    assert "t0ken" not in repr(saved)
    path = tmp_path / "states" / "shop.json"
    assert saved.value == {"path": str(path), "cookies": 1, "origins": [site.here]}
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    states.cookies("clear")
    states.storage("clear")
    states.save_storage_state("shop/empty.json")
    assert states.load_storage_state("shop").value == {"cookies": 1, "origins": [site.here]}
    # One renderer writes it, and the page's own renderer gets it a moment later.
    items = eventually(lambda: states.storage(key="k").value["items"])
    assert items[0]["value"] == "t0ken"
    assert sorted(p.name for p in (tmp_path / "states").rglob("*.json")) == [
        "empty.json", "shop.json",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        *("../out.json", "/etc/passwd", "a/../../out", ".", ".."),
        *("link/out", "link/out.json", "away", "away.json"),
    ],
)
@pytest.mark.threat
def test_storage_state_denies_file_names_outside_its_folder(
    name: str, states: Browser, tmp_path: Path
) -> None:
    (tmp_path / "states").mkdir()
    (tmp_path / "states" / "link").symlink_to(tmp_path)
    (tmp_path / "states" / "away.json").symlink_to(tmp_path / "out.json")
    for call in (states.save_storage_state, states.load_storage_state):
        with pytest.raises(Denied):
            call(name)
    assert not list(tmp_path.glob("out*"))


def test_load_storage_state_rejects_missing_corrupt_or_special_files(
    states: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "states"
    folder.mkdir()
    (folder / "other.json").write_text("{}")
    (folder / "broken.json").write_text("{")
    os.mkfifo(folder / "pipe.json")
    for name, words in (
        ("shop", "other.json"),
        ("broken", "not valid JSON"),
        ("pipe", "not a regular file"),
    ):
        with pytest.raises(InvalidArgument, match=words) as caught:
            states.load_storage_state(name, timeout_ms=allow(5_000))
        assert caught.value.data["field"] == "filename"


@pytest.mark.parametrize(
    ("state", "where"),
    [
        ({"cookies": {}}, "cookies"),
        ({"cookies": [{"name": "a"}]}, "value"),
        ({"cookies": [{"name": "a", "value": "hidden"}]}, "domain"),
        ({"cookies": [{"name": "a", "value": "hidden", "domain": "x.test", "sameSite": "No"}]},
         "sameSite"),
        ({"origins": [{"origin": "x.test"}]}, "origin"),
        ({"origins": [{"origin": "https://x.test/"}]}, "origin"),
        ({"origins": [{"origin": "https://u:hidden@x.test"}]}, "origin"),
        ({"origins": [{"origin": "https://x.test", "localStorage": [{"name": "a"}]}]}, "value"),
        ([], "dictionary"),
    ],
)  # fmt: skip
def test_load_storage_state_error_identifies_the_invalid_field(
    browser: Browser, state: Any, where: str
) -> None:
    with pytest.raises(InvalidArgument, match=where):
        browser.load_storage_state(state)


@pytest.mark.parametrize("own", [True, False])
def test_load_storage_state_restores_partitioned_cookies_saved_by_other_tools(
    own: bool, browser: Browser, site: Site
) -> None:
    """Other tools do not record whether a cookie is for cross-site frames."""
    site.page("/in", "<script>document.title = document.cookie</script>")
    partition = "http://localhost" if own else "http://127.0.0.1"
    cookie = {"name": "p", "value": "1", "domain": "localhost", "path": "/", "secure": True,
              "sameSite": "None", "partitionKey": partition}  # fmt: skip
    browser.load_storage_state({"cookies": [cookie], "origins": []})
    browser.goto(f"{site.there}/in")
    assert browser.evaluate("document.cookie").value == ("p=1" if own else "")
    browser.goto(site.page("/out", f"<iframe src='{site.there}/in'></iframe>"))
    frame = eventually(lambda: browser.state.frame_tree.children)[0]
    in_frame = browser.evaluate("document.cookie", frame_id=frame.frame_id).value
    assert in_frame == ("" if own else "p=1")


def test_storage_state_preserves_unusual_indexeddb_values(browser: Browser, site: Site) -> None:
    site.page("/in", "page")
    browser.goto(f"{site.there}/in")
    browser.evaluate("""new Promise((done) => {
      const asked = indexedDB.open("odd", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore("s", {autoIncrement: true});
      asked.onsuccess = () => {
        const change = asked.result.transaction("s", "readwrite");
        for (const one of [new Date(NaN), [1, , 3], {at: new Date(5)}, [new Date(NaN)]])
          change.objectStore("s").put(one);
        change.oncomplete = () => (asked.result.close(), done(1));
      };
    })""")
    state = browser.storage_state()
    with Browser.launch() as other:
        other.load_storage_state(state)
        other.goto(f"{site.there}/in")
        told = other.evaluate("""new Promise((done) => {
          indexedDB.open("odd").onsuccess = (opened) => {
            const asked = opened.target.result.transaction("s").objectStore("s").getAll();
            asked.onsuccess = () => {
              const [never, holes, {at}, [inside]] = asked.result;
              done([String(never), typeof holes[1], holes.length, at.getTime(), String(inside)]);
            };
          };
        })""").value
    assert told == ["Invalid Date", "undefined", 3, 5, "Invalid Date"]

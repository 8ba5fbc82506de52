"""``restore``: the next session has the previous session's logins."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.running import running_chromium
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.actions import dispatch, session_of
from tabwarden.errors import InvalidArgument
from tabwarden.page.checkpoint import kept_state
from tabwarden.sync import Browser

SIGN_IN = """<script>
  localStorage.token = "local";
  sessionStorage.token = "of the session";
  document.cookie = "login=1; max-age=9999";
  const asked = indexedDB.open("accounts", 3);
  asked.onupgradeneeded = () => {
    const users = asked.result.createObjectStore("users", {keyPath: "id"});
    users.createIndex("by", "mail", {unique: true});
    asked.result.createObjectStore("keys");
  };
  window.ready = new Promise((done) => (asked.onsuccess = () => {
    const change = asked.result.transaction(["users", "keys"], "readwrite");
    change.objectStore("users").put({id: 1, mail: "a@b", since: new Date(5), in: new Set([1n])});
    change.objectStore("keys").put(new Uint8Array([1, 2, 255]), "key");
    change.oncomplete = () => (asked.result.close(), done("ready"));
  }));
</script>"""
SIGNED_IN = """<script>
  window.first = [localStorage.token, sessionStorage.token, document.cookie].join();
  const asked = indexedDB.open("accounts");
  const got = (store, key) => new Promise((done) => {
    const one = asked.result.transaction(store).objectStore(store).get(key);
    one.onsuccess = () => done(one.result);
  });
  window.kept = new Promise((done) => (asked.onsuccess = async () => {
    const user = await got("users", 1), key = await got("keys", "key");
    const index = asked.result.transaction("users").objectStore("users").index("by");
    done([asked.result.version, user.mail, user.since.getTime(), user.in.has(1n), [...key],
      key.constructor.name, index.unique]);
  }));
</script>"""


Opened = Callable[..., Browser]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """One browser for all tasks, each in its own context."""
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        running_chromium(Path(folder)) as port,
    ):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def opened(url: str, tmp_path: Path) -> Opened:
    """``opened("shop")`` is a task that restores and saves this state in ``tmp_path/states``."""
    return lambda name: Browser.connect(url, context="own", config=config_in(tmp_path, name))


def config_in(folder: Path, name: str | None = None) -> BrowserConfig:
    return BrowserConfig(state_dir=folder / "states", restore=name)


def test_restore_option_loads_logins_and_storage_in_the_next_session(
    opened: Opened, site: Site, tmp_path: Path
) -> None:
    site.page("/in", SIGN_IN)
    site.page("/home", SIGNED_IN)
    with opened("shop") as browser:
        assert "no saved state 'shop' yet" in browser.restored
        browser.goto(f"{site.here}/in")
        assert browser.evaluate("ready").value == "ready"
    path = tmp_path / "states" / "shop.json"
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with opened("shop") as browser:
        assert browser.restored == "Restored 'shop': 1 cookies, and the storage of 1 sites."
        browser.goto(f"{site.here}/home")
        assert browser.evaluate("first").value == "local,of the session,login=1"
        kept = [3, "a@b", 5, True, [1, 2, 255], "Uint8Array", True]
        assert browser.evaluate("kept").value == kept
        browser.evaluate("sessionStorage.clear(); localStorage.clear()")
        browser.reload()
        assert browser.evaluate("first").value == ",,login=1", "it is put back once"
    kept = json.loads(path.read_text())["origins"][0]
    assert kept["localStorage"] == []
    assert "sessionStorage" not in kept
    assert kept["indexedDB"][0]["name"] == "accounts"


NEVER_CLOSED = """
import sys
from tabwarden import BrowserConfig
from tabwarden.sync import Browser
browser = Browser.launch(restore="end", config=BrowserConfig(state_dir=sys.argv[1] + "/states"))
print(browser.restored)
browser.cookies("set", name="login", value="1", domain="x.test", expires=4e9)
"""


@pytest.mark.long
def test_process_that_exits_without_close_saves_its_state(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", NEVER_CLOSED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no saved state 'end' yet" in done.stdout
    kept = json.loads((tmp_path / "states/end.json").read_text())
    assert kept["cookies"][0]["name"] == "login"

    async def told() -> str:
        session = session_of(config_in(tmp_path))
        given = {"url": "data:text/html,hi", "restore": "end"}
        done = await dispatch(session, config_in(tmp_path), "browser_open", given)
        await session.close()
        return done.text

    assert "Restored 'end': 1 cookies" in asyncio.run(told())


class Rounds:
    """Decide when the next regular save may start, instead of the clock."""

    def __init__(self) -> None:
        self._waiting = threading.Semaphore(0)
        self._may_go = threading.Semaphore(0)

    async def pause(self) -> None:
        self._waiting.release()
        await asyncio.to_thread(self._may_go.acquire)

    def begin(self) -> None:
        self._waiting.acquire()

    def next(self) -> None:
        """Let one round run to its end."""
        self._may_go.release()
        self._waiting.acquire()

    def end(self) -> None:
        self._may_go.release(10)


def test_browser_saves_its_state_regularly_but_only_after_a_change(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = Rounds()
    monkeypatch.setattr(kept_state, "pause", rounds.pause)
    path = tmp_path / "states" / "often.json"
    try:
        with opened("often") as browser:
            rounds.begin()
            browser.cookies("set", name="login", value="1", domain="x.test", expires=4e9)
            assert not path.exists()
            rounds.next()
            assert json.loads(path.read_text())["cookies"][0]["name"] == "login"
            path.unlink()
            rounds.next()
            assert not path.exists(), "nothing has changed"
            browser.cookies("set", name="login", value="2", domain="x.test", expires=4e9)
            rounds.next()
            assert json.loads(path.read_text())["cookies"][0]["value"] == "2"
    finally:
        rounds.end()


@pytest.mark.long
def test_two_tasks_with_one_saved_state_keep_each_others_site_data(
    opened: Opened, site: Site, tmp_path: Path
) -> None:
    site.page("/in", "<script>localStorage.token = location.host</script>")
    with opened("both") as one, opened("both") as other:
        for browser, origin in ((one, site.here), (other, site.there)):
            browser.goto(f"{origin}/in")
            browser.cookies("set", name="login", value=origin)
    kept = json.loads((tmp_path / "states" / "both.json").read_text())
    assert {site.here, site.there} == {origin["origin"] for origin in kept["origins"]}
    assert {cookie["value"] for cookie in kept["cookies"]} == {site.here, site.there}


@pytest.mark.parametrize("content", ["{", '{"cookies": 1}', "[]"])
def test_restore_reports_a_corrupt_state_file_and_keeps_a_copy(
    content: str, opened: Opened, tmp_path: Path
) -> None:
    path = tmp_path / "states" / "shop.json"
    path.parent.mkdir()
    path.write_text(content)
    with opened("shop") as browser:
        assert str(path) in browser.restored
        assert str(path.with_name("shop.json.broken")) in browser.restored
    assert path.with_name("shop.json.broken").read_text() == content
    assert json.loads(path.read_text()) == {"cookies": [], "origins": []}


def test_launch_rejects_restore_with_a_profile_or_a_bad_name(tmp_path: Path) -> None:
    for given in ({"profile": "work"}, {"user_data_dir": tmp_path / "p"}):
        with pytest.raises(InvalidArgument, match="restore can't be combined") as refused:
            Browser.launch(restore="shop", **given)  # type: ignore[arg-type]
        assert refused.value.data["field"] == "restore"
    for name in ("", "../x", "a/b", "a.", "nul", 5):
        with pytest.raises(InvalidArgument) as refused:
            Browser.launch(restore=name)  # type: ignore[arg-type]
        assert refused.value.data["field"] == "restore"

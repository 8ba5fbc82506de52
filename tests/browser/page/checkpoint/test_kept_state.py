"""``restore``: the next session has the logins of the last one."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.actions import dispatch, session_of
from tabwarden.errors import InvalidArgument
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


def config_in(folder: Path) -> BrowserConfig:
    return BrowserConfig(state_dir=folder / "states")


def test_the_next_session_is_signed_in(site: Site, tmp_path: Path) -> None:
    site.page("/in", SIGN_IN)
    site.page("/home", SIGNED_IN)
    with Browser.launch(restore="shop", config=config_in(tmp_path)) as browser:
        assert "no saved state 'shop' yet" in browser.restored
        browser.goto(f"{site.here}/in")
        assert browser.evaluate("ready").value == "ready"
    path = tmp_path / "states" / "shop.json"
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with Browser.launch(restore="shop", config=config_in(tmp_path)) as browser:
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
browser = Browser.launch(restore="end", config=BrowserConfig(state_dir=sys.argv[1]))
browser.cookies("set", name="login", value="1", domain="x.test", expires=4e9)
"""


def test_a_process_that_ends_without_closing_saves(tmp_path: Path) -> None:
    command = [sys.executable, "-c", NEVER_CLOSED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "end.json").read_text())["cookies"][0]["name"] == "login"


def test_two_tasks_keep_each_others_sites(site: Site, tmp_path: Path) -> None:
    site.page("/in", "<script>localStorage.token = location.host</script>")
    config = config_in(tmp_path)
    with (
        Browser.launch(restore="both", config=config) as one,
        Browser.launch(restore="both", config=config) as other,
    ):
        for browser, origin in ((one, site.here), (other, site.there)):
            browser.goto(f"{origin}/in")
            browser.cookies("set", name="login", value=origin)
    kept = json.loads((tmp_path / "states" / "both.json").read_text())
    assert {site.here, site.there} == {origin["origin"] for origin in kept["origins"]}
    assert {cookie["value"] for cookie in kept["cookies"]} == {site.here, site.there}


@pytest.mark.parametrize("content", ["{", '{"cookies": 1}', "[]"])
def test_a_broken_file_is_told_and_kept(content: str, tmp_path: Path) -> None:
    path = tmp_path / "states" / "shop.json"
    path.parent.mkdir()
    path.write_text(content)
    with Browser.launch(restore="shop", config=config_in(tmp_path)) as browser:
        assert str(path) in browser.restored
        assert str(path.with_name("shop.json.broken")) in browser.restored
    assert path.with_name("shop.json.broken").read_text() == content
    assert json.loads(path.read_text()) == {"cookies": [], "origins": []}


def test_an_agent_that_opens_a_page_hears_of_it(tmp_path: Path) -> None:
    async def opened() -> str:
        session = session_of(config_in(tmp_path))
        given = {"url": "data:text/html,hi", "restore": "shop"}
        done = await dispatch(session, config_in(tmp_path), "browser_open", given)
        await session.close()
        return done.text

    assert "no saved state 'shop' yet" in asyncio.run(opened())


def test_a_permanent_profile_needs_no_restore(tmp_path: Path) -> None:
    for given in ({"profile": "work"}, {"user_data_dir": tmp_path / "p"}):
        with pytest.raises(InvalidArgument, match="restore can't be combined") as refused:
            Browser.launch(restore="shop", **given)  # type: ignore[arg-type]
        assert refused.value.data["field"] == "restore"
    for name in ("", "../x", "a/b", "a.", "nul", 5):
        with pytest.raises(InvalidArgument) as refused:
            Browser.launch(restore=name)  # type: ignore[arg-type]
        assert refused.value.data["field"] == "restore"

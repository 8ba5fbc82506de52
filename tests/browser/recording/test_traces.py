"""Traces of a real browser: read back, and opened in Playwright's own viewer."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import av
import jsonschema
import pytest
from browser.page.person.test_input import Hands
from playwright.sync_api import Browser as PlaywrightBrowser
from support.beside import sync_playwright_browser
from support.eventually import eventually
from support.har_schema import HAR
from support.site import Site
from support.trace_viewer import opened

from tabwarden.config import BrowserConfig, load_config
from tabwarden.errors import BudgetExceeded, TargetCrashed
from tabwarden.recording import RECORDER, Trace, lines_of
from tabwarden.sync import Browser

PAGE = """
<button onclick="console.log('bought'); document.body.append('Thanks')">Buy</button>
<button onclick="for (;;);">Hang</button>
<input aria-label=Name><input type=password aria-label=Password>
<img src=/missing.png>
"""
SECRETS = {
    "password": "pass-7Wq1",
    "environment": "envi-8Zk2",
    "text": "conf-9Xm3",
    "cookie": "cook-4Vb5zz",
    "item": "item-5Nh6zz",
    "auth": "auth-6Jg7",
    "header": "head-2Lp8",
    "bearer": "bear-3Rt9",
    "url": "urls-1Cf0",
}


@pytest.fixture(scope="module")
def playwright() -> Iterator[PlaywrightBrowser]:
    with sync_playwright_browser([]) as browser:
        yield browser


def _config(tmp_path: Path, **more: object) -> BrowserConfig:
    return load_config().browser.model_copy(update={"trace_dir": tmp_path / "traces", **more})


def _recorded(folder: Path) -> Path:
    (path,) = folder.glob("*.zip")
    return path


@pytest.mark.long
def test_trace_of_a_page_hang_opens_in_the_trace_viewer(
    site: Site, tmp_path: Path, playwright: PlaywrightBrowser
) -> None:
    with Browser.launch(config=_config(tmp_path)) as browser:
        browser.goto(site.page("/", PAGE))
        page = browser.snapshot()
        browser.click(page.ref("Buy"))
        with pytest.raises(BudgetExceeded) as hung:
            browser.click(page.ref("Hang"), timeout_ms=3000)
    path = Path(hung.value.data["trace"])
    assert str(path) in hung.value.hint
    assert path.stat().st_mode & 0o077 == 0
    with opened(playwright, path) as viewer:
        assert viewer.actions[2:] == ['click button "Buy"', 'click button "Hang"']
        viewer.choose("Hang")
        assert "rescue: " in viewer.tab("Log")
        assert "budget_exceeded" in viewer.tab("Errors")
        assert "bought" in viewer.tab("Console")


@pytest.mark.long
def test_trace_of_a_page_crash_opens_in_the_trace_viewer(
    site: Site, tmp_path: Path, playwright: PlaywrightBrowser
) -> None:
    with Browser.launch(config=_config(tmp_path)) as browser:
        browser.goto(site.page("/", PAGE))
        with pytest.raises(TargetCrashed) as crashed:
            browser.cdp("Page.crash")
    path = Path(crashed.value.data["trace"])
    with opened(playwright, path) as viewer:
        assert viewer.actions[0].startswith("goto ")
        assert "target_crashed" in viewer.tab("Errors")


def test_recording_from_startup_contains_all_calls_requests_and_video(
    site: Site, tmp_path: Path, playwright: PlaywrightBrowser
) -> None:
    config = _config(
        tmp_path,
        record=tmp_path / "all",
        record_har=tmp_path / "requests.har",
        record_video=tmp_path / "film.webm",
    )
    with Browser.launch(config=config) as browser:
        browser.goto(site.page("/", PAGE))
        page = browser.snapshot()
        browser.click(page.ref("Buy"))
        browser.type("Ann", page.ref("Name"))
        eventually(lambda: RECORDER.of(browser._task).memory > 5_000)
    path = _recorded(tmp_path / "all")
    trace = Trace.open(path)
    assert [one["action"] for one in trace.calls] == ["goto", "snapshot", "click", "type"]
    assert trace.calls[2]["element"]["name"] == "Buy"
    assert trace.calls[3]["arguments"]["text"] == "Ann"
    assert trace.tab_ids == ["t1"]
    assert not list((tmp_path / "all").glob(".*"))
    with opened(playwright, path) as viewer:
        assert 'type textbox "Name" "Ann"' in viewer.actions
        viewer.choose('click button "Buy"')
        assert viewer.snapshot_shows_picture()
        assert viewer.frames > 0
        assert "missing.png" in viewer.tab("Network")
    har = json.loads((tmp_path / "requests.har").read_text())
    jsonschema.validate(har, HAR)
    assert {one["response"]["status"] for one in har["log"]["entries"]} == {200, 404}
    with av.open(str(tmp_path / "film.webm")) as film:
        assert len(list(film.decode(video=0))) > 3


@pytest.mark.threat
def test_recording_files_contain_no_secret(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pass a secret through a call in every way, and search every byte."""
    monkeypatch.setenv("MY_SECRET", SECRETS["environment"])
    base = load_config(None, secrets=["MY_SECRET", SECRETS["text"]]).browser
    more = {name: tmp_path / name for name in ("record", "trace_dir")}
    files = {"record_har": tmp_path / "a.har", "record_video": tmp_path / "a.webm"}
    config = base.model_copy(update={**more, **files})
    with Browser.launch(config=config) as browser:
        url = site.page("/", PAGE)
        browser.goto(f"{url}?access_token={SECRETS['url']}")
        page = browser.snapshot()
        browser.type(SECRETS["password"], page.ref("Password"))
        browser.evaluate("document.querySelector('[type=password]').value")
        browser.evaluate("console.log(document.querySelector('[type=password]').value)")
        browser.type(SECRETS["environment"], page.ref("Name"))
        browser.evaluate(f"document.title = '{SECRETS['text']}'")
        browser.cookies("set", name="sid", value=SECRETS["cookie"])
        browser.cookies(values=True)
        browser.evaluate("console.error(document.cookie)")
        browser.storage("set", key="k", value=SECRETS["item"])
        browser.storage("get", key="k")
        browser.storage_state()
        browser.auth("ann", SECRETS["auth"], origin=site.here)
        browser.emulate(headers={"X-Key": SECRETS["header"]})
        browser.evaluate(f"console.log('Authorization: Bearer {SECRETS['bearer']}')")
        browser.batch([{"action": "type", "ref": page.ref("Password"), "text": "pass-7Wq1"}])
        browser.snapshot()
        browser.trace()
    written = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert sorted(one.suffix for one in written) == [".har", ".webm", ".zip", ".zip"]
    for path in written:
        assert os.stat(path).st_mode & 0o077 == 0
        for text in _bytes_of(path):
            found = [name for name, secret in SECRETS.items() if secret.encode() in text]
            assert not found, (path.name, found)


def _bytes_of(path: Path) -> Iterator[bytes]:
    yield path.read_bytes()
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name) for name in archive.namelist())


@pytest.mark.whole
def test_trace_shows_a_persons_actions_and_masks_secrets(site: Site, tmp_path: Path) -> None:
    page = "<style>body {margin: 0}</style><input type=password style='width: 300px; height: 40px'>"
    with Browser.launch(config=_config(tmp_path)) as browser:
        browser.goto(site.page("/", page))
        hands = Hands(browser)
        hands.click(50, 20)
        hands.send(kind="paste", text=SECRETS["password"])
        eventually(lambda: hands.read("document.querySelector('input').value"))
        handoff = browser.control.ask("Sign in")
        browser.control.release("done", f"I typed {SECRETS['password']}")
        browser.control.ask("Which size?")
        browser.control.answer("h-2", "refused", "Ben", "Ask Ann.")
        browser.snapshot()
        path = Path(browser.trace().value["path"])
    told = "\n".join(lines_of(Trace.open(path)))
    assert re.search(r"Ann: control \(\d+ ms\)\n    effect: .*clicked 1 time", told)
    assert 'Ann: answer "Sign in" (0 ms)\n    effect: done' in told
    assert "I typed (secret)" in told
    assert 'Ben: answer "Which size?" (0 ms)\n    effect: refused\n    wrote "Ask Ann."' in told
    assert handoff.id == "h-1"
    assert SECRETS["password"] not in str(Trace.open(path).records)

"""Cookie files and curl commands, exchanged with the real curl."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.needs import needs
from support.running import running_chromium
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.errors import Denied, InvalidArgument
from tabwarden.sync import Browser

CURL = shutil.which("curl")


def curl(*words: str) -> str:
    command = [str(CURL), "-sS", "--noproxy", "*", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def sign_in(request: Any) -> None:
    request.send_response(200)
    request.send_header("Set-Cookie", "login=s3cret-value; HttpOnly; Path=/; Max-Age=9999")
    request.send_header("Set-Cookie", "items=a b; Path=/cart")
    request.send_header("Content-Length", "0")
    request.end_headers()


def echo(request: Any) -> None:
    body = (request.headers.get("Cookie") or "").encode()
    request.send_response(200)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


@needs("curl")
def test_curl_and_tabwarden_read_each_others_cookie_file(
    site: Site, tmp_path: Path, folder: Path
) -> None:
    site.pages["/in"] = sign_in
    site.pages["/echo"] = echo
    site.pages["/cart/echo"] = echo
    states = tmp_path / "states"
    states.mkdir()
    config = BrowserConfig(state_dir=states)
    curl("-c", str(states / "jar.txt"), f"{site.here}/in")
    with (
        running_chromium(folder) as port,
        Browser.connect(str(port), context="own", config=config) as browser,
        Browser.connect(str(port), context="own", config=config) as another,
    ):
        done = browser.cookies("load", filename="jar.txt")
        assert done.value == {"cookies": 2, "domains": ["127.0.0.1"]}
        browser.goto(f"{site.here}/cart/echo")
        assert browser.evaluate("document.body.textContent").value == (
            "items=a b; login=s3cret-value"
        )
        login = browser.cookies(name="login").value[0]
        assert (login["http_only"], login["domain"]) == (True, "127.0.0.1")
        browser.cookies("set", name="more", value="1", domain=".sub.test")
        saved = browser.cookies("save", filename="ours")
        assert saved.value == {"path": str(states / "ours.txt"), "cookies": 3}
        assert browser.cookies("save", domain="127.0.0.1", filename="some").value["cookies"] == 2
        whole = browser.save_storage_state("whole.txt")
        assert whole.value["cookies"] == 3
        assert another.load_storage_state("whole.txt").value == {"cookies": 3, "origins": []}
        assert {c["domain"] for c in another.cookies().value} == {"127.0.0.1", ".sub.test"}
    sent = curl("-b", str(states / "ours.txt"), f"{site.here}/cart/echo")
    assert set(sent.split("; ")) == {"login=s3cret-value", "items=a b"}
    assert ".sub.test\tTRUE\t/" in (states / "ours.txt").read_text()


def test_cookies_imported_from_a_copied_curl_command_restore_a_login(
    browser: Browser, site: Site
) -> None:
    browser.cookies("clear")
    site.pages["/echo"] = echo
    command = f"curl '{site.here}/a?b=1' \\\n  -H 'accept: */*' -b 'login=s3cret-value; lang=de'"
    assert browser.cookies("load", text=command).value["cookies"] == 2
    browser.goto(f"{site.here}/echo")
    assert browser.evaluate("document.body.textContent").value == "login=s3cret-value; lang=de"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"mode": "load"}, "filename"),
        ({"mode": "save"}, "filename"),
        ({"mode": "load", "filename": "a", "text": "b"}, "filename"),
        ({"mode": "save", "text": "b"}, "text"),
        ({"mode": "save", "filename": "a.json"}, "filename"),
        ({"mode": "list", "filename": "a"}, "filename"),
        ({"mode": "load", "filename": "a", "name": "x"}, "mode"),
        ({"mode": "load", "text": "no cookies"}, "text"),
        ({"mode": "load", "filename": "missing.txt"}, "filename"),
    ],
)
def test_cookies_action_rejects_invalid_file_arguments(
    browser: Browser, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        browser.cookies(**given)
    assert refused.value.data["field"] == field


@pytest.mark.threat
def test_cookies_action_denies_files_outside_its_folder(browser: Browser) -> None:
    for mode in ("load", "save"):
        with pytest.raises(Denied):
            browser.cookies(mode, filename="../out.txt")  # type: ignore[arg-type]

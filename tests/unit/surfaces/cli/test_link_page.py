"""Links open through a private page, so that no process argument contains a token."""

from __future__ import annotations

import html
import os
import re
import signal
import stat
import subprocess
import sys
import time
import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from support.eventually import eventually
from support.serving import running_server

from tabwarden.recording import Trace
from tabwarden.recording.playwright_trace import write_zip
from tabwarden.surfaces.cli.commands.browser.live import LINK_PAGE_S, open_link

PROGRAM = Path(sys.executable).with_name("tabwarden")
STAND_IN = f"""#!{sys.executable}
import os, sys
open("args", "w").write(" ".join(sys.argv[1:]))
os.replace("args", "asked")
"""
ABOUT = {"type": "recording", "task": "t", "began": 1.0, "ended": 2.0, "viewport": None}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a fake browser writes its arguments."""
    program = tmp_path / "browser"
    program.write_text(STAND_IN)
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    monkeypatch.setattr(webbrowser, "_tryorder", None)  # it reads the variable only once
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(place: Path) -> str:
    """The arguments with which the browser was started."""
    told = place / "asked"
    return eventually(lambda: told.exists() and told.read_text())


def is_led_to(arguments: str, url: str) -> None:
    """Fail if the arguments contain the link, or no private page that leads there."""
    page = Path(unquote(urlsplit(arguments).path))
    assert arguments == page.as_uri()
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert stat.S_IMODE(page.parent.stat().st_mode) == 0o700
    (goes_to,) = re.findall(r'content="0; url=([^"]*)"', page.read_text())
    assert html.unescape(goes_to) == url


@pytest.mark.threat
def test_trace_show_command_never_passes_its_link_as_a_process_argument(place: Path) -> None:
    with (place / "trace.zip").open("wb") as file:
        write_zip(Trace.of([ABOUT], {}), file)
    command = [PROGRAM, "trace", "show", "trace.zip"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as showing:
        assert showing.stdout is not None
        url = showing.stdout.readline().strip()
        is_led_to(asked(place), url)
        showing.send_signal(signal.SIGINT)


@pytest.mark.threat
def test_live_command_never_passes_its_link_as_a_process_argument(place: Path) -> None:
    with running_server("serve"):
        told = subprocess.run([PROGRAM, "live"], capture_output=True, text=True, check=True)
        url, opened, *_ = told.stdout.splitlines()
        is_led_to(asked(place), url)
    assert "/live/#" in url
    assert "open the link yourself" in opened


def test_open_link_removes_pages_of_expired_links(place: Path) -> None:
    assert open_link("http://localhost:1/?a=1&b=\"'<#c")
    is_led_to(asked(place), "http://localhost:1/?a=1&b=\"'<#c")
    (old,) = (place / "run").iterdir()
    then = time.time() - LINK_PAGE_S - 1
    os.utime(old, (then, then))
    open_link("http://localhost:1/")
    assert not old.exists()


def test_open_link_opens_nothing_without_a_folder_for_its_page(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_RUNTIME_DIR", str(place / "browser" / "run"))
    assert not open_link("http://localhost:1/")

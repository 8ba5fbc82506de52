"""``tabwarden cookies import`` requires consent from a person at a terminal."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.home import Home

from tabwarden.actions import ACTIONS
from tabwarden.browser import Browser
from tabwarden.config import BrowserConfig
from tabwarden.surfaces.cli import main

pty = pytest.importorskip("pty")
COMMAND = [
    str(Path(sys.executable).with_name("tabwarden")),
    *("cookies", "import", "--from", "chrome", "--domain", "shop.test", "--to", "me"),
]


async def fill(states: Path) -> None:
    config = BrowserConfig(state_dir=states)
    async with Browser.connect("auto:chrome", config=config) as browser:
        for domain in (".shop.test", "www.shop.test", "other.test"):
            await browser.cookies(
                "set", name="login", value=domain, domain=domain, expires=4e9, http_only=True
            )


def at_terminal(answer: bytes) -> tuple[int, str]:
    """Run the command at a terminal and answer its prompt."""
    ours, its = pty.openpty()
    process = subprocess.Popen(COMMAND, stdin=its, stdout=its, stderr=its)
    os.close(its)
    told = b""
    while b"[y/N]" not in told:
        told += os.read(ours, 1000)
    os.write(ours, answer)
    while True:
        try:
            more = os.read(ours, 1000)
        except OSError:  # it has ended
            break
        if not more:
            break
        told += more
    os.close(ours)
    return process.wait(), told.decode()


@pytest.mark.threat
def test_cookie_import_requires_consent_at_a_terminal(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__STATE_DIR", str(tmp_path))
    assert shutil.which("tabwarden", path=str(Path(COMMAND[0]).parent))
    path = tmp_path / "me.json"
    with home.chrome():
        asyncio.run(fill(tmp_path))
        refused = subprocess.run(COMMAND, input="y\n", capture_output=True, text=True)
        assert "denied" in refused.stderr
        status, told = at_terminal(b"n\n")
        assert status != 0
        assert not path.exists()
        status, told = at_terminal(b"y\n")
        assert (status, "2 cookies are now in" in told) == (0, True), told
    kept = json.loads(path.read_text())["cookies"]
    assert [(c["domain"], c["httpOnly"], c["expires"] > time.time()) for c in kept] == [
        (".shop.test", True, True), ("www.shop.test", True, True),
    ]  # fmt: skip
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_cookie_import_rejects_a_second_profile_with_a_hint() -> None:
    words = ["import-cookies", *COMMAND[3:], "--profile", "Profile 2"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "--profile-directory='Profile 2'" in done.stderr


def test_no_action_imports_cookies() -> None:
    assert not [tool for tool, action in ACTIONS.items() if "import" in str(action.schema())]

"""`tabwarden replay`: a trace can be untrusted, so it gets only what a person allows."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabwarden.recording import Trace
from tabwarden.recording.playwright_trace import write_zip
from tabwarden.surfaces.cli.group import main

PROGRAM = Path(sys.executable).with_name("tabwarden")
ABOUT = {"type": "recording", "task": "t", "began": 1.0, "ended": 2.0, "viewport": None}
ASKS = {
    "type": "call", "number": 1, "action": "goto", "began": 1.0, "ended": 2.0, "tab_id": "t1",
    "status": "ok", "code": "", "message": "",
    "arguments": {"url": "http://127.0.0.1:9/?of=(secret KEY_OF_MINE)"},
}  # fmt: skip


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A trace that uses an environment variable."""
    monkeypatch.setenv("KEY_OF_MINE", "k1")
    path = tmp_path / "asks.zip"
    with path.open("wb") as file:
        write_zip(Trace.of([ABOUT, ASKS], {}), file)
    return str(path)


@pytest.mark.threat
def test_replay_command_rejects_a_variable_that_the_user_did_not_allow(trace: str) -> None:
    for named in ([], ["--env", "PATH"]):
        done = CliRunner().invoke(main, ["replay", trace, "--json", *named])
        error = json.loads(done.stdout)["error"]
        assert (error["code"], error["data"]["field"]) == ("invalid_argument", "env")
        assert "KEY_OF_MINE" in error["message"]
        assert "--env KEY_OF_MINE" in error["hint"]


def test_replay_command_reports_an_allowed_variable_that_is_not_set(trace: str) -> None:
    done = CliRunner().invoke(main, ["replay", trace, "--env", "NO_SUCH_KEY"])
    assert done.exit_code == 2
    assert "NO_SUCH_KEY" in done.stderr


@pytest.mark.threat
def test_replay_command_asks_at_a_terminal_before_it_passes_a_variable(trace: str) -> None:
    ours, its = pty.openpty()
    with open(ours, "r+b", buffering=0) as screen:
        asking = subprocess.Popen([PROGRAM, "replay", trace], stdin=its, stdout=its, stderr=its)
        os.close(its)
        shown = b""
        while b"[y/N]" not in shown:
            shown += screen.read(1000)
        screen.write(b"n\n")
        assert asking.wait(60) == 1
    assert b"KEY_OF_MINE" in shown
    assert b"k1" not in shown

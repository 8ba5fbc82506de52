"""The program's startup: an interrupt ends it quietly."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tabwarden.surfaces import command_table
from tabwarden.surfaces.cli import entry


def test_ctrl_c_during_startup_exits_quietly_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def cancelled() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_table, "table", cancelled)
    monkeypatch.setattr("sys.argv", ["tabwarden", "open"])
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--help"], 0, "Usage: tabwarden COMMAND"),
        (["click", "--help"], 0, "Usage: python -m tabwarden click"),
        (["help"], 0, "Usage: tabwarden COMMAND"),
        (["help", "click"], 0, "Usage: python -m tabwarden click"),
        (["version"], 0, "version"),
        (["clik"], 2, "Did you mean 'click'?"),
        (["click", "--count", "9"], 2, "--count must be at least 1"),
    ],
)
def test_python_m_tabwarden_runs_the_command_line(
    arguments: list[str], status: int, words: str
) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tabwarden", *arguments], capture_output=True, text=True, check=False
    )
    assert ran.returncode == status
    assert words in ran.stdout + ran.stderr

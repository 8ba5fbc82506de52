"""Shell completion: setup per shell, and the completions of partial commands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.needs import needs, require

PROGRAM = Path(sys.executable).with_name("tabwarden")


@pytest.mark.parametrize(
    ("shell", "words"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --no")]
)
def test_completion_command_prints_a_script_for_each_shell(shell: str, words: str) -> None:
    done = subprocess.run(
        [PROGRAM, "completion", shell], capture_output=True, text=True, timeout=60, check=True
    )
    assert words in done.stdout
    assert "_TABWARDEN_COMPLETE" in done.stdout


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("tabwarden scr", {"scrape", "screenshot", "script", "scroll"}),
        ("tabwarden dialog ", {"accept", "dismiss"}),
        ("tabwarden type e4 --press", {"--press-enter"}),
        ("tabwarden goto https://a.example --wait-until net", {"networkidle"}),
    ],
)
def test_completion_runs_without_importing_the_engine(line: str, found: set[str]) -> None:
    asked = {
        **os.environ,
        "_TABWARDEN_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    done = subprocess.run(
        [sys.executable, "-X", "importtime", PROGRAM],
        env=asked, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == found
    assert "pydantic" not in done.stderr
    assert "tabwarden.actions" not in done.stderr


SHELLS = {
    "bash": ("--norc --noprofile -i", 'eval "$(tabwarden completion bash)"'),
    "zsh": ("-f -i", 'autoload -U compinit; compinit -u -D; eval "$(tabwarden completion zsh)"'),
    "fish": ("--no-config -i", "tabwarden completion fish | source"),
}
TERMINAL = "import pty, sys; pty.spawn(sys.argv[1:])"


@needs("posix")
@pytest.mark.parametrize("shell", SHELLS)
def test_tab_key_completes_a_command_in_the_shell(shell: str, tmp_path: Path) -> None:
    """Set up as docs/installation.md says, then type a partial command, Tab and an option."""
    require(shell)
    program = shutil.which(shell)
    assert program is not None
    options, setup = SHELLS[shell]
    done = subprocess.run(
        [sys.executable, "-c", TERMINAL, program, *options.split()],
        input=f"{setup}\ntabwarden screens\t--help\nexit\n",
        env={
            "PATH": f"{PROGRAM.parent}:/usr/bin:/bin",
            "HOME": str(tmp_path),
            "TERM": "xterm",
            "LC_ALL": "C.UTF-8",
        },
        cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert "Usage: tabwarden screenshot" in done.stdout, done.stdout

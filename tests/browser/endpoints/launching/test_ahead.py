"""The first browser of a process starts while Tabwarden is still being imported."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os, time
from pathlib import Path
from tabwarden.sync import Browser

def browsers():
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(bytes(1), b" ").decode(errors="replace")
            parent = int((file.parent / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        if parent == os.getpid() and "--user-data-dir" in line and "--type=" not in line:
            lines.append(line)
    return len(lines)
"""
FAILS = """
from tabwarden.config import BrowserConfig
try:
    Browser.launch(config=BrowserConfig(download_dir="/proc/nowhere"))
except Exception as error:
    print(type(error).__name__, browsers())
"""
OPENS_TWO = """
with Browser.launch() as first, Browser.launch() as second:
    print(first.evaluate("1").value, second.evaluate("2").value, browsers())
print(browsers())
"""


def output_of(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + program],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_launch_that_fails_later_closes_the_browser_that_started_ahead() -> None:
    assert output_of(FAILS) == ["InvalidArgument", "0"]


def test_each_launch_has_one_browser() -> None:
    assert output_of(OPENS_TWO) == ["1", "2", "2", "0"]

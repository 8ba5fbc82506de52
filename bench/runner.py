"""Runs benches in turn, each in a separate process that is killed at its deadline."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import ROOT
from bench.bench import Bench, Found, found_of
from bench.leftovers import MARK, end_leftovers, marked

__all__ = ["run"]

QUICKER = 3
LAST_WORDS_S = 15.0
"""Seconds between SIGTERM and SIGKILL."""


def run(bench: Bench, options: list[str], *, quick: bool) -> Found:
    """Run a bench. Return its results; if it did not finish, its results so far and the reason.

    Args:
        bench: which one.
        options: for its command line.
        quick: a third of its deadline.
    """
    deadline_s = bench.deadline_s / QUICKER if quick else bench.deadline_s
    mark = f"{marked()}.{bench.name}"
    with TemporaryDirectory(prefix="bench-") as folder:
        told = Path(folder) / "found.json"
        command = [sys.executable, "-m", f"bench.{bench.name}", "--json", str(told), *options]
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, MARK: mark})
        try:
            process.wait(deadline_s)
            late = ""
        except subprocess.TimeoutExpired:
            late = f"not done after {deadline_s:g} s"
            process.terminate()
            try:
                process.wait(LAST_WORDS_S)
            except subprocess.TimeoutExpired:
                process.kill()
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            end_leftovers(mark)
        if not told.exists():
            why = late or f"its process ended with {process.returncode} and without results"
            return Found(bench.name, bench.title, bench.figures, failed=why)
        found = found_of(json.loads(told.read_text("utf-8")))
    found.failed = late or found.failed
    if not found.failed and process.returncode not in (0, 1):
        found.failed = f"its process ended with {process.returncode}"
    return found

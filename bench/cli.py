"""What a warm command costs over its action, beside agent-browser on the same Chromium.

    python bench/cli.py [--json FILE] [--rounds 20]

- *command*: `tabwarden click e1` as a shell starts it, until it has ended; the daemon runs already.
- *socket*: the same request to the daemon from a process that runs, so without Python's start.
- *raw*: the same action by the Python API in this process, on a browser of its own.
- *python*: `python -c pass`, the floor under any command written in it.
- *agent-browser*: its native program, when ``TABWARDEN_RIVALS`` names a folder where ``npm install
  agent-browser`` was run.

In turns, each round another one first. ``TABWARDEN_BROWSER__EXECUTABLE`` names the browser.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.site import Site

from tabwarden.budget import Budget
from tabwarden.endpoints import choose
from tabwarden.surfaces.cli.options import table
from tabwarden.surfaces.daemon.call import Caller
from tabwarden.surfaces.daemon.places import Place
from tabwarden.sync import Browser

OVER_RAW_MS = 60.0
PROGRAM = Path(sys.executable).with_name("tabwarden")
PAGE = "<!doctype html><title>Command line</title><button id=b>Buy now</button>"

Way = Callable[[], object]


def in_turns(ways: dict[str, Way], rounds: int) -> dict[str, float]:
    """The median milliseconds of each."""
    took: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for turn in range(rounds + 2):
        for at in range(len(names)):
            name = names[(turn + at) % len(names)]
            began = time.perf_counter()
            ways[name]()
            if turn >= 2:
                took[name].append((time.perf_counter() - began) * 1000)
    return {name: statistics.median(times) for name, times in took.items()}


def ran(*command: object) -> Way:
    """Starts a program and waits for its end."""
    words = [str(word) for word in command]
    return lambda: subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=True)


def rival_program() -> Path | None:
    folder = os.environ.get("TABWARDEN_RIVALS")
    if folder is None:
        return None
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "")
    native = f"agent-browser/bin/agent-browser-{platform.system().lower()}-{machine}"
    found = Path(folder) / "node_modules" / native
    return found if found.exists() else None


def measure(rounds: int, folder: str) -> dict[str, dict[str, float]]:
    executable = asyncio.run(choose(Budget(60_000))).path
    os.environ |= {
        "TABWARDEN_RUNTIME_DIR": folder,
        "TABWARDEN_CHROME": str(executable),
        "AGENT_BROWSER_EXECUTABLE_PATH": str(executable),
        "AGENT_BROWSER_ARGS": "--no-sandbox",
        "AGENT_BROWSER_SOCKET_DIR": f"{folder}/rival",
    }
    rival = rival_program()
    with Site() as site, Browser.launch() as browser:
        url = site.page("/", PAGE)
        ran(PROGRAM, "open", url)()
        browser.goto(url)
        ref = browser.snapshot().ref("Buy now")
        assert ref in subprocess.check_output([PROGRAM, "snapshot"], text=True)
        caller = Caller(Place("default"), table()["build"], lambda words: None)

        def called(tool: str, **arguments: Any) -> Way:
            return lambda: caller.call(tool, arguments, starts=False, launch={})

        rows: dict[str, dict[str, Way]] = {
            "click": {
                "command": ran(PROGRAM, "click", ref),
                "socket": called("browser_click", ref=ref),
                "raw": lambda: browser.click(ref),
            },
            "eval": {
                "command": ran(PROGRAM, "eval", "1 + 1"),
                "socket": called("browser_evaluate", script="1 + 1"),
                "raw": lambda: browser.evaluate("1 + 1"),
            },
        }
        for row in rows.values():
            row["python"] = ran(sys.executable, "-c", "pass")
        try:
            if rival is not None:
                ran(rival, "open", url)()
                rows["click"]["agent-browser"] = ran(rival, "click", "#b")
                rows["eval"]["agent-browser"] = ran(rival, "eval", "1 + 1")
            return {name: in_turns(row, rounds) for name, row in rows.items()}
        finally:
            ran(PROGRAM, "close")()
            if rival is not None:
                ran(rival, "close")()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args()
    print(f"{os.cpu_count()} cpus, Python {platform.python_version()}, load {os.getloadavg()[0]}\n")
    with tempfile.TemporaryDirectory(prefix="tw-") as folder:
        result = measure(asked.rounds, folder)
    ways = ("command", "socket", "raw", "python", "agent-browser")
    print(f"{'median ms':<10}" + "".join(f"{way:>15}" for way in ways))
    for what, row in result.items():
        cells = (f"{row[way]:.1f}" if way in row else "" for way in ways)
        print(f"{what:<10}" + "".join(f"{cell:>15}" for cell in cells))
    print()
    reached = True
    for what, row in result.items():
        over = row["command"] - row["raw"]
        reached &= over <= OVER_RAW_MS
        verdict = "reached" if over <= OVER_RAW_MS else "MISSED "
        print(f"{verdict}  {what}: {over:.1f} ms over raw, at most {OVER_RAW_MS:g}")
    if "agent-browser" not in result["click"]:
        print("agent-browser is not compared with: set TABWARDEN_RIVALS")
    if asked.json is not None:
        asked.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if reached else 1


if __name__ == "__main__":
    raise SystemExit(main())

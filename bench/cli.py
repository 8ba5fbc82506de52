"""Measures the overhead of a warm command over its action, and agent-browser on the same Chromium.

    python -m bench.cli [--quick] [--json FILE]

- *command click*: a click on a button that changes the page at once. - *command dead click*: a
  click that changes nothing, so the command waits for an effect. - *command eval*: `1 + 1`.
- *tabwarden*: `tabwarden click e1` as started by a shell, until it has ended, with a running
  daemon. - *socket*: the same request to the daemon from a running process, without Python's
  startup.
- *raw*: the same action with the Python API in this process, in a separate browser. - *python*:
  `python -c pass`, the minimum for any command written in Python. - *agent-browser*: its native
  program.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.rivals.agent_browser import agent_browser
from bench.rivals.installed import Installed
from bench.rows import OWN, Figure
from bench.turns import Batch, because, in_turns, timed
from tabwarden import Browser
from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.daemon.call import Caller
from tabwarden.surfaces.daemon.paths import SessionPaths

OVER_RAW_MS = 60.0
AT_MOST_MS = {"command click": 60.0, "command eval": 25.0}
PROGRAM = Path(sys.executable).with_name("tabwarden")
PAGE = (
    "<!doctype html><title>Command line</title><p>Bought: <output>0</output>"
    "<button id=b onclick=\"document.querySelector('output').value++\">Buy now</button>"
    "<button id=dead>Nothing</button>"
)

Way = Callable[[], Any]


def ran(*command: object) -> Way:
    """Starts a program and waits until it has ended."""
    words = [str(word) for word in command]
    return lambda: subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=True)


def batch_of(way: Way) -> Batch:
    """Nothing else runs on this loop, so the call may block it, which is cheaper than a thread."""

    async def act() -> None:
        way()

    return timed(act)


async def measure(asked: Asked, found: Found) -> None:
    absent: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tw-"))
        os.environ |= {"TABWARDEN_RUNTIME_DIR": folder, "TABWARDEN_CHROME": asked.browser}
        url = stack.enter_context(Site()).page("/", PAGE)
        browser = await stack.enter_async_context(Browser.launch(executable=asked.browser))
        await asyncio.to_thread(ran(PROGRAM, "open", url))
        stack.callback(ran(PROGRAM, "close"))
        await browser.goto(url)
        snapshot = await browser.snapshot()
        buttons = {"command click": "Buy now", "command dead click": "Nothing"}
        refs = {row: snapshot.ref(name) for row, name in buttons.items()}
        outline = ran(PROGRAM, "snapshot")().stdout.decode()
        assert all(f'"{name}" [ref={refs[row]}]' in outline for row, name in buttons.items())
        caller = Caller(SessionPaths("default"), table()["build"], lambda words: None)

        def called(tool: str, **arguments: Any) -> Batch:
            return batch_of(
                lambda: caller.call(tool, arguments, starts=False, launch={}, flags={}, shows=True)
            )

        rows: dict[str, dict[str, Batch]] = {
            name: {
                OWN: batch_of(ran(PROGRAM, "click", ref)),
                "socket": called("browser_click", ref=ref),
                "raw": timed(partial(browser.click, ref)),
            }
            for name, ref in refs.items()
        }
        rows["command eval"] = {
            OWN: batch_of(ran(PROGRAM, "eval", "1 + 1")),
            "socket": called("browser_evaluate", script="1 + 1"),
            "raw": timed(lambda: browser.evaluate("1 + 1")),
        }
        for row in rows.values():
            row["python"] = batch_of(ran(sys.executable, "-c", "pass"))
        if asked.rivals:
            try:
                opening = agent_browser(asked.browser, Installed.here())
                rival = await stack.enter_async_context(opening)
                await rival.goto(url)
                for name, words in {
                    "command click": ("click", "#b"),
                    "command dead click": ("click", "#dead"),
                    "command eval": ("eval", "1 + 1"),
                }.items():
                    rows[name]["agent-browser"] = timed(partial(rival.run, *words))
            except Exception as error:
                absent["agent-browser"] = because(error)
        rounds = asked.rounds(30, 8)
        for name, ways in rows.items():
            found.add(await in_turns(name, ways, rounds, left_out=absent))


BENCH = Bench(
    "cli",
    "Command line, warm",
    measure,
    (
        *(
            Figure(name, name, limit_ms, source="set later")
            for name, limit_ms in AT_MOST_MS.items()
        ),
        *(
            Figure(
                f"{name}, overhead over the action alone",
                name,
                OVER_RAW_MS,
                minus="raw",
                source="set later",
            )
            for name in AT_MOST_MS
        ),
    ),
    deadline_s=300,
)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

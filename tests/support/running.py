"""The browser under test, and one launched separately with a debugging port."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import Probed, choose
from tabwarden.sync import Browser

__all__ = ["browser_here", "chromium_process", "is_shell", "running_chromium"]


@cache
def browser_here() -> Probed:
    """The browser that a launch uses on this machine, headless."""
    with ThreadPoolExecutor(1) as thread:  # the caller's thread may have a running loop
        return thread.submit(lambda: asyncio.run(choose(Budget(60_000)))).result()


@contextmanager
def running_chromium(folder: Path, *flags: str, executable: Path | None = None) -> Iterator[int]:
    """Its debugging port; its profile and sockets are in ``folder``, whose path must be short."""
    with chromium_process(folder, *flags, executable=executable) as (port, _):
        yield port


@contextmanager
def chromium_process(
    folder: Path, *flags: str, executable: Path | None = None
) -> Iterator[tuple[int, int]]:
    """The same with more flags; return its debugging port and its process."""
    path = executable or browser_here().path
    command = [
        str(path), "--headless", "--no-sandbox", "--remote-debugging-port=0",
        f"--user-data-dir={folder / 'profile'}", "--no-first-run", "--disable-dev-shm-usage",
        # The address bar's own pages take most of the startup time (flags.py).
        "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup", *flags, "about:blank",
    ]  # fmt: skip
    elsewhere = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=elsewhere) as chromium:
        assert chromium.stderr is not None
        for line in chromium.stderr:
            if "DevTools listening on" in line:
                found = int(line.rsplit(":", 1)[1].split("/")[0])
                break
        drained = threading.Thread(target=chromium.stderr.read, daemon=True)
        drained.start()
        try:
            yield found, chromium.pid
        finally:
            chromium.kill()
            drained.join()


def is_shell(browser: Browser) -> bool:
    """Whether the browser is a headless shell, which lacks parts of Chromium."""
    return bool(browser.cdp("Browser.getVersion").value["product"].startswith("HeadlessChrome"))

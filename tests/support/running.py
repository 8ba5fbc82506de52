"""A Chromium that somebody else started, with a debugging port."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints import choose

__all__ = ["running_chromium"]


@contextmanager
def running_chromium(folder: Path, *switches: str) -> Iterator[int]:
    """Its debugging port.

    Args:
        folder: for its profile and sockets; its path must be short.
        switches: further ones of its command line.
    """
    found_browser = asyncio.run(choose(Budget(60_000)))
    command = [
        str(found_browser.path), "--headless", "--no-sandbox", "--remote-debugging-port=0",
        f"--user-data-dir={folder / 'profile'}", "--no-first-run", *switches,
        "about:blank",
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
            yield found
        finally:
            chromium.kill()
            drained.join()

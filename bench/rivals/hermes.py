"""Hermes Agent's supervisor, in a separate Python, on a Chromium with a debugging port."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.rivals.installed import Installed

__all__ = ["Hermes", "hermes"]

WORKER = Path(__file__).with_name("hermes_worker.py")
LINE = 64 * 2**20


class Hermes:
    """Has evaluate and dialogs, but no actions."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def evaluate(self, script: str, times: int) -> tuple[list[float], Any]:
        """Return the milliseconds of each call, and the last value."""
        told = await self._ask(do="evaluate", script=script, times=times)
        return told["took"], told["value"]

    async def dialogs(self, ask: str, times: int) -> dict[str, list[float]]:
        """Return the milliseconds until the dialog was seen, and until it was answered."""
        return await self._ask(do="dialog", script=ask, times=times)

    async def ready(self) -> None:
        await self._told()

    async def arrived(self, url: str) -> None:
        """Poll for the load, because the supervisor does not report it."""
        for _ in range(500):
            where = (await self.evaluate("document.readyState + location.href", 1))[1]
            if where == f"complete{url}":
                return
            await asyncio.sleep(0.02)
        raise RuntimeError(f"its page did not navigate to {url}")

    async def _ask(self, **asked: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        await self._process.stdin.drain()
        return await self._told()

    async def _told(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("its process has ended")
        told: dict[str, Any] = json.loads(line)
        if "error" in told:
            raise RuntimeError(told["error"])
        return told


def _words(told: Path) -> list[str]:
    """Return the port and path, once Chromium has written them."""
    return told.read_text().split() if told.exists() else []


@asynccontextmanager
async def _chromium(browser: str) -> AsyncIterator[tuple[str, str]]:
    """Launch a browser with a debugging port. Yield its WebSocket URL, and a folder to work in."""
    with TemporaryDirectory(prefix="he-", ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            browser, "--headless", "--no-sandbox", "--remote-debugging-port=0", "--no-first-run",
            f"--user-data-dir={folder}/profile", "about:blank",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder},
        )  # fmt: skip
        told = Path(folder, "profile", "DevToolsActivePort")
        try:
            while len(words := _words(told)) < 2:
                if process.returncode is not None:
                    raise RuntimeError(f"{browser} ended with {process.returncode}")
                await asyncio.sleep(0.02)
            port, path = words
            yield f"ws://127.0.0.1:{port}{path}", folder
        finally:
            process.kill()
            await process.wait()


@asynccontextmanager
async def hermes(
    browser: str, installed: Installed, url: str = "about:blank"
) -> AsyncIterator[Hermes]:
    """Start a supervisor with a browser at ``url``, until the block ends."""
    python = installed.python("hermes")
    async with _chromium(browser) as (wire, folder):
        process = await asyncio.create_subprocess_exec(
            python, WORKER, wire, cwd=folder, limit=LINE,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            rival = Hermes(process)
            await rival.ready()
            if url != "about:blank":
                await rival.evaluate(f"location.href = {json.dumps(url)}; 0", 1)
                await rival.arrived(url)
            yield rival
        finally:
            process.kill()
            await process.wait()

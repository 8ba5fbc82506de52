"""The supervisor of Hermes Agent, in a Python of its own, on a Chromium with a debugging port."""

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
    """Its evaluate, and its dialogs; it has no actions of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def evaluate(self, script: str, times: int) -> tuple[list[float], Any]:
        """Milliseconds of each, and the last value."""
        told = await self._ask(do="evaluate", script=script, times=times)
        return told["took"], told["value"]

    async def dialogs(self, ask: str, times: int) -> dict[str, list[float]]:
        """Milliseconds until seen, and until answered."""
        return await self._ask(do="dialog", script=ask, times=times)

    async def ready(self) -> None:
        await self._told()

    async def arrived(self, url: str) -> None:
        """Its supervisor tells nobody of a load."""
        for _ in range(500):
            where = (await self.evaluate("document.readyState + location.href", 1))[1]
            if where == f"complete{url}":
                return
            await asyncio.sleep(0.02)
        raise RuntimeError(f"its page did not come to {url}")

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
    """Port and path, once Chromium has written them."""
    return told.read_text().split() if told.exists() else []


@asynccontextmanager
async def _chromium(browser: str) -> AsyncIterator[tuple[str, str]]:
    """One with a debugging port; its WebSocket, and a folder to work in."""
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
    """One supervisor with a browser at ``url``, until the block ends."""
    python = installed.hermes_python()
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

"""browser-use's session with its tools, in a separate Python."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.rivals import Installed
from judges.miniwob.nodes import Node, Point
from judges.miniwob.readers import browser_use as reader
from judges.miniwob.tools.tool import Goal, Refused, Target, Unable, ref_of

__all__ = ["BrowserUse", "browser_use"]

WORKER = Path(__file__).with_name("browser_use_worker.py")
LINE = 16 * 2**20
START_S = 60


class BrowserUse:
    looks_next = False

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def open(self, url: str) -> str:
        return await self._do("navigate", url=url)

    async def look(self) -> str:
        return await self._ask({"do": "look"})

    async def picture(self) -> bytes:
        raise Unable("its tools give no picture to the caller")

    def read(self, text: str) -> list[Node]:
        return reader.read(text)

    def shown(self, text: str) -> list[Node] | None:
        return None

    async def find(self, text: str) -> tuple[str, str]:
        raise Unable("it gives no ref for a text")

    async def click(self, target: Target, count: int, modifiers: Sequence[str]) -> str:
        if count > 1 or modifiers:
            raise Unable("it clicks once, without other keys")
        if isinstance(target, Point):
            return await self._do("click", coordinate_x=int(target.x), coordinate_y=int(target.y))
        return await self._do("click", index=int(target.ref))

    async def type(self, target: Target, text: str, clear: bool, slowly: bool) -> str:
        return await self._do("input", index=self._at(target), text=text, clear=clear)

    async def press(self, key: str, times: int) -> str:
        return "\n".join([await self._do("send_keys", keys=key) for _ in range(times)])

    async def select(self, target: Target, labels: Sequence[str]) -> str:
        if len(labels) != 1:
            raise Unable("it selects one option")
        return await self._do("select_dropdown", index=self._at(target), text=labels[0])

    async def hover(self, target: Target) -> str:
        raise Unable("it has no tool that hovers")

    async def drag(self, source: Target, target: Goal) -> str:
        raise Unable("it has no tool that drags")

    async def draw(self, points: Sequence[Point]) -> str:
        raise Unable("it has no tool that draws")

    async def scroll(self, target: Target | None, down: float) -> str:
        index = {"index": self._at(target)} if target is not None else {}
        return await self._do("scroll", down=down > 0, pages=abs(down) / 500, **index)

    def _at(self, target: Target) -> int:
        return int(ref_of(target))

    async def _do(self, action: str, **arguments: Any) -> str:
        return await self._ask({"do": action, "with": arguments})

    async def _ask(self, asked: dict[str, Any]) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        await self._process.stdin.drain()
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("its process has ended")
        told: dict[str, str] = json.loads(line)
        if "error" in told:
            raise Refused(told["error"])
        return told["text"]


@asynccontextmanager
async def browser_use(browser: str, installed: Installed) -> AsyncIterator[BrowserUse]:
    python = installed.folder / "browser-use" / "bin" / "python"
    if not python.exists():
        raise FileNotFoundError(f"browser-use is not installed in {installed.folder}")
    with TemporaryDirectory(prefix="bu-", ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            python, "-P", WORKER, browser, cwd=folder, limit=LINE,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, env={**os.environ, "HOME": folder},
        )  # fmt: skip
        try:
            yield BrowserUse(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                async with asyncio.timeout(20):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()

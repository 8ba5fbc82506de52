"""Makes calls of rows in the version of Tabwarden whose Python runs this file, and times them.

    python -P worker.py BROWSER SITE

For each line ``["click", 10]`` on stdin it writes a line to stdout: the milliseconds of each of the
10 calls, or as text why the row can't be measured. It imports only the standard library and the
public API, because an older version has no bench, or another one.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

TEXT = "The quick brown fox jumps over the lazy dog, twice. " * 19 + "And so on."
EMPTY = "(document.querySelector('input').value = '')"
REF = re.compile(r'button "Buy now".*?\[ref=(\w+)')
TABWARDEN = Path(sys.executable).with_name("tabwarden")
PAUSE_S = 0.05
"""An agent's processes sleep between two actions."""
PROGRAM = """
import sys
from tabwarden.sync import Browser
with Browser.launch(executable=sys.argv[1]) as browser:
    browser.goto(sys.argv[2])
    assert browser.evaluate("document.title").value == "Test"
"""


class Calls:
    """One call of each row. The Python API is called from this loop; the engine has its own."""

    def __init__(self, browser: str, site: str) -> None:
        self._executable = browser
        self._site = site
        self._browser: Any = None
        self._at = ""
        self._refs: dict[str, str] = {}
        self._session_ref = ""
        self._turn = 0

    async def click(self) -> float:
        ref = await self._ref("Buy now")
        return await timed(lambda: self._browser.click(ref))

    async def click_alone(self) -> float:
        ref = await self._ref("Buy now")
        await asyncio.sleep(PAUSE_S)
        return await timed(lambda: self._browser.click(ref))

    async def evaluate_by_ref(self) -> float:
        ref = await self._ref("Buy now")
        return await timed(lambda: self._browser.evaluate("(one) => one.textContent", ref))

    async def evaluate(self) -> float:
        await self._ref("Buy now")
        return await timed(lambda: self._browser.evaluate("1 + 1"))

    async def evaluate_after_click(self) -> float:
        await self.click()
        return await self.evaluate()

    async def type(self) -> float:
        ref = await self._ref("Name")
        await self._browser.evaluate(EMPTY)
        return await timed(lambda: self._browser.type(TEXT, ref))

    async def goto(self) -> float:
        browser = await self._opened()
        self._turn += 1
        self._at = f"/tiny{self._turn % 2}"
        return await timed(lambda: browser.goto(self._site + self._at))

    async def snapshot(self) -> float:
        browser = await self._opened()
        if self._at != "/big":
            await browser.goto(self._site + "/big")
            self._at = "/big"
            assert "Buy 7" in (await browser.snapshot()).text
        return await timed(browser.snapshot)

    async def imported(self) -> float:
        return ran(sys.executable, "-c", "import tabwarden.sync")

    async def program(self) -> float:
        return ran(sys.executable, "-c", PROGRAM, self._executable, self._site + "/tiny0")

    async def mcp_tools(self) -> float:
        return self._served("tools/list", {})

    async def mcp_page(self) -> float:
        page = {"name": "browser_navigate", "arguments": {"url": self._site + "/tiny0"}}
        return self._served("tools/call", page)

    async def command_eval(self) -> float:
        self._session()
        return ran(TABWARDEN, "eval", "1 + 1")

    async def command_click(self) -> float:
        return ran(TABWARDEN, "click", self._session())

    async def close(self) -> None:
        if self._session_ref:
            ran(TABWARDEN, "close")
        if self._browser is not None:
            await self._browser.close()

    async def _opened(self) -> Any:
        if self._browser is None:
            from tabwarden import Browser  # not at the start: some rows need no browser

            self._browser = await Browser.launch(executable=self._executable)
        return self._browser

    async def _ref(self, name: str) -> str:
        """Open the page with a button and a field, unless it is open; return an element's ref."""
        browser = await self._opened()
        if self._at != "/actions":
            await browser.goto(self._site + "/actions")
            outline = await browser.snapshot()
            self._refs = {label: outline.ref(label) for label in ("Buy now", "Name")}
            self._at = "/actions"
        return self._refs[name]

    def _session(self) -> str:
        """Start the command line's session on the same page, unless it runs; return the button's
        ref."""
        if not self._session_ref:
            ran(TABWARDEN, "open", self._site + "/actions")
            outline = subprocess.check_output([TABWARDEN, "snapshot"], text=True)
            found = REF.search(outline)
            assert found is not None, outline
            self._session_ref = found[1]
        return self._session_ref

    def _served(self, method: str, params: dict[str, Any]) -> float:
        """Start the MCP server, shake hands, and make one request, as a host does."""
        began = time.perf_counter()
        command = [TABWARDEN, "mcp", "--executable", self._executable]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        ) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            hello = {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "bench", "version": "1"},
            }
            for sent in (
                {"id": 1, "method": "initialize", "params": hello},
                {"method": "notifications/initialized"},
                {"id": 2, "method": method, "params": params},
            ):
                print(json.dumps({"jsonrpc": "2.0", **sent}), file=server.stdin)
                while "id" in sent:
                    told = json.loads(server.stdout.readline())
                    if told.get("id") == sent["id"]:
                        result = told["result"]
                        break
            took = (time.perf_counter() - began) * 1000
            assert result.get("tools") or not result.get("isError", True), result
            server.stdin.close()
            return took


async def timed(act: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await act()
    return (time.perf_counter() - began) * 1000


def ran(*command: object) -> float:
    """Run a program until it has ended. Nothing else runs on this loop, so it may wait here."""
    words = [str(word) for word in command]
    began = time.perf_counter()
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    took = (time.perf_counter() - began) * 1000
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise RuntimeError(" ".join([*words[1:3], "failed:", *last]))
    return took


async def main() -> None:
    calls = Calls(*sys.argv[1:])
    # Programs that a row starts must not write between the answers.
    with os.fdopen(os.dup(1), "w", buffering=1) as out:
        os.dup2(2, 1)
        try:
            for line in sys.stdin:
                row, times = json.loads(line)
                try:
                    told: Any = [await getattr(calls, row)() for _ in range(times)]
                except Exception as error:
                    told = f"{type(error).__name__}: {str(error).strip()[:300]}"
                print(json.dumps(told), file=out)
        finally:
            await calls.close()


if __name__ == "__main__":
    asyncio.run(main())

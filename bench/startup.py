"""Measures startup: from the start to the first action's result.

    python -m bench.startup [--quick] [--json FILE]

- *start*: launch a browser, open a tiny page, read its title and close the browser, in a process
  that has imported its modules. *raw*: bare commands over the same pipe, nothing supervised.
- *cold*: the same as a Python program of its own, imports and all, until it has ended. *python*:
  ``python -c pass``.
- *server*: start an MCP server, shake hands, go to the page.
- *import*: ``import tabwarden.sync`` in a separate Python process.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import async_playwright
from support.site import Site

from bench.bench import Asked, Bench, alone
from bench.rivals.agent_browser import agent_browser
from bench.rivals.installed import Installed
from bench.rivals.mcp import SERVERS, mcp_rival
from bench.rivals.rival import PLAYWRIGHT
from bench.rows import OWN, Figure, Row
from bench.turns import Act, Batch, in_turns, timed
from tabwarden import Browser
from tabwarden.budget import Budget
from tabwarden.endpoints.endpoint import LaunchEndpoint
from tabwarden.endpoints.finding import Probed
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.wire import Connection, Envelope

START_OF_PLAYWRIGHT = 1.0
OWN_PROGRAM = """
import sys
from tabwarden.sync import Browser
with Browser.launch(executable=sys.argv[1]) as browser:
    browser.goto(sys.argv[2])
    assert browser.evaluate("document.title").value == "Test"
"""
PLAYWRIGHT_PROGRAM = """
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=sys.argv[1], args=["--no-sandbox"])
    page = browser.new_page()
    page.goto(sys.argv[2])
    assert page.title() == "Test"
    browser.close()
"""


async def measure(asked: Asked, found: Probed) -> None:
    installed = Installed.here()
    with Site() as site:
        url = site.page("/", "<p>tiny")
        starts: dict[str, Batch] = {OWN: timed(lambda: own(asked.browser, url))}
        starts["raw"] = timed(lambda: engine_loop().run_async(raw(asked.browser, url)))
        colds: dict[str, Batch] = {
            OWN: timed(_ran(OWN_PROGRAM, asked.browser, url)),
            "python": timed(_ran("pass")),
        }
        servers: dict[str, Batch] = {}
        if asked.rivals:
            starts[PLAYWRIGHT] = timed(lambda: playwright(asked.browser, url))
            colds[PLAYWRIGHT] = timed(_ran(PLAYWRIGHT_PROGRAM, asked.browser, url))
            for name in SERVERS:
                servers[name] = timed(lambda name=name: server(name, asked.browser, installed, url))
            servers["agent-browser"] = timed(lambda: command_line(asked.browser, installed, url))
        rounds = asked.rounds(10, 3)
        found.add(await in_turns("start", starts, rounds, warm=1, way_s=asked.way_s))
        found.add(await in_turns("cold", colds, rounds, warm=1, way_s=asked.way_s))
        imports = {
            OWN: timed(_ran("import tabwarden.sync")),
            "python": timed(_ran("pass")),
        }
        if asked.rivals:
            imports[PLAYWRIGHT] = timed(_ran("import playwright.sync_api"))
        found.add(await in_turns("import", imports, rounds, warm=1, way_s=asked.way_s))
        if servers:
            found.add(await _servers(servers, rounds, asked.way_s))


async def _servers(servers: dict[str, Batch], rounds: int, way_s: float) -> Row:
    """The other servers are compared with Tabwarden's server."""
    own_first = {OWN: servers.pop("tabwarden mcp"), **servers}
    return await in_turns("server", own_first, rounds, warm=1, way_s=way_s)


async def own(browser: str, url: str) -> None:
    async with Browser.launch(executable=browser) as opened:
        await opened.goto(url)
        assert (await opened.evaluate("document.title")).value == "Test"


async def playwright(browser: str, url: str) -> None:
    async with (
        async_playwright() as driver,
        await driver.chromium.launch(executable_path=browser, args=["--no-sandbox"]) as opened,
    ):
        page = await opened.new_page()
        await page.goto(url)
        assert await page.title() == "Test"


async def raw(browser: str, url: str) -> None:
    """Attach to the tab, navigate it, and wait until it has loaded, without a supervisor."""
    opened = await LaunchEndpoint(LaunchOptions(executable=Path(browser))).open(Budget(60_000))
    loaded = asyncio.Event()

    def told(envelope: Envelope) -> None:
        if envelope.method == "Page.loadEventFired":
            loaded.set()

    connection = Connection(opened.wire, told, lambda reason: None)
    connection.start()
    try:
        targets = (await _call(connection, "Target.getTargets"))["targetInfos"]
        target = next(one["targetId"] for one in targets if one["type"] == "page")
        attached = {"targetId": target, "flatten": True}
        session = (await _call(connection, "Target.attachToTarget", attached))["sessionId"]
        await _call(connection, "Page.enable", None, session)
        await _call(connection, "Page.navigate", {"url": url}, session)
        await loaded.wait()
        title = {"expression": "document.title"}
        found = await _call(connection, "Runtime.evaluate", title, session)
        assert found["result"]["value"] == "Test"
    finally:
        await connection.aclose()
        await opened.end(Budget(10_000))


async def _call(
    connection: Connection, method: str, params: Any = None, session: str | None = None
) -> Any:
    reply = await connection.call(method, msgspec.json.encode(params or {}), session)
    assert reply.result is not None, reply
    return msgspec.json.decode(reply.result)


async def server(name: str, browser: str, installed: Installed, url: str) -> None:
    async with mcp_rival(name, browser, installed) as rival:
        await rival.goto(url)


async def command_line(browser: str, installed: Installed, url: str) -> None:
    async with agent_browser(browser, installed) as rival:
        await rival.goto(url)


def _ran(program: str, *words: str) -> Act:
    async def act() -> None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, *words)
        assert await process.wait() == 0

    return act


BENCH = Bench(
    "startup",
    "Start-up",
    measure,
    (
        Figure("start to first action, faster than Playwright Python", "start",
               START_OF_PLAYWRIGHT, "least", faster_than=(PLAYWRIGHT,), source="set later"),
        Figure("import, faster than Playwright's", "import", 1.0, "least",
               faster_than=(PLAYWRIGHT,), source="set later"),
        Figure("a whole program, faster than Playwright's", "cold", 1.25, "least",
               faster_than=(PLAYWRIGHT,), source="set later"),
        Figure("server to first page, faster than Playwright MCP", "server", 1.11, "least",
               faster_than=("playwright-mcp",), source="set later"),
        Figure("server to first page, faster than agent-browser", "server", 0.91, "least",
               faster_than=("agent-browser",), source="set later"),
    ),
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

"""Measures the memory of MCP servers: their own processes, without the browser.

    python -m bench.servers [--quick] [--json FILE]

- *memory with ten tabs*: each tab shows a small page, of which a snapshot was taken; then nothing
  happens for some seconds.
- *growth per navigation*: of our server, in the second half of 5,000 navigations. The flight
  recorder fills its memory in the first half.
"""

from __future__ import annotations

import asyncio

import psutil
from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.memory import private_kb
from bench.rivals.installed import Installed
from bench.rivals.mcp import OWN_SERVER, Call, McpRival, mcp_rival
from bench.rows import OWN, Figure, Row
from bench.turns import because

TABS = 10
IDLE_S = 3.0
NAVIGATIONS = 5_000
OF_PLAYWRIGHT = 0.7
KB_PER_NAVIGATION = 0.5
PAGE = "<h1>Shop</h1><button>Buy now</button><p>Some text.</p>"
OPENS: dict[str, Call] = {
    OWN_SERVER: ("browser_tabs", {"mode": "open"}),
    "playwright-mcp": ("browser_tabs", {"action": "new"}),
}


async def measure(asked: Asked, found: Found) -> None:
    memory, absent = Row("memory with ten tabs", {}, "MB", "without the browser"), {}
    with Site() as site:
        urls = [site.page(f"/{number}", PAGE) for number in range(TABS)]
        for name in OPENS if asked.rivals else [OWN_SERVER]:
            try:
                used = await with_tabs(name, asked.browser, urls)
            except Exception as error:
                if name == OWN_SERVER:
                    raise
                absent[name] = because(error)
                continue
            memory.ways[OWN if name == OWN_SERVER else name] = [used]
        memory.left_out = absent
        found.add(memory)
        if not asked.quick:  # the flight recorder fills its memory in thousands of navigations
            grown = await growth(asked.browser, urls, NAVIGATIONS // 2)
            found.add(Row("growth per navigation", {OWN: [grown]}, "kB"))


async def with_tabs(name: str, browser: str, urls: list[str]) -> float:
    async with mcp_rival(name, browser, Installed.here()) as rival:
        for number, url in enumerate(urls):
            if number:
                await rival._call(*OPENS[name])
            await rival.goto(url)
            await rival.snapshot()
        await asyncio.sleep(IDLE_S)
        return server_kb() / 1024


async def growth(browser: str, urls: list[str], times: int) -> float:
    """Return the growth in kB per navigation, after as many navigations before."""
    async with mcp_rival(OWN_SERVER, browser, Installed.here()) as rival:
        await navigate(rival, urls, times)
        before = server_kb()
        await navigate(rival, urls, times)
        return (server_kb() - before) / times


async def navigate(rival: McpRival, urls: list[str], times: int) -> None:
    for number in range(times):
        await rival.goto(urls[number % len(urls)])


def server_kb() -> float:
    """Return the private memory of this process's children, without browsers."""
    children = psutil.Process().children(recursive=True)
    return sum(private_kb(one.pid) for one in children if "chrom" not in one.name())


BENCH = Bench(
    "servers",
    "Memory of MCP servers",
    measure,
    (
        Figure("server with ten tabs, of Playwright MCP's memory", "memory with ten tabs",
               OF_PLAYWRIGHT, share_of="playwright-mcp", source="set later"),
        Figure("growth per navigation", "growth per navigation", KB_PER_NAVIGATION,
               unit="kB", source="set later"),
    ),
    deadline_s=900,
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

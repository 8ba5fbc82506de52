"""Measures a process with 1, 10, 50 and 200 supervised tabs.

    python -m bench.tabs [--quick] [--json FILE]

One browser, one task, tabs on one small page of this machine; after each size:

- *memory per tab*: the growth of our process per additional tab: private memory after a garbage
  collection. For comparison: the Playwright process and its driver, with the same number of pages.
- *open a tab*: one more, until it has loaded.
- *evaluate*, *snapshot* and *dialog with N tabs*: in the first one; a dialog of the last one, until
  it is in the state.
- *idle CPU*: our process's CPU time while nothing happens, in milliseconds per second.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from playwright.async_api import async_playwright
from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.dialogs import NOW, Seen
from bench.memory import own_kb, private_kb
from bench.rivals.rival import PLAYWRIGHT
from bench.rows import OWN, Figure, Row
from tabwarden import Browser

SIZES = (1, 10, 50, 200)
TAB_KB = 100.0
SEEN_MS = 50.0
IDLE_S = 2.0
PAGE = f"""<script>
const now = () => {NOW};
const ask = () => {{ confirm(String(now())); }};
</script><button>Buy now</button><a href=/>Home</a><p>Some text.</p>"""


async def measure(asked: Asked, found: Found) -> None:
    sizes = SIZES if asked.scale >= 1 else SIZES[:2]
    kb: dict[str, list[tuple[int, float]]] = {}
    with Site() as site:
        url = site.page("/", PAGE)
        kb[OWN] = await own(asked, found, url, sizes)
        if asked.rivals:
            kb[PLAYWRIGHT] = await playwright(asked, url, sizes)
    for position, size in enumerate(sizes):
        if not position:
            continue
        ways = {
            way: [(grown[position][1] - grown[0][1]) / (size - grown[0][0])]
            for way, grown in kb.items()
        }
        found.add(Row(f"memory per tab, of {size}", ways, "kB", "in our process"))


async def own(
    asked: Asked, found: Found, url: str, sizes: tuple[int, ...]
) -> list[tuple[int, float]]:
    """Return the memory by number of tabs; add the other numbers to rows."""
    grown = []
    opening: list[float] = []
    async with Browser.launch(executable=asked.browser) as browser:
        await browser.goto(url)
        first = browser.state.tabs[0].tab_id
        seen = Seen(browser)
        times = asked.rounds(50, 10)
        for size in sizes:
            while len(browser.state.tabs) < size:
                began = time.perf_counter()
                await browser.tabs("open", url=url)
                opening.append((time.perf_counter() - began) * 1000)
            await took(lambda: browser.evaluate("1 + 1", tab_id=first), 20)
            await took(lambda: browser.snapshot(tab_id=first), 3)
            await one_dialog(browser, seen)
            await asyncio.sleep(1)
            idle = await idle_ms()
            grown.append((size, own_kb()))
            calls = await took(lambda: browser.evaluate("1 + 1", tab_id=first), times * 5)
            reads = await took(lambda: browser.snapshot(tab_id=first), times)
            asks = [await one_dialog(browser, seen) for _ in range(times)]
            tabs = f"{size} tab{'s' * (size > 1)}"
            found.add(
                Row(f"evaluate with {tabs}", {OWN: calls}),
                Row(f"snapshot with {tabs}", {OWN: reads}),
                Row(f"dialog with {tabs}", {OWN: asks}, says="until it is in the state"),
                Row(f"idle CPU with {tabs}", {OWN: [idle]}, "ms/s"),
            )
        found.add(Row("open a tab", {OWN: opening}))
    return grown


async def took(act: Any, times: int) -> list[float]:
    """Return the milliseconds of each call."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        await act()
        taken.append((time.perf_counter() - began) * 1000)
    return taken


async def one_dialog(browser: Browser, seen: Seen) -> float:
    """Return the milliseconds from the call in the last tab to the state, by the machine's
    clock."""
    last = browser.state.tabs[-1].tab_id
    await browser.evaluate("setTimeout(ask, 0); 0", tab_id=last)
    await asyncio.to_thread(seen.wait)
    await browser.dialog("accept", dialog_id=browser.state.pending_dialogs[0].id)
    await browser.evaluate("0", tab_id=last)
    return seen.at_ms - float(seen.message)


async def idle_ms() -> float:
    before = time.process_time()
    await asyncio.sleep(IDLE_S)
    return (time.process_time() - before) * 1000 / IDLE_S


async def playwright(asked: Asked, url: str, sizes: tuple[int, ...]) -> list[tuple[int, float]]:
    """Playwright's Python process, which is this process, and its driver."""
    grown = []
    async with AsyncExitStack() as stack:
        driver = await stack.enter_async_context(async_playwright())
        chromium = await stack.enter_async_context(
            await driver.chromium.launch(executable_path=asked.browser, args=["--no-sandbox"])
        )
        context = await chromium.new_context()
        pages = [await context.new_page()]
        await pages[0].goto(url)
        node = _driver_pid()
        for size in sizes:
            while len(pages) < size:
                pages.append(await context.new_page())
                await pages[-1].goto(url)
            await took(lambda: pages[0].evaluate("1 + 1"), 20)
            await asyncio.sleep(1)
            grown.append((size, own_kb() + private_kb(node)))
    return grown


def _driver_pid() -> int:
    """Return the child process with Playwright's driver."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = status.read_text().rpartition(")")[2].split()
            line = (status.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(words[1]) == os.getpid() and b"playwright" in line and b"run-driver" in line:
            return int(status.parent.name)
    raise LookupError("Playwright's driver is no child of this process")


BENCH = Bench(
    "tabs",
    "Many tabs in a process",
    measure,
    (
        Figure("memory per idle tab, of 200", "memory per tab, of 200", TAB_KB, "less", unit="kB"),
        Figure("dialog seen with 200 tabs", "dialog with 200 tabs", SEEN_MS, "less"),
    ),
)

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

"""Measures whether the state stays current while a page floods the console.

    python -m bench.flood [--quick] [--json FILE]

A page logs 10,000 messages a second, in bursts each 10 ms, if this machine is fast enough; *rate*
is the actual rate, by the page's own count. Meanwhile:

- *behind*: from a message of the flood until it is in the state, by the page's clock in the
  message. - *dialog seen*: from a ``confirm`` in the flooding page to the state; *elsewhere*: in
  another tab. - *evaluate elsewhere*: ``1 + 1`` in another tab. - *CPU*: our process's CPU time in
  milliseconds per second.

*playwright* has a handler for ``console`` that does nothing, and one for ``dialog`` that accepts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from playwright.async_api import ConsoleMessage, Dialog
from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.dialogs import NOW, Seen
from bench.rivals.rival import PLAYWRIGHT
from bench.rivals.ways import playwright_rival
from bench.rows import OWN, Figure, Row
from bench.turns import because
from tabwarden import Browser

A_SECOND = 10_000
BURST_MS = 10
SEEN_MS = 50.0
PAUSE_S = 0.05
MOST_S = 30.0
FLOOD_S = 90.0
PAGE = f"""<script>
const now = () => {NOW};
let sent = 0, began = 0, at = 0;
const burst = () => {{
  const due = Math.min((now() - began) / 1000 * {A_SECOND}, sent + {A_SECOND});
  for (const until = now() + {BURST_MS}; sent < due && now() < until; sent++)
    console.log("flood", sent, now());
}};
const flood = () => {{ began = now(); sent = 0; at = setInterval(burst, {BURST_MS}); }};
const calm = () => {{ clearInterval(at); return [sent, (now() - began) / 1000]; }};
const ask = () => {{ const from = now(); confirm(String(from)); began += now() - from; }};
</script>"""

Taken = dict[str, list[float]]


async def measure(asked: Asked, found: Found) -> None:
    times = asked.rounds(60, 15)
    with Site() as site:
        url = site.page("/", PAGE)
        taken = await own(asked, url, times)
        rows = [Row(name, {OWN: taken[name]}, unit) for name, unit in UNITS.items()]
        found.add(*rows)  # at once, because a rival may be overloaded
        if not asked.rivals:
            return
        try:
            async with asyncio.timeout(FLOOD_S):
                theirs = await playwright(asked, url, times)
        except Exception as error:
            found.skipped[PLAYWRIGHT] = because(error)
        else:
            for row in rows:
                if theirs[row.name]:
                    row.ways[PLAYWRIGHT] = theirs[row.name]
        found.save()


UNITS = {
    "flood rate": "events a second",
    "behind in a flood": "ms",
    "dialog seen in a flood": "ms",
    "dialog seen elsewhere": "ms",
    "evaluate elsewhere": "ms",
    "CPU in a flood": "ms/s",
}


async def own(asked: Asked, url: str, times: int) -> Taken:
    taken: Taken = {name: [] for name in UNITS}
    async with Browser.launch(executable=asked.browser) as browser:
        await browser.goto(url)
        flooding = browser.state.tabs[0].tab_id
        await browser.tabs("open", url=url)
        other = browser.state.tabs[1].tab_id
        seen = Seen(browser)

        async def one_dialog(tab_id: str) -> float:
            await browser.evaluate("setTimeout(ask, 0); 0", tab_id=tab_id)
            await asyncio.to_thread(seen.wait)
            await browser.dialog("accept", dialog_id=browser.state.pending_dialogs[0].id)
            return seen.at_ms - float(seen.message)

        await browser.evaluate("flood(); 0", tab_id=flooding)
        cpu, began = time.process_time(), time.perf_counter()
        while _goes_on(times, taken, began):
            await asyncio.sleep(PAUSE_S)
            for last in browser._task.supervisor.state.console[-1:]:  # none before the first
                behind = time.time() * 1000 - float(last.text.split()[-1])
                taken["behind in a flood"].append(behind)
            taken["dialog seen in a flood"].append(await one_dialog(flooding))
            taken["dialog seen elsewhere"].append(await one_dialog(other))
            taken["evaluate elsewhere"] += await timed_ms(
                lambda: browser.evaluate("1 + 1", tab_id=other)
            )
        used = time.process_time() - cpu
        taken["CPU in a flood"].append(used * 1000 / (time.perf_counter() - began))
        sent, seconds = (await browser.evaluate("calm()", tab_id=flooding)).value
        taken["flood rate"].append(sent / seconds)
    return taken


def _goes_on(times: int, taken: Taken, began: float) -> bool:
    return len(taken["evaluate elsewhere"]) < times and time.perf_counter() - began < MOST_S


async def timed_ms(act: Callable[[], Awaitable[Any]]) -> list[float]:
    began = time.perf_counter()
    await act()
    return [(time.perf_counter() - began) * 1000]


async def playwright(asked: Asked, url: str, times: int) -> Taken:
    taken: Taken = {name: [] for name in UNITS}
    opened: asyncio.Queue[float] = asyncio.Queue()
    last = ""

    async def accept(dialog: Dialog) -> None:
        opened.put_nowait(time.time() * 1000 - float(dialog.message))
        await dialog.accept()

    def logged(message: ConsoleMessage) -> None:
        nonlocal last
        last = message.text

    async with AsyncExitStack() as stack:
        rival = await stack.enter_async_context(playwright_rival(asked.browser))
        flooding, other = rival.page, await rival.another()
        for page in (flooding, other):
            page.on("dialog", accept)
            page.on("console", logged)
            await page.goto(url)
        await flooding.evaluate("flood()")
        cpu, began = time.process_time(), time.perf_counter()
        while _goes_on(times, taken, began):
            await asyncio.sleep(PAUSE_S)
            if last:
                taken["behind in a flood"].append(time.time() * 1000 - float(last.split()[-1]))
            for name, page in (
                ("dialog seen in a flood", flooding),
                ("dialog seen elsewhere", other),
            ):
                await page.evaluate("setTimeout(ask, 0), 0")
                taken[name].append(await opened.get())
            taken["evaluate elsewhere"] += await timed_ms(lambda: other.evaluate("1 + 1"))
        used = time.process_time() - cpu
        taken["CPU in a flood"].append(used * 1000 / (time.perf_counter() - began))
        sent, seconds = await flooding.evaluate("calm()")
        taken["flood rate"].append(sent / seconds)
    return taken


BENCH = Bench(
    "flood",
    "Console flood",
    measure,
    (
        Figure("dialog of a flooding page, until it is in the state", "dialog seen in a flood",
               SEEN_MS, "less"),
        Figure("the same, 95th percentile", "dialog seen in a flood", SEEN_MS, "less", stat="p95"),
        Figure("the state in a flood, behind by", "behind in a flood", SEEN_MS, "less"),
        Figure("the flood itself", "flood rate", A_SECOND * 0.9, "least",
               unit="events a second"),
    ),
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

"""Measures actions, in comparison with other tools on the same Chromium.

    python -m bench.actions [--quick] [--json FILE]

- *click*: a button by its ref, some in a row: scrolling into view, hit test, stability check, real
  mouse events, and effects. *raw*: the three input events alone, sent together. - *click alone*:
  one click after all other tools had their turn, because processes are slower after sleeping. -
  *type*: 1,000 characters into an empty field where no key events are needed. Playwright's is
  ``fill``, which sets the value. - *goto*: a tiny page from a server on this machine. *raw*:
  ``Page.navigate`` and its load event. - *screenshot*: the viewport. *raw*:
  ``Page.captureScreenshot``.

MCP servers, including *tabwarden mcp*, and agent-browser are timed at their own interfaces.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import msgspec
from support.site import Site

from bench.bench import Asked, Bench, Found, alone
from bench.rivals.rival import PLAYWRIGHT, Rival
from bench.rivals.ways import BUTTON, FIELD, all_ways
from bench.rows import OWN, Figure
from bench.turns import Act, Batch, in_turns, on_engine, ready, timed
from tabwarden import Browser
from tabwarden.supervisor.runtime import CDPSupervisor

CLICK_MS = 3.0
CLICKS_FASTER = 10.0
IN_A_ROW = 10
TYPE_MS = 150.0
GOTO_OF_RAW = 1.2
TEXT = "The quick brown fox jumps over the lazy dog, twice. " * 19 + "And so on."
PAGE = (
    "<!doctype html><title>Actions</title>"
    f"<button onclick='window.clicks = (window.clicks ?? 0) + 1'>{BUTTON}</button>"
    f"<p><input aria-label={FIELD}>"
)
EMPTY = "(document.querySelector('input').value = '')"
"""Return an expression as a function, which some servers need."""
CENTRE = (
    "(() => { const box = document.querySelector('button').getBoundingClientRect();"
    " return [box.x + box.width / 2, box.y + box.height / 2] })()"
)


class Raw:
    """Sends bare commands on the supervisor's connection."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._supervisor = supervisor
        tab = supervisor.state.tabs[supervisor.state.active_tab_id or ""]
        self._session_id = tab.session_id

    async def click(self, x: float, y: float) -> None:
        """Send only the mouse events, all at once."""
        mouse = {"x": x, "y": y, "button": "left", "clickCount": 1}
        calls = [
            self._call("Input.dispatchMouseEvent", {"type": kind, **mouse})
            for kind in ("mouseMoved", "mousePressed", "mouseReleased")
        ]
        await asyncio.gather(*calls)

    async def goto(self, url: str) -> None:
        """Send ``Page.navigate``, and wait for the load event."""
        loaded = asyncio.Event()
        unlisten = self._supervisor.listen(
            "Page.loadEventFired", self._session_id, lambda _: loaded.set()
        )
        await self._call("Page.navigate", {"url": url})
        await loaded.wait()
        unlisten()

    async def screenshot(self) -> None:
        await self._call("Page.captureScreenshot", {"format": "png"})

    async def _call(self, method: str, params: dict[str, Any]) -> None:
        connection = self._supervisor.connection
        reply = await connection.call(method, msgspec.json.encode(params), self._session_id)
        assert reply.error is None, reply.error


async def measure(asked: Asked, found: Found) -> None:
    absent: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        site = stack.enter_context(Site())
        url = site.page("/", PAGE)
        tiny = [site.page(f"/tiny{n}", "<p>tiny") for n in range(2)]
        browser = await stack.enter_async_context(Browser.launch(executable=asked.browser))
        rivals = await stack.enter_async_context(all_ways(asked, absent))
        await browser.goto(url)
        outline = await browser.snapshot()
        button, field = outline.ref(BUTTON), outline.ref(FIELD)
        raw = Raw(browser._task.supervisor)
        x, y = (await browser.evaluate(CENTRE)).value
        able = await ready({name: _prepared(rival, url) for name, rival in rivals.items()}, absent)
        rivals = {name: rivals[name] for name in able}

        rounds = asked.rounds(30, 8)
        clicks: dict[str, Batch] = {
            OWN: timed(lambda: browser.click(button)),
            "raw": on_engine(lambda: raw.click(x, y)),
        }
        clicks |= _theirs(rivals, lambda rival: rival.click(BUTTON))
        in_a_row = IN_A_ROW if asked.scale >= 1 else IN_A_ROW // 2
        row = await in_turns(
            "click", clicks, rounds, in_a_row, says=CLICK, left_out=absent, way_s=asked.way_s
        )
        alone = await in_turns(
            "click alone", clicks, rounds, warm=0, says=ALONE, left_out=absent, way_s=asked.way_s
        )
        counted = (await browser.evaluate("clicks")).value
        made = (rounds + 2) * in_a_row + rounds  # two turns to warm up
        assert counted == 2 * made, counted
        for name in set(rivals) - set(absent):
            said = str(await rivals[name].evaluate("window.clicks"))
            made = 1 + len(row.ways[name]) + 2 * in_a_row + len(alone.ways[name])
            if str(made) not in said:
                row.left_out[name] = f"of {made} clicks its page counted: {said[:60]}"
        found.add(row, alone)

        typing: dict[str, Batch] = {
            OWN: timed(lambda: browser.type(TEXT, field), lambda: browser.evaluate(EMPTY))
        }
        for name, rival in rivals.items():
            typing[name] = timed(
                lambda rival=rival: rival.type(FIELD, TEXT),
                lambda rival=rival: rival.evaluate(EMPTY),
            )
        found.add(
            await in_turns("type", typing, rounds, says=TYPE, left_out=absent, way_s=asked.way_s)
        )
        typed = (await browser.evaluate("document.querySelector('input').value")).value
        assert typed == TEXT, typed[:80]

        shots: dict[str, Batch] = {
            OWN: timed(browser.screenshot),
            "raw": on_engine(raw.screenshot),
        }
        shots |= _theirs(rivals, lambda rival: rival.screenshot())
        found.add(
            await in_turns(
                "screenshot", shots, rounds, says=SHOT, left_out=absent, way_s=asked.way_s
            )
        )

        turn = iter(range(10**9))
        gone: dict[str, Batch] = {
            OWN: timed(lambda: browser.goto(tiny[next(turn) % 2])),
            "raw": on_engine(lambda: raw.goto(tiny[next(turn) % 2])),
        }
        gone |= _theirs(rivals, lambda rival: rival.goto(tiny[next(turn) % 2]))
        found.add(
            await in_turns("goto", gone, rounds, says=GOTO, left_out=absent, way_s=asked.way_s)
        )


CLICK = "a button by its ref: aimed, checked for what covers or moves it, pressed"
ALONE = "the same, each after the others' turns"
TYPE = "1,000 characters into an empty field"
SHOT = "the viewport as PNG"
GOTO = "a tiny page, until it has loaded"


def _prepared(rival: Rival, url: str) -> Act:
    async def prepare() -> None:
        await rival.goto(url)
        await rival.look()
        await rival.click(BUTTON)
        await rival.type(FIELD, "x")

    return prepare


def _theirs(rivals: dict[str, Rival], act: Callable[[Rival], Any]) -> dict[str, Batch]:
    return {name: timed(lambda rival=rival: act(rival)) for name, rival in rivals.items()}


BENCH = Bench(
    "actions",
    "Actions",
    measure,
    (
        Figure("click by ref", "click", CLICK_MS),
        Figure(
            "click, faster than Playwright Python",
            "click", CLICKS_FASTER, "least", faster_than=(PLAYWRIGHT,),
        ),
        Figure("1,000 characters typed", "type", TYPE_MS, source="set later"),
        Figure("goto, of the raw wire's time", "goto", GOTO_OF_RAW, share_of="raw",
               source="set later"),
    ),
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(alone(BENCH))

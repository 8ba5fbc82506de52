"""The work of a lane with an event loop: two tasks in a browser that somebody else started, each in
a context of its own, and others that come and go beside them."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.request
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from soak.field import Field

from tabwarden import Browser, events
from tabwarden.errors import BrowserGone, TabwardenError

__all__ = ["USUAL", "Pair", "Work"]

SHORT_S = 0.15
LONG_MS = 60_000.0
LOOP = "while (true) {}"


@dataclass(frozen=True)
class Pair:
    """The arguments of a work."""

    one: Browser
    other: Browser
    field: Field

    async def shop(self) -> None:
        """Both navigate there at the same time."""
        where = self.field.here + "/shop"
        await asyncio.gather(*(b.goto(where, timeout_ms=LONG_MS) for b in (self.one, self.other)))


Work = Callable[[Pair], Awaitable[None]]


async def side_by_side(pair: Pair) -> None:
    await pair.shop()
    await asyncio.gather(
        *(pair.one.evaluate(f"{n} + 1") for n in range(10)),
        pair.other.snapshot(),
        pair.other.screenshot(),
        pair.one.scrape("text"),
    )


async def cancelled(pair: Pair) -> None:
    await pair.shop()
    for script in (LOOP, "new Promise(() => {})"):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(pair.one.evaluate(script, timeout_ms=LONG_MS), SHORT_S)
        assert (await pair.one.evaluate("1 + 1", timeout_ms=LONG_MS)).value == 2


async def dialogs(pair: Pair) -> None:
    await pair.shop()
    asked = await pair.one.evaluate("confirm('Sure?')")
    assert asked.interrupted
    await pair.other.evaluate("1")
    await pair.one.dialog("dismiss")
    assert (await pair.other.evaluate("prompt('Name?')")).interrupted
    await pair.other.dialog("accept", "Ada")


async def tabs(pair: Pair) -> None:
    keep = pair.one.state.active_tab_id
    opened = await asyncio.gather(
        *(pair.one.tabs("open", url=pair.field.there + path) for path in ("/calm", "/shop"))
    )
    assert len(opened) == 2
    for tab in pair.one.state.tabs:
        if tab.tab_id != keep:
            await pair.one.tabs("close", tab_id=tab.tab_id)


async def a_task_that_comes_and_goes(pair: Pair) -> None:
    async with Browser.connect(pair.field.browser, context="own", timeout_ms=LONG_MS) as guest:
        await guest.goto(pair.field.here + "/shop", timeout_ms=LONG_MS)
        await guest.evaluate("alert('left')")


async def the_wire_is_cut(pair: Pair) -> None:
    await pair.shop()
    with (
        pair.one.events(events.EndpointRegained) as one,
        pair.other.events(events.EndpointRegained) as other,
    ):
        waits = asyncio.ensure_future(pair.one.evaluate("new Promise(() => {})"))
        await pair.other.evaluate("1")
        await asyncio.to_thread(_ask, pair.field.here + "/cut")
        with contextlib.suppress(BrowserGone):
            await waits
        for told in (one, other):
            assert await anext(aiter(told)) is not None
    with contextlib.suppress(TabwardenError):
        await pair.other.snapshot()
    assert (await pair.one.evaluate("1 + 1", timeout_ms=LONG_MS)).value == 2


def _ask(url: str) -> None:
    with urllib.request.urlopen(url) as answer:
        answer.read()


USUAL: tuple[Work, ...] = (
    side_by_side, cancelled, dialogs, tabs, a_task_that_comes_and_goes, the_wire_is_cut,
)  # fmt: skip

"""Ways: how a Camofox server performs each action on a tab, and which parameters it does not
support.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple

from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import Disabled, InvalidArgument, NotSupported
from tabwarden.files.local_path import local_path
from tabwarden.integrations.camofox import waiting
from tabwarden.integrations.camofox.answers import Went
from tabwarden.integrations.camofox.calls import Calls, Done, status_told
from tabwarden.integrations.camofox.failures import PageStatus
from tabwarden.integrations.camofox.reading import scraped
from tabwarden.integrations.camofox.scripts import evaluated, expressions_of
from tabwarden.page.capture import Screenshot, size_of, write
from tabwarden.page.input import chord_names
from tabwarden.page.navigation import condition_of, wait
from tabwarden.supervisor.core.state.tabs import Tab

__all__ = ["WAYS", "At", "Run", "Way", "lacking"]


class At(NamedTuple):
    """A call on a tab."""

    calls: Calls
    config: BrowserConfig
    budget: Budget
    tab: Tab

    async def post(self, route: str, *, ref: str | None = None, **body: Any) -> Done:
        """Send the one request that performs the action."""
        named = {} if ref is None else await self.calls.their_ref(ref, self.tab)
        await self.calls.server.post(f"/tabs/{self.tab.target_id}/{route}", **named, **body)
        return Done()


Run = Callable[..., Coroutine[Any, Any, Any]]


class Way(NamedTuple):
    run: Run
    """``await run(at, **arguments)`` performs the action on a tab."""
    lacks: tuple[str, ...]
    """The parameters that the server does not support."""


WAYS: dict[str, Way] = {}
"""The ways, keyed by method name."""


def _way(method: str, *lacks: str) -> Callable[[Run], Run]:
    def register(run: Run) -> Run:
        WAYS[method] = Way(run, lacks)
        return run

    return register


@_way("goto")
async def _goto(at: At, url: str, wait_until: str) -> Done:
    try:
        path = f"/tabs/{at.tab.target_id}/navigate"
        status = (await at.calls.server.post(path, url=url)).read(Went).http_status
    except PageStatus as replied:  # the page has loaded nevertheless
        status = replied.status
    idle = ""
    if wait_until == "networkidle":
        idle = await waiting.network_idle(at.calls, at.tab)
    return status_told(status, idle)


@_way("back")
async def _back(at: At) -> Done:
    return await at.post("back")


@_way("forward")
async def _forward(at: At) -> Done:
    return await at.post("forward")


@_way("reload")
async def _reload(at: At) -> Done:
    return await at.post("refresh")


@_way("click", "x", "y", "button", "count", "modifiers")
async def _click(at: At, ref: str | None) -> Done:
    return await at.post("click", ref=_needed(ref))


@_way("type", "x", "y")
async def _type(
    at: At, text: str, ref: str | None, clear: bool | None, press_enter: bool, slowly: bool
) -> Done:
    server, path = at.calls.server, f"/tabs/{at.tab.target_id}"
    replaces = ref is not None if clear is None else clear
    named = {} if ref is None else await at.calls.their_ref(ref, at.tab)
    if replaces and ref is not None and not slowly:
        body = {"mode": "fill", "text": text, "pressEnter": press_enter, **named}
    else:
        # Move the caret to the end, or select the text to replace.
        keys = ("Control+a", "Delete") if replaces else ("Control+End",)
        if ref is not None or replaces:
            await server.post(f"{path}/type", mode="keyboard", text="", **named)
            for key in keys:
                await server.post(f"{path}/press", key=key)
        body = {"mode": "keyboard", "text": text, "pressEnter": press_enter, "delay": 0}
    await server.post(f"{path}/type", **body)
    return Done()


@_way("press", "hold_ms", "mode")
async def _press(at: At, key: str, times: int) -> Done:
    for name in chord_names(key) * times:
        await at.post("press", key=name)
    return Done()


@_way("scroll", "ref", "x", "y")
async def _scroll(at: At, direction: str, amount: float) -> Done:
    return await at.post("scroll", direction=direction, amount=amount)


@_way("select", "x", "y")
async def _select(
    at: At,
    ref: str | None,
    labels: str | Sequence[str] | None,
    values: str | Sequence[str] | None,
) -> Done:
    selection = labels if labels is not None else values
    options = [selection] if isinstance(selection, str) else list(selection or ())
    if len(options) != 1 or (labels is not None and values is not None):
        raise InvalidArgument(
            "A Camofox server selects exactly one option.",
            "Pass one label or one value.",
            field="labels",
        )
    await at.post("select", ref=_needed(ref), option=options[0])
    return Done({"selected": options})


@_way("resize")
async def _resize(at: At, width: int, height: int) -> Done:
    await at.post("viewport", width=width, height=height)
    return Done({"width": width, "height": height})


@_way("wait", "script", "frame_id", "ref", "state", "has_text", "any_of")
async def _wait(at: At, download: bool | str, **conditions: Any) -> Done:
    condition = condition_of(download=download or None, **conditions)
    wait.check_time(condition, at.budget)
    return await waiting.waited(at.calls, at.tab, condition, at.config)


@_way("evaluate", "ref", "backend_node_id", "world")
async def _evaluate(
    at: At, script: str, frame_id: str | None, args: Sequence[Any], user_gesture: bool
) -> Done:
    """Run JavaScript in a page or, if the server has our plugin, in one of the page's frames.

    A script that does not finish keeps running after the deadline, because the server can't stop
    it. The server closes the tab after 30 s.
    """
    _ = user_gesture  # the server does not support this option
    if not at.config.evaluate_enabled:
        raise Disabled(
            "evaluate is disabled in the configuration.", "Use snapshot, click and type."
        )
    has_plugin = at.calls.link is not None
    if frame_id is not None and not has_plugin:
        raise lacking("frame_id")
    expressions = expressions_of(script, args)
    server = at.calls.server
    value = await evaluated(server, at.tab, frame_id, expressions, at.budget, has_plugin=has_plugin)
    return Done(value)


@_way("scrape", "frame_id", "download", "password")
async def _scrape(
    at: At,
    format: str,  # noqa: A002 - the contract's name
    selector: str | None,
    max_chars: int,
    offset: int,
) -> Done:
    """Return the page's visible text; ``markdown`` adds its links and images."""
    if format == "html":
        raise lacking("format")
    return Done(await scraped(at.calls.server, at.tab, format, selector, max_chars, offset))


@_way("screenshot", "ref", "annotate", "image_format", "clip", "quality", "scale")
async def _screenshot(
    at: At, path: Any, full_page: bool, max_pixels: int | None, max_bytes: int | None
) -> Done:
    file = None if path is None else local_path("path", path)
    there = f"/tabs/{at.tab.target_id}/screenshot"
    data = (await at.calls.server.get(there, fullPage=full_page)).content
    width, height = size_of(data)
    too_large = (max_pixels is not None and width * height > max_pixels) or (
        max_bytes is not None and len(data) > max_bytes
    )
    if too_large:
        raise NotSupported(
            f"The screenshot's size is {width} x {height} pixels and {len(data)} bytes, and a "
            f"Camofox "
            "server can't make it smaller.",
            "Take a screenshot of the viewport, or allow a larger image.",
            field="max_bytes",
        )
    taken = Screenshot(data, "png", width=width, height=height)
    if file is not None:
        await write(taken, file)
    return Done(taken)


def _needed(ref: str | None) -> str:
    if ref is None:
        raise InvalidArgument("'ref' is missing.", "Pass a ref from a snapshot.", field="ref")
    return ref


def lacking(name: str) -> NotSupported:
    """Return the error for a parameter that the server does not support."""
    return NotSupported(
        f"A Camofox server does not support {name} here.", f"Omit {name}.", field=name
    )

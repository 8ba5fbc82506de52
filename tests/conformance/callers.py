"""The ways to call a browser: local, on a fleet, and through a server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
from browser.surfaces.mcp.host import reaching, serving_mcp
from support.local_fleet import LocalFleet

from tabwarden.actions import dispatch, session_of
from tabwarden.config import BrowserConfig
from tabwarden.page.call.settle import BUSY_NOTE


class Outcome(NamedTuple):
    """A caller's result: the text for a model, and the data."""

    text: str
    data: dict[str, Any]
    is_error: bool


Call = tuple[str, Mapping[str, Any]]


class Caller(Protocol):
    """Makes calls like an agent with its own task."""

    def run(self, calls: Sequence[Call]) -> list[Outcome]: ...


class InProcess:
    """Sessions in this process, like those of the command line's daemon or an adapter."""

    def __init__(self, config: BrowserConfig) -> None:
        self._config = config

    def run(self, calls: Sequence[Call]) -> list[Outcome]:
        return asyncio.run(self._run(calls))

    async def _run(self, calls: Sequence[Call]) -> list[Outcome]:
        session = session_of(self._config)
        try:
            answers = [await dispatch(session, self._config, *call) for call in calls]
        finally:
            await session.close()
        return [Outcome(answer.words, answer.data, answer.is_error) for answer in answers]


class Served:
    """Clients of ``tabwarden mcp --http``, each with its own task."""

    def __init__(self, url: str) -> None:
        self._url = url

    def run(self, calls: Sequence[Call]) -> list[Outcome]:
        return asyncio.run(self._run(calls))

    async def _run(self, calls: Sequence[Call]) -> list[Outcome]:
        async with reaching(self._url) as host:
            return [Outcome(*await host.raw(tool, **given)) for tool, given in calls]


@contextmanager
def on_a_fleet(config: BrowserConfig, folder: Path) -> Iterator[Caller]:
    """Browsers of a fleet, whose coordinator and host run in this process."""
    fleet = LocalFleet(folder / "fleet.sqlite").start()
    try:
        fleet.add("n1", warm=1)
        endpoint = f"fleet:?cluster={fleet.address}"
        yield InProcess(config.model_copy(update={"endpoint": endpoint}))
    finally:
        fleet.stop()


@contextmanager
def served(environment: Mapping[str, str], *options: str) -> Iterator[Caller]:
    """A server as a process."""
    with serving_mcp("--port", "0", *options, **environment) as server:
        yield Served(server.url)


_DIFFERS = [
    (re.compile(r"<(/?)page [0-9a-f]+>"), r"<\1page>"),
    (re.compile(r"\b\d+(\.\d+)? ms\b"), "N ms"),
    (re.compile(r"\d+ bytes of image"), "N bytes of image"),
    (re.compile(r"after N ms: "), ""),
    # Whether a page that starts to hang is reported as busy yet:
    (re.compile(rf" · nothing observed in N ms|\n?{re.escape(BUSY_NOTE)}"), ""),
    (re.compile(r"\b[0-9A-F]{32}\b|(?<=^frame )[0-9A-F]{8}\b", re.MULTILINE), "ID"),
    (re.compile(r'("(?:waited_ms|at|started_at|completed_at|elapsed_ms)": )[0-9.]+'), r"\1N"),
    (re.compile(r'"(127\.0\.0\.1:\d+/popup|Popup)"'), '"POPUP"'),  # until its title is known
    (re.compile(r"\S*/traces/\S*\.zip"), "TRACE"),
    (re.compile(r"browser is gone \(.*?\), with its"), "browser is gone (WHY), with its"),
    # The steps that recovered a page:
    (re.compile(r"The tab had hung\.[^\n]*?(?=\"?,?$)", re.MULTILINE), ""),
    # Whether a download has started when a click returns:
    (re.compile(r" · download dl-\d+ began|\n?new: download [^\n]*: in_progress"), ""),
]
"""Values that can differ from run to run, wherever the browser is."""
_STATE_LINE = re.compile(r"^\[Browser: .*\]$", re.MULTILINE)
_SAID_IN_TEXT = frozenset({"state", "text"})
"""The keys that MCP's structured content shares with the text."""
_NOT_COMPARED = frozenset(
    {"opened_at", "closed_at", "started_at", "at", "guid", "target_id", "session_id", "frame_id",
     "path", "elapsed_ms", "focus", "steps", "rescue", "timestamp", "cause", "bytes", "effect"}
)  # fmt: skip


def comparable(outcome: Outcome) -> list[str]:
    """An outcome as lines, without the values that differ from run to run."""
    error = outcome.data.get("error", {})
    if error.get("code") == "budget_exceeded":  # how a page was recovered depends on the machine
        return [f"error: {outcome.is_error}", "budget_exceeded"]
    told = {key: one for key, one in outcome.data.items() if key not in _SAID_IN_TEXT}
    data = json.dumps(_without(msgspec.to_builtins(told)), indent=1, sort_keys=True)
    text = _STATE_LINE.sub("", outcome.text).rstrip()
    for pattern, instead in _DIFFERS:
        text, data = pattern.sub(instead, text), pattern.sub(instead, data)
    # MCP sends the image itself, without data about it.
    data_lines = [] if text.startswith("screenshot: ok") else data.splitlines()
    return [f"error: {outcome.is_error}", *text.splitlines(), *data_lines]


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without(one) for key, one in value.items() if key not in _NOT_COMPARED}
        if not kept.get("downloads", True):
            del kept["downloads"]
        return kept
    if isinstance(value, list | tuple):
        return [_without(one) for one in value if not _under_way(one)]
    return value


def _under_way(value: Any) -> bool:
    """Whether this is a download that has just started, whose report depends on timing."""
    return (
        isinstance(value, dict)
        and value.get("status") == "in_progress"
        and "suggested_filename" in value
    )

"""The parts of a trace's calls that scripts and replays need."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tabwarden.config import LAUNCH_KEYS
from tabwarden.errors import InvalidArgument
from tabwarden.recording import Trace

_READS = frozenset(("GET", "HEAD", "OPTIONS"))


class RecordedCall(msgspec.Struct, kw_only=True):
    """One call in a trace. The fields are the fields of ``journal.Entry``, without secrets."""

    number: int
    action: str
    arguments: dict[str, Any] = {}
    parent: int | None = None
    tab_id: str | None = None
    element: dict[str, Any] | None = None
    locators: list[dict[str, Any]] = []
    points: list[tuple[float, float]] = []
    text_appeared: str = ""
    status: str = "ok"
    url: str = ""
    title: str = ""
    result: Any = None
    began: float = 0
    """The start time, in seconds since 1970."""
    ended: float | None = None


class TraceCalls(msgspec.Struct, kw_only=True):
    calls: list[RecordedCall]
    viewport: tuple[int, int] | None = None
    launch: dict[str, Any] = {}
    """The browser's launch options, keyed by their names in the configuration."""
    writes: list[float] = []
    """The start times of the requests that may have changed their server's state, in seconds since
    1970."""


def read_trace(path: Path) -> TraceCalls:
    """Read the calls of a trace file.

    Raises:
        InvalidArgument: the file can't be read, or is not a Tabwarden trace.
    """
    trace = Trace.open(path)
    try:
        calls = [msgspec.convert(one, RecordedCall) for one in trace.calls]
        size = trace.about.get("viewport")
        viewport = (int(size["width"]), int(size["height"])) if size else None
        options = msgspec.convert(trace.about.get("launch", {}), dict[str, Any])
        launch = {name: options[name] for name in (*LAUNCH_KEYS, "init_scripts") if name in options}
        writes = [float(one["started_at"]) for one in trace.requests if one["method"] not in _READS]
    except (KeyError, TypeError, ValueError, msgspec.MsgspecError) as error:
        raise InvalidArgument(
            f"{str(path)[:300]} contains a call that Tabwarden can't read: {error}.",
            "Another version may have written the trace: record again.",
            field="file",
        ) from None
    return TraceCalls(calls=calls, viewport=viewport, launch=launch, writes=sorted(writes))

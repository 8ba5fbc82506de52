"""Store a trace line by line as it arrives from the browser, and write the trace to a file.

The browser's JSON has one event per line. The spool decodes only the events that the findings need.
The file leaves out the events of other tabs, because the browser traces all processes at once.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Collection, Iterator
from typing import Any, Self

import msgspec

from tabwarden.files.download_folder import PartialFile
from tabwarden.telemetry.redaction import headers_without_secrets

_HEAD = re.compile(rb'"name":"([^"\\]*)","ph":"(.)","pid":(\d+)')
"""Matches the start of an event. An event's keys are in alphabetical order, and quotes inside page
text are escaped."""
_IN_MEMORY = 32_000_000
_LONG_US = 50_000.0
"""A task that takes longer is a long task."""
_PART_US = 5_000.0
"""A part of a task that is shorter than this does not explain why the task was long."""
_TASK = "RunTask"
_PARTS = {
    "EvaluateScript", "FunctionCall", "v8.evaluateModule", "ParseHTML", "Layout",
    "UpdateLayoutTree", "v8.compile", "Paint", "MajorGC", "V8.GCFinalizeMC",
}  # fmt: skip
_NEEDED = {
    "TracingStartedInBrowser", "FrameCommittedInBrowser", "navigationStart", "CommitLoad",
    "firstContentfulPaint",
    "largestContentfulPaint::Candidate", "LargestImagePaint::Candidate", "LayoutShift",
    "EventTiming", "ResourceSendRequest", "ResourceReceiveResponse", "ResourceFinish",
    "thread_name",
}  # fmt: skip
_EVERYWHERE = {
    b"process_name",
    b"thread_name",
    b"TracingStartedInBrowser",
    b"FrameCommittedInBrowser",
}


class TraceEvent(msgspec.Struct, gc=False):
    """A trace event. Times are in microseconds on the browser's clock."""

    name: str
    ph: str
    ts: float = 0.0
    dur: float = -1.0
    pid: int = 0
    tid: int = 0
    args: dict[str, Any] = {}

    @property
    def data(self) -> dict[str, Any]:
        data = self.args.get("data")
        return data if isinstance(data, dict) else {}

    @property
    def end(self) -> float:
        return self.ts + max(self.dur, 0.0)


_decode = msgspec.json.Decoder(TraceEvent).decode


class TraceSpool:
    """A trace in a temporary file. Use it as a context manager. The methods may be slow, so call
    them in a worker thread."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed by __exit__
        self._rest = b""
        self.events: list[TraceEvent] = []
        """The events that the findings need."""
        self.pids: set[int] = set()
        """The ids of the processes that run the tab's frames."""

    def take(self, piece: bytes) -> None:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            self._keep(line)

    def end(self, *, is_whole: bool) -> None:
        """End the trace. If the trace is incomplete, drop its last line, which may be cut off."""
        if is_whole:
            self._keep(self._rest)
        self._rest = b""

    def write(self, to: PartialFile, hide: Callable[[str], str], *, only_own: bool) -> None:
        """Write the trace in the format of Chrome DevTools.

        Args:
            to: the new file.
            hide: removes the secrets from text.
            only_own: leave out the events of other tabs' processes.
        """
        to.write(b'{"traceEvents":[\n')
        comma = b""
        for line in self._lines(self.pids if only_own else None):
            to.write(comma + hide(line.decode("utf-8", "replace")).encode("utf-8", "replace"))
            comma = b",\n"
        to.write(b'\n],"metadata":{"source":"DevTools","dataOrigin":"TraceEvents"}}\n')

    def _lines(self, pids: Collection[int] | None) -> Iterator[bytes]:
        self._file.seek(0)
        for line in self._file:
            head = _HEAD.search(line)
            if head is None:
                continue
            foreign = pids is not None and int(head[3]) not in pids
            if not foreign or head[1] in _EVERYWHERE:
                yield line.rstrip(b"\n")

    def _keep(self, line: bytes) -> None:
        line = line.strip().rstrip(b",")
        if not line.startswith(b"{"):
            return
        head = _HEAD.search(line)
        if head is None:
            return
        if not line.endswith(b"}"):  # the last event: ``}],"metadata":``
            line = line.rpartition(b"}]")[0] + b"}"
        name = head[1].decode("utf-8", "replace")
        if name == "ResourceReceiveResponse":
            line = _without_secrets(line)
        self._file.write(line + b"\n")
        if name in _NEEDED or name in _PARTS or name == _TASK:
            self._learn(name, line)

    def _learn(self, name: str, line: bytes) -> None:
        try:
            event = _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return
        is_open = event.ph == "B"  # the task is still running, or another event marks its end
        if name == _TASK and event.dur < _LONG_US and not is_open:
            return
        if name in _PARTS and event.dur < _PART_US and not is_open:
            return
        self.events.append(event)
        if name == "TracingStartedInBrowser":
            frames = event.data.get("frames")
            self.pids |= {one.get("processId", 0) for one in frames or () if isinstance(one, dict)}
        elif name == "FrameCommittedInBrowser":
            self.pids.add(event.data.get("processId", 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _without_secrets(line: bytes) -> bytes:
    """Return a response event without the values of headers that contain credentials."""
    try:
        event = json.loads(line)
        headers = event["args"]["data"]["headers"]
        for one in headers:
            one.update(value=headers_without_secrets({one["name"]: one["value"]})[one["name"]])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return line
    return json.dumps(event, separators=(",", ":"), sort_keys=True).encode()

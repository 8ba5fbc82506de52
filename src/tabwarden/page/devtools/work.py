"""Find the long tasks and the requests in a trace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from tabwarden.page.devtools.trace_spool import TraceEvent
from tabwarden.telemetry.redaction import url_without_secrets

_LONG_MS = 50.0
_MOST = 5
_KINDS = {
    "ParseHTML": "parsing HTML",
    "Layout": "layout",
    "UpdateLayoutTree": "computing styles",
    "v8.compile": "compiling scripts",
    "Paint": "painting",
    "MajorGC": "garbage collection",
    "V8.GCFinalizeMC": "garbage collection",
}
_BLOCKING = ("blocking", "in_body_parser_blocking")


def long_tasks(
    events: Sequence[TraceEvent], began: float, pids: set[int], ended: float
) -> dict[str, Any]:
    """Return the main threads' tasks that took more than 50 ms, longest first.

    Args:
        events: the document's events.
        began, ended: the start and end of the load or trace, in microseconds. A task that is
            still running at the end counts until then.
        pids: the ids of the processes that run the tab's frames.
    """
    threads = {
        (one.pid, one.tid)
        for one in events
        if one.name == "thread_name"
        and one.args.get("name") == "CrRendererMain"
        and one.pid in pids
    }
    ours = [one for one in events if (one.pid, one.tid) in threads and one.ts > 0]
    last = {(one.pid, one.tid): one for one in sorted(ours, key=lambda one: one.ts)
            if one.name == "RunTask"}  # fmt: skip
    tasks = []
    for one in ours:
        if one.name != "RunTask":
            continue
        is_open = one.ph == "B" and last[one.pid, one.tid] is one
        if one.ph == "B" and not is_open:
            continue
        ms = ((ended - one.ts) if is_open else one.dur) / 1000
        if ms > _LONG_MS:
            tasks.append({
                "ms": round(ms, 1),
                "at_ms": round((one.ts - began) / 1000, 1),
                **({"unfinished": True} if is_open else {}),
                **_cause(one, ended if is_open else one.end, ours),
            })  # fmt: skip
    tasks.sort(key=lambda one: -one["ms"])
    return {
        "count": len(tasks),
        "blocking_ms": round(sum(one["ms"] - _LONG_MS for one in tasks), 1),
        "tasks": tasks[:_MOST],
    }


def _cause(task: TraceEvent, end: float, events: Iterable[TraceEvent]) -> dict[str, Any]:
    """Return the main cause of a task's duration: a script and the position in it, or a kind of
    browser work."""

    def duration(part: TraceEvent) -> float:
        return part.dur if part.dur >= 0 else end - part.ts

    parts = [
        one
        for one in events
        if one.tid == task.tid
        and one.pid == task.pid
        and one.name != "RunTask"
        and task.ts <= one.ts <= end
    ]
    scripts = [one for one in parts if one.name not in _KINDS and one.data.get("url")]
    if scripts:
        longest = max(scripts, key=duration)
        data = longest.data
        place = f"{data['url']}:{data.get('lineNumber', 1)}:{data.get('columnNumber', 1)}"
        return {"script": url_without_secrets(place), "function": str(data.get("functionName", ""))}
    browser_work = [one for one in parts if one.name in _KINDS]
    return {"work": _KINDS[max(browser_work, key=duration).name]} if browser_work else {}


def requests(
    events: Iterable[TraceEvent], since: float, began: float, pids: set[int], document: str
) -> dict[str, Any]:
    """Return the number and total size of the requests, and the requests that blocked rendering.

    Args:
        events: the trace's events.
        since: ignore requests before this time (in microseconds), except ``document``.
        began: the start of the load.
        pids: the ids of the processes that run the tab's frames.
        document: the id of the request for the document.
    """
    sends: dict[str, TraceEvent] = {}
    answers: dict[str, TraceEvent] = {}
    ends: dict[str, TraceEvent] = {}
    for one in events:
        number = one.data.get("requestId")
        if one.pid not in pids or not isinstance(number, str):
            continue
        if one.ts < since and number != document:
            continue
        if one.name == "ResourceSendRequest":
            sends.setdefault(number, one)  # a redirect sends a second event
        elif one.name == "ResourceReceiveResponse":
            answers[number] = one
        elif one.name == "ResourceFinish":
            ends[number] = one
    by_type: defaultdict[str, int] = defaultdict(int)
    rows: list[dict[str, Any]] = []
    for number, one in sends.items():
        end = ends.get(number)
        size = int(end.data.get("encodedDataLength", 0)) if end is not None else 0
        answer = answers.get(number)
        kind = str(one.data.get("resourceType", "Other")).lower()
        by_type[kind] += size
        rows.append({
            "url": url_without_secrets(str(one.data.get("url", ""))),
            "type": kind,
            "bytes": size,
            "at_ms": round((one.ts - began) / 1000, 1),
            "ms": round((end.ts - one.ts) / 1000, 1) if end is not None else None,
            "from_cache": bool(answer is not None and answer.data.get("fromCache")),
            "blocking": one.data.get("renderBlocking") in _BLOCKING,
        })  # fmt: skip
    blocking = [one for one in rows if one["blocking"]]
    blocking.sort(key=lambda one: -(one["ms"] or 0.0))
    largest = sorted(rows, key=lambda one: -one["bytes"])
    return {
        "count": len(rows),
        "bytes": sum(by_type.values()),
        "bytes_by_type": dict(sorted(by_type.items(), key=lambda one: -one[1])),
        "blocking_count": len(blocking),
        "blocking": [_without(one, "blocking") for one in blocking[:_MOST]],
        "largest": [_without(one, "blocking") for one in largest[:_MOST]],
    }


def _without(result: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key != name}

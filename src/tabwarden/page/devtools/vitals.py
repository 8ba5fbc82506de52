"""Vitals: LCP, CLS and INP from a trace's events, as defined by web-vitals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tabwarden.page.devtools.elements import Element, ElementKey
from tabwarden.page.devtools.trace_spool import TraceEvent

_LIMITS = {"lcp": (2500.0, 4000.0), "inp": (200.0, 500.0), "cls": (0.1, 0.25)}
"""For each metric, two limits. Values up to the first limit are good, and values above the second
are poor."""
_GAP_US, _WINDOW_US = 1e6, 5e6
"""The longest gap between two layout shifts in one session window, and the window's maximum
duration."""
_PER_OUTLIER = 50
"""INP ignores one of the slowest interactions for every 50 interactions."""
_MOST = 5


class Load(NamedTuple):
    """A page load in a trace. Times are in microseconds on the browser's clock."""

    began: float
    committed: float
    """When the events of the new document begin."""
    navigation_id: str
    url: str


def load_of(events: Sequence[TraceEvent], top: str) -> Load | None:
    """Return the last page load of the top frame; None if the trace has none."""
    load = None
    for one in events:
        is_load = one.name == "navigationStart" and one.args.get("frame") == top
        url = one.data.get("documentLoaderURL")
        if is_load and isinstance(url, str) and url and (load is None or one.ts > load.began):
            load = Load(one.ts, one.ts, str(one.data.get("navigationId")), url)
    if load is None:
        return None
    commits = [
        one.ts
        for one in events
        if one.name == "CommitLoad" and one.data.get("frame") == top and one.ts >= load.began
    ]
    return load._replace(committed=min(commits, default=load.began))


def rating(vital: str, value: float) -> str:
    good, poor = _LIMITS[vital]
    return "good" if value <= good else "poor" if value > poor else "needs improvement"


class NamedElements:
    """Collects the elements that the findings mention, so that their refs can be found."""

    def __init__(self) -> None:
        self.pairs: list[tuple[ElementKey, Element]] = []

    def add(self, frame_id: object, node_id: object, node: object) -> Element:
        element = Element(str(node or "")[:100])
        if isinstance(frame_id, str) and isinstance(node_id, int) and node_id > 0:
            self.pairs.append(((frame_id, node_id), element))
        return element


def first_paint(events: Iterable[TraceEvent], load: Load) -> float | None:
    """Return the First Contentful Paint (FCP) in milliseconds."""
    for one in events:
        if one.name == "firstContentfulPaint" and _is_of(one, load):
            return (one.ts - load.began) / 1000
    return None


def largest_paint(
    events: Sequence[TraceEvent], load: Load, elements: NamedElements
) -> dict[str, Any] | None:
    """Return the Largest Contentful Paint (LCP), with its time divided into phases."""
    candidates = [
        one
        for one in events
        if one.name == "largestContentfulPaint::Candidate" and _is_of(one, load)
    ]
    if not candidates:
        return None
    last = max(candidates, key=lambda one: (one.data.get("candidateIndex", 0), one.ts))
    ms = (last.ts - load.began) / 1000
    result: dict[str, Any] = {
        "ms": round(ms, 1),
        "rating": rating("lcp", ms),
        "kind": str(last.data.get("type", "")),
        "element": elements.add(
            last.args.get("frame"), last.data.get("nodeId"), last.data.get("nodeName")
        ),
    }
    for one in events:
        is_it = one.name == "LargestImagePaint::Candidate" and one.ts == last.ts
        if is_it and one.data.get("imageUrl"):
            result["url"] = str(one.data["imageUrl"])
    first_byte_ms = time_to_first_byte(events, load)
    begun, loaded = last.data.get("imageLoadStart"), last.data.get("imageLoadEnd")
    if (
        first_byte_ms is not None
        and isinstance(begun, float | int)
        and isinstance(loaded, float | int)
    ):
        result["parts_ms"] = {
            "server": first_byte_ms,
            "request_delay": max(begun - first_byte_ms, 0.0),
            "loading": max(loaded - begun, 0.0),
            "drawing_delay": max(ms - loaded, 0.0),
        }
    elif first_byte_ms is not None:
        result["parts_ms"] = {
            "server": first_byte_ms,
            "drawing_delay": max(ms - first_byte_ms, 0.0),
        }
    result["parts_ms"] = {name: round(part, 1) for name, part in result.get("parts_ms", {}).items()}
    return result


def time_to_first_byte(events: Iterable[TraceEvent], load: Load) -> float | None:
    """Return the document's time to first byte (TTFB), in milliseconds."""
    for one in events:
        if (
            one.name == "ResourceReceiveResponse"
            and one.data.get("requestId") == load.navigation_id
        ):
            timing = one.data.get("timing")
            if isinstance(timing, dict) and "requestTime" in timing:
                first = timing["requestTime"] * 1e3 + timing.get("receiveHeadersStart", 0.0)
                return float(max(first - load.began / 1e3, 0.0))
            return (one.ts - load.began) / 1000
    return None


def layout_shifts(
    events: Iterable[TraceEvent], began: float, elements: NamedElements
) -> dict[str, Any]:
    """Return the Cumulative Layout Shift (CLS): the session window with the most layout shifts that
    no input caused.

    Args:
        events: the document's events.
        began: the start of the load, in microseconds.
        elements: collects the elements that shifted.
    """
    shifts = sorted(
        (
            one
            for one in events
            if one.name == "LayoutShift"
            and not one.data.get("had_recent_input")
            and one.data.get("weighted_score_delta", 0) > 0
        ),
        key=lambda one: one.ts,
    )
    worst, window, first, last = 0.0, 0.0, 0.0, 0.0
    for one in shifts:
        if window and one.ts - last <= _GAP_US and one.ts - first <= _WINDOW_US:
            window += one.data["weighted_score_delta"]
        else:
            window, first = one.data["weighted_score_delta"], one.ts
        last, worst = one.ts, max(worst, window)
    largest = sorted(shifts, key=lambda one: -one.data["weighted_score_delta"])[:_MOST]
    return {
        "score": round(worst, 4),
        "rating": rating("cls", worst),
        "count": len(shifts),
        "shifts": [_shift(one, began, elements) for one in largest],
    }


def _shift(event: TraceEvent, began: float, elements: NamedElements) -> dict[str, Any]:
    nodes = event.data.get("impacted_nodes")
    return {
        "score": round(event.data["weighted_score_delta"], 4),
        "at_ms": round((event.ts - began) / 1000, 1),
        "elements": [
            elements.add(event.args.get("frame"), one.get("node_id"), one.get("debug_name"))
            for one in (nodes if isinstance(nodes, list) else [])[:_MOST]
            if isinstance(one, dict)
        ],
    }


def interactions(
    events: Iterable[TraceEvent], pids: set[int], elements: NamedElements
) -> dict[str, Any] | None:
    """Return the Interaction to Next Paint (INP); None if there was no interaction."""
    groups: defaultdict[tuple[int, int], list[TraceEvent]] = defaultdict(list)
    for one in events:
        number = one.data.get("interactionId")
        if one.name == "EventTiming" and number and one.pid in pids:
            groups[one.pid, number].append(one)
    if not groups:
        return None
    ordered = sorted(groups.values(), key=lambda some: max(map(_duration, some)), reverse=True)
    some = ordered[min(len(ordered) // _PER_OUTLIER, len(ordered) - 1)]
    ms = max(map(_duration, some))
    input_at = min(one.data.get("timeStamp", 0.0) for one in some)
    begun = min(one.data.get("processingStart", 0.0) for one in some)
    ended = max(one.data.get("processingEnd", 0.0) for one in some)
    busiest = max(some, key=_processing)
    return {
        "ms": round(ms, 1),
        "rating": rating("inp", ms),
        "kind": str(busiest.data.get("type", "")),
        "count": len(groups),
        "element": elements.add(busiest.data.get("frame"), busiest.data.get("nodeId"), ""),
        "parts_ms": {
            "input_delay": round(max(begun - input_at, 0.0), 1),
            "processing": round(ended - begun, 1),
            "drawing_delay": round(max(input_at + ms - ended, 0.0), 1),
        },
    }


def _processing(event: TraceEvent) -> float:
    return float(event.data.get("processingEnd", 0.0) - event.data.get("processingStart", 0.0))


def _duration(event: TraceEvent) -> float:
    return float(event.data.get("duration", 0.0))


def _is_of(event: TraceEvent, load: Load) -> bool:
    return event.data.get("navigationId") == load.navigation_id

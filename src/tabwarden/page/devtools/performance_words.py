"""Return a trace's findings as sentences. All text from the page is quoted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabwarden.page.devtools.elements import Element
from tabwarden.page.devtools.quantities import count_words, ms_words, size_words
from tabwarden.page.text import address, quoted

_PARTS = {
    "server": "waiting for the server",
    "request_delay": "before the request",
    "loading": "loading",
    "drawing_delay": "before drawing",
    "input_delay": "waiting for other work",
    "processing": "in event handlers",
}


def findings(facts: Mapping[str, Any]) -> list[str]:
    """Return the main findings, most important first.

    Args:
        facts: the fields of ``results.Performance``, with elements of type ``Element``.
    """
    return [
        *_paint(facts),
        *_interaction(facts),
        *_shifts(facts),
        *_tasks(facts),
        *_requests(facts),
    ]


def _paint(facts: Mapping[str, Any]) -> Iterator[str]:
    lcp = facts["lcp"]
    if lcp is not None:
        what = f", {address(lcp['url'])}" if lcp.get("url") else ""
        yield (
            f"LCP {ms_words(lcp['ms'])} ({lcp['rating']}): {_element(lcp['element'])}{what}"
            f"{_parts(lcp['parts_ms'])}."
        )
    elif facts["url"]:
        yield "LCP: the page painted no text and no image."
    if facts["fcp_ms"] is not None:
        answered = ms_words(facts["ttfb_ms"])
        yield f"First contentful paint {ms_words(facts['fcp_ms'])}, first byte {answered}."


def _interaction(facts: Mapping[str, Any]) -> Iterator[str]:
    inp = facts["inp"]
    if inp is None:
        yield "INP: nobody interacted with the page during the trace."
        return
    yield (
        f"INP {ms_words(inp['ms'])} ({inp['rating']}): {inp['kind']} on {_element(inp['element'])}"
        f"{_parts(inp['parts_ms'])}. {count_words(inp['count'], 'interaction')}."
    )


def _shifts(facts: Mapping[str, Any]) -> Iterator[str]:
    cls = facts["cls"]
    if not cls["count"]:
        yield "CLS 0 (good): no layout shifts."
        return
    yield f"CLS {cls['score']:g} ({cls['rating']}), {count_words(cls['count'], 'shift')}:"
    for one in cls["shifts"]:
        elements = ", ".join(_element(element) for element in one["elements"]) or "an element"
        yield f"- {one['score']:g} at {ms_words(one['at_ms'])}: {elements} moved"


def _tasks(facts: Mapping[str, Any]) -> Iterator[str]:
    tasks = facts["long_tasks"]
    if not tasks["count"]:
        yield "No long tasks (over 50 ms)."
        return
    yield f"{count_words(tasks['count'], 'long task')}, {ms_words(tasks['blocking_ms'])} blocking:"
    for one in tasks["tasks"]:
        where = one.get("work", "the browser")
        if "script" in one:
            where = quoted(one["script"])
            where += f" in {quoted(one['function'])}" if one["function"] else ""
        still = ", still running" if one.get("unfinished") else ""
        yield f"- {ms_words(one['ms'])} at {ms_words(one['at_ms'])}: {where}{still}"


def _requests(facts: Mapping[str, Any]) -> Iterator[str]:
    requests = facts["requests"]
    if not requests["count"]:
        return
    kinds = ", ".join(
        f"{kind} {size_words(size)}" for kind, size in requests["bytes_by_type"].items()
    )
    whole = size_words(requests["bytes"])
    yield f"{count_words(requests['count'], 'request')}, {whole} transferred: {kinds}."
    if not requests["blocking_count"]:
        yield "No render-blocking requests."
        return
    yield f"{count_words(requests['blocking_count'], 'render-blocking request')}:"
    yield from _request_lines(requests["blocking"])


def _request_lines(requests: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for one in requests:
        duration = ms_words(one["ms"]) if one["ms"] is not None else "not finished"
        cached = ", from the cache" if one["from_cache"] else ""
        yield f"- {address(one['url'])} {duration}, {size_words(one['bytes'])}{cached}"


def _parts(parts: Mapping[str, float]) -> str:
    listed = ", ".join(f"{ms_words(ms)} {_PARTS[name]}" for name, ms in parts.items())
    return f" ({listed})" if listed else ""


def _element(one: Element) -> str:
    if one.ref:
        what = one.role
        if what in ("", "generic"):  # such an element's name would be its whole text
            what = quoted(one.node) if one.node else "element"
        elif one.name:
            what += f" {quoted(one.name)}"
        return f"{what} [ref={one.ref}]"
    return f"{quoted(one.node)}, which is gone" if one.node else "an element that is gone"

"""Wait: for a time, or until a page has got somewhere, or shows something, or does so no longer."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Literal, NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.page.arguments import one_of
from tabwarden.page.landing import landed
from tabwarden.page.result import Done
from tabwarden.page.settle import settle
from tabwarden.page.task import Task
from tabwarden.page.watch import Found, check_selector, gone, shown
from tabwarden.protocol import runtime
from tabwarden.supervisor import Race, SupervisorState, Tab

__all__ = ["Condition", "LoadState", "condition_of", "wait"]

LoadState = Literal["domcontentloaded", "load", "networkidle"]
_CSS = re.compile(r"\s*css\s*=", re.IGNORECASE)
"""What other actions take in front of a selector."""
Kind = Literal["time_s", "text", "text_gone", "selector", "url", "load_state", "download"]
_DOWNLOAD_ID = re.compile(r"dl-\d{1,9}")
_LIFECYCLE = {"domcontentloaded": "DOMContentLoaded", "load": "load", "networkidle": "networkIdle"}


class Condition(NamedTuple):
    """What is waited for."""

    kind: Kind
    what: Any
    filename: str | None = None
    """Of a download: what to call its file."""


def condition_of(*, filename: str | None = None, **given: Any) -> Condition:
    """The one condition that was given.

    Raises:
        InvalidArgument: none or several were, or it can't be one.
    """
    named = {kind: what for kind, what in given.items() if what is not None}
    if len(named) != 1:
        raise InvalidArgument(
            f"Give exactly one thing to wait for, not {' and '.join(named) or 'nothing'}.",
            f"It is one of: {', '.join(given)}.",
            field=next(iter(named), "text"),
        )
    kind, what = next(iter(named.items()))
    if filename is not None and kind != "download":
        raise InvalidArgument(
            "filename goes with download.", "Leave it out, or wait for one.", field="filename"
        )
    if kind == "time_s":
        if isinstance(what, bool) or not isinstance(what, int | float) or not what >= 0:
            raise InvalidArgument(f"time_s must be seconds, not {what!r}.", field=kind)
    elif kind == "download":
        if what not in (True, "true") and not _DOWNLOAD_ID.fullmatch(str(what)):
            raise InvalidArgument(
                f"download is true, or the id of a download (dl-3), not {str(what)[:100]!r}.",
                field=kind,
            )
    elif not isinstance(what, str) or not what.strip():
        raise InvalidArgument(f"{kind} must be a text that is not empty.", field=kind)
    elif kind == "load_state":
        one_of(kind, what, tuple(_LIFECYCLE))
    return Condition(kind, what, filename)  # type: ignore[arg-type]


async def wait(task: Task, race: Race, tab: Tab, condition: Condition) -> Done:
    """Wait until the condition holds; the value is ``{"waited_ms"}``, with the ``frame_id`` that
    shows a text, the ``ref`` of an element, or all of a download.

    Raises:
        InvalidArgument: a time beyond the budget; no CSS selector.
        BudgetExceeded: it did not come to that in time.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    kind, what, filename = condition
    value: dict[str, Any] = {}
    note = ""
    match kind:
        case "time_s":
            await _rest(race, what)
        case "url":
            await race.until(lambda state: _is_at(state, tab.tab_id, what))
            note = await settle(task, race, tab)
        case "load_state":
            await _loaded(task, race, tab, what)
        case "download":
            after = what if str(what).startswith("dl-") else None
            value, note, _ = await landed(task, race, after, filename)
        case "text_gone":
            await gone(task, race, tab, what)
        case "text":
            value = {"frame_id": (await shown(task, race, tab, "text", what)).frame_id}
        case "selector":
            what = _CSS.sub("", what)
            await check_selector(task, race, tab, what)
            value = {"ref": _ref(task, tab, await shown(task, race, tab, "selector", what))}
    return Done({"waited_ms": round((loop.time() - began) * 1000), **value}, note)


async def _rest(race: Race, seconds: float) -> None:
    if seconds * 1000 >= race.budget.remaining_ms():
        raise InvalidArgument(
            f"time_s {seconds:g} is longer than the call may take "
            f"({race.budget.timeout_ms / 1000:g} s).",
            "Wait less, or give timeout_ms more than that.",
            field="time_s",
        )
    await race.until(lambda state: False, at_most_ms=seconds * 1000)


def _ref(task: Task, tab: Tab, found: Found) -> str:
    return task.refs.assign(
        found.world_id,
        found.element["id"],
        role=found.element["role"] or "generic",
        name=found.element["name"],
        tab_id=tab.tab_id,
        frame_id=found.frame_id,
    )


def _is_at(state: SupervisorState, tab_id: str, wanted: str) -> bool:
    """Whether a tab's URL contains a text, or matches one with ``*`` for anything."""
    top = state.top_frame(tab_id)
    if top is None or "*" not in wanted:
        return top is not None and wanted in top.url
    pattern = ".*".join(re.escape(part) for part in re.split(r"\*+", wanted))
    return re.fullmatch(pattern, top.url, re.DOTALL) is not None


async def _loaded(task: Task, race: Race, tab: Tab, wanted: str) -> None:
    def reached(state: SupervisorState) -> bool:
        top = state.top_frame(tab.tab_id)
        return top is not None and not top.navigating and _LIFECYCLE[wanted] in top.lifecycle

    if reached(task.state) or await _is_complete_unheard(task, race, tab):
        return
    await race.until(reached)


async def _is_complete_unheard(task: Task, race: Race, tab: Tab) -> bool:
    """Whether a document that nothing was told of stands there, complete: an empty tab's first, or
    one from the back-forward cache, which tells of no idle network."""
    top = task.state.top_frame(tab.tab_id)
    if top is None or top.navigating or "init" in top.lifecycle:
        return False
    asked = await race.call(
        runtime.Evaluate(expression="document.readyState", silent=True), tab.session_id
    )
    return bool(asked.result.value == "complete")

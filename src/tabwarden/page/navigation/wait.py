"""Wait: for a time, some text, an element, a URL, a load state or a download."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Literal, NamedTuple

from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument
from tabwarden.hints import MORE_TIME, Hint
from tabwarden.page.call import one_of, settle
from tabwarden.page.downloads import page_download
from tabwarden.page.navigation.watch import Found, check_selector, gone, shown
from tabwarden.page.task import ActionSpec, Call, Done, Task
from tabwarden.protocol import runtime
from tabwarden.supervisor import Race, SupervisorState, Tab

WAIT = ActionSpec(name="wait", watches=True)

LoadState = Literal["domcontentloaded", "load", "networkidle"]
_CSS = re.compile(r"\s*css\s*=", re.IGNORECASE)
"""A prefix that other actions accept before a selector."""
Kind = Literal["time_s", "text", "text_gone", "selector", "url", "load_state", "download"]
_DOWNLOAD_ID = re.compile(r"dl-\d{1,9}")
_LIFECYCLE = {"domcontentloaded": "DOMContentLoaded", "load": "load", "networkidle": "networkIdle"}


class Condition(NamedTuple):
    kind: Kind
    what: Any
    filename: str | None = None
    """The new file name for a download."""


def condition_of(*, filename: str | None = None, **given: Any) -> Condition:
    """Return the condition among the arguments. Raise ``InvalidArgument`` if there is no condition
    or more than one, or if its value is invalid."""
    named = {kind: what for kind, what in given.items() if what is not None}
    if len(named) != 1:
        raise InvalidArgument(
            f"Give exactly one thing to wait for, not {' and '.join(named) or 'nothing'}.",
            f"Give one of these: {', '.join(given)}.",
            field=next(iter(named), "text"),
        )
    kind, what = next(iter(named.items()))
    if filename is not None and kind != "download":
        raise InvalidArgument(
            "filename works only with download.",
            "Omit filename, or wait for a download.",
            field="filename",
        )
    if kind == "time_s":
        if isinstance(what, bool) or not isinstance(what, int | float) or not what >= 0:
            raise InvalidArgument(f"time_s must be a number of seconds, not {what!r}.", field=kind)
    elif kind == "download":
        if what not in (True, "true") and not _DOWNLOAD_ID.fullmatch(str(what)):
            raise InvalidArgument(
                f"download must be true or a download id (dl-3), not {str(what)[:100]!r}.",
                field=kind,
            )
    elif not isinstance(what, str) or not what.strip():
        raise InvalidArgument(f"{kind} must be a non-empty string.", field=kind)
    elif kind == "load_state":
        one_of(kind, what, tuple(_LIFECYCLE))
    return Condition(kind, what, filename)  # type: ignore[arg-type]


async def wait(call: Call, condition: Condition) -> Done:
    """Wait until the condition is true. The value has ``waited_ms`` and, depending on the kind, the
    ``frame_id`` that shows the text, the ``ref`` of the element, or the ``download``.

    Raises:
        InvalidArgument: the time exceeds the budget, or the CSS selector is invalid.
        BudgetExceeded: the condition did not become true in time.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    kind, what, filename = condition
    value: dict[str, Any] = {}
    note = ""
    match kind:
        case "time_s":
            await _rest(call.race, condition)
        case "url":
            await call.race.until(lambda state: _is_at(state, call.tab.tab_id, what))
            note = await settle(call)
        case "load_state":
            await _loaded(call, what)
        case "download":
            after = what if str(what).startswith("dl-") else None
            done = await page_download(call, after, filename)
            note, value = done.note, {"download": done.value}
        case "text_gone":
            await gone(call, what)
        case "text":
            value = {"frame_id": (await shown(call, "text", what)).frame_id}
        case "selector":
            what = _CSS.sub("", what)
            await check_selector(call, what)
            value = {"ref": _ref(call.task, call.tab, await shown(call, "selector", what))}
    return Done({"waited_ms": round((loop.time() - began) * 1000), **value}, note)


def check_time(condition: Condition, budget: Budget) -> None:
    """Raise ``InvalidArgument`` if a wait for a time is longer than its budget."""
    kind, seconds, _ = condition
    if kind == "time_s" and seconds * 1000 >= budget.remaining_ms():
        raise InvalidArgument(
            f"A wait of {seconds:g} s exceeds the call's time limit "
            f"({budget.timeout_ms / 1000:g} s).",
            Hint("Wait for a shorter time, or ", MORE_TIME, "."),
            field="time_s",
        )


async def _rest(race: Race, condition: Condition) -> None:
    check_time(condition, race.budget)
    seconds = condition.what
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
    """Whether a tab's URL contains ``wanted`` or, if ``wanted`` has ``*`` wildcards, matches it."""
    top = state.top_frame(tab_id)
    if top is None or "*" not in wanted:
        return top is not None and wanted in top.url
    pattern = ".*".join(re.escape(part) for part in re.split(r"\*+", wanted))
    return re.fullmatch(pattern, top.url, re.DOTALL) is not None


async def _loaded(call: Call, wanted: str) -> None:
    def reached(state: SupervisorState) -> bool:
        top = state.top_frame(call.tab.tab_id)
        return top is not None and not top.navigating and _LIFECYCLE[wanted] in top.lifecycle

    if reached(call.state) or await _is_complete_unheard(call):
        return
    await call.race.until(reached)


async def _is_complete_unheard(call: Call) -> bool:
    """Whether the tab shows a complete document that sent no lifecycle events: the first document
    of an empty tab, for example, or a document from the back-forward cache."""
    top = call.state.top_frame(call.tab.tab_id)
    if top is None or top.navigating or "init" in top.lifecycle:
        return False
    asked = await call.race.call(
        runtime.Evaluate(expression="document.readyState", silent=True), call.tab.session_id
    )
    return bool(asked.result.value == "complete")

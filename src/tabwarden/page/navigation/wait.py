"""Wait: for a time, a text, an element, a URL, a load state, a download or a script."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.hints import MORE_TIME, Hint
from tabwarden.page.call import settle
from tabwarden.page.downloads import page_download
from tabwarden.page.elements import find
from tabwarden.page.navigation.condition import Condition, condition_of
from tabwarden.page.navigation.element_state import element_is
from tabwarden.page.navigation.watch import Found, Kind, check_selector, gone, shown
from tabwarden.page.scripts import until_true
from tabwarden.page.task import ActionSpec, Call, Done, Task
from tabwarden.page.text import fits_url
from tabwarden.protocol import runtime
from tabwarden.supervisor import Interrupted, Race, SupervisorState, Tab

__all__ = ["WAIT", "Condition", "check_time", "condition_of", "wait"]

WAIT = ActionSpec(name="wait", watches=True)

_CSS = re.compile(r"\A\s*css\s*=", re.IGNORECASE)
"""A prefix that other actions accept before a selector."""
_LIFECYCLE = {"domcontentloaded": "DOMContentLoaded", "load": "load", "networkidle": "networkIdle"}
_LOOK_SHARE = 0.7
"""The share of its time after which a wait looks whether what it waits for is hidden."""
_SHOWN: dict[str, Kind] = {"hidden": "selector", "gone": "match"}
"""By the state of a selector, what must no longer be there."""


async def wait(call: Call, condition: Condition) -> Done:
    """Wait until the condition is true. The value has ``waited_ms`` and, depending on the kind, the
    ``frame_id`` that shows the text, the ``ref`` of the element, the ``download``, or the script's
    ``frame_id`` and ``value``. Of ``any_of``, it also has the ``index`` of the condition that
    became true first, and the ``condition``.

    Raises:
        InvalidArgument: the time exceeds the budget, or the CSS selector is invalid.
        JsError: the script threw.
        BudgetExceeded: the condition did not become true in time.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    with call.race.doing(f"waiting for {condition.words}"):
        done = await _looked_for(call, condition)
    return Done({"waited_ms": round((loop.time() - began) * 1000), **done.value}, done.note)


async def _looked_for(call: Call, condition: Condition) -> Done:
    """Wait. Shortly before it is too late, look whether what should be visible is hidden."""
    waits = (_first if condition.kind == "any_of" else _held)(call, condition)
    if condition.kind not in ("text", "selector") or condition.state is not None:
        return await waits
    waiting = asyncio.create_task(waits)
    try:
        await asyncio.wait({waiting}, timeout=call.race.budget.remaining_s() * _LOOK_SHARE)
        if not waiting.done():
            await _tell_hidden(call, condition)
        return await waiting
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def _tell_hidden(call: Call, condition: Condition) -> None:
    """Add to the words of the error that what the wait waits for is there, but hidden, or that a
    document is no page of text."""
    by = "css" if condition.kind == "selector" else "text"
    with suppress(TabwardenError, Interrupted):  # the wait itself raises what ended it
        found = await find.look_for(
            call, find.query_of(**{by: _CSS.sub("", condition.what, 1)}), most=1
        )
        if found.elements and not found.visible:
            (one,) = found.elements
            shown = f"{one['ref']} ({one['role'] or one['tag']} {one['name'][:60]!r})"
            call.race.budget.doing += f", which is in the page but hidden: {shown}"
        elif found.document:
            call.race.budget.doing += f"; {found.document}"


async def _first(call: Call, condition: Condition) -> Done:
    """Wait for several conditions at once, and return which became true first."""
    numbered = list(enumerate(condition.what))
    # Only a wait that is reported may take a download.
    numbered.sort(key=lambda one: one[1].kind != "download")
    waits = [asyncio.create_task(_named(call, *one)) for one in numbered]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        over = [wait for wait in waits if wait.done()]
        return next((one for one in over if one.exception() is None), over[0]).result()
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


async def _named(call: Call, index: int, one: Condition) -> Done:
    try:
        done = await _held(call, one)
    except InvalidArgument as error:
        error.data["field"] = f"any_of[{index}].{error.data.get('field', one.kind)}"
        raise
    more = {name: what for name, what in one._asdict().items() if what is not None}
    more = {one.kind: more.pop("what"), **more}
    del more["kind"]
    return Done({"index": index, "condition": more, **done.value}, done.note)


async def _held(call: Call, condition: Condition) -> Done:
    kind, what = condition.kind, condition.what
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
            done = await page_download(call, after, condition.filename)
            note, value = done.note, {"download": done.value}
        case "text_gone":
            await gone(call, "text", what)
        case "text":
            value = {"frame_id": (await shown(call, "text", what)).frame_id}
        case "script":
            done = await until_true(call, what, condition.frame_id)
            note, value = done.note, done.value
        case "ref":
            state = condition.state or ("visible" if condition.has_text is None else None)
            ref = await element_is(call, what, state, condition.has_text)
            value = {} if ref is None else {"ref": ref}
        case "selector":
            what = what[found.end() :] if (found := _CSS.match(what)) else what
            await check_selector(call, what)
            if condition.state in _SHOWN:
                await gone(call, _SHOWN[condition.state], what)
            else:
                value = {"ref": _ref(call.task, call.tab, await shown(call, "selector", what))}
    return Done(value, note)


def check_time(condition: Condition, budget: Budget) -> None:
    """Raise ``InvalidArgument`` if a wait for a time is longer than its budget."""
    seconds = max((one.what for one in condition.each() if one.kind == "time_s"), default=0)
    if seconds and seconds * 1000 >= budget.remaining_ms():
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
    top = state.top_frame(tab_id)
    return top is not None and fits_url(wanted, top.url)


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

"""Wait for a time, text, an element, a URL, a load state, a download or a script."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.budget import Budget
from tabwarden.errors import Disabled, InvalidArgument, TabwardenError
from tabwarden.hints import MORE_TIME, Hint
from tabwarden.page.call import settle
from tabwarden.page.downloads import page_download
from tabwarden.page.elements import find
from tabwarden.page.navigation.condition import Condition, condition_of
from tabwarden.page.navigation.element_state import element_is
from tabwarden.page.navigation.watch import Found, Kind, check_selector, gone, shown
from tabwarden.page.scripts import until_true
from tabwarden.page.task import Call, Done, FrameId, OptionalRef, Task, card
from tabwarden.page.text import fits_url
from tabwarden.protocol import runtime
from tabwarden.results import Waited
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Interrupted, Race

_CSS = re.compile(r"\A\s*css\s*=", re.IGNORECASE)
"""A prefix that other actions accept before a selector."""
_LIFECYCLE = {"domcontentloaded": "DOMContentLoaded", "load": "load", "networkidle": "networkIdle"}
_LOOK_SHARE = 0.7
"""The share of its time after which a wait checks whether the text or element exists but is
hidden."""
_SHOWN: dict[str, Kind] = {"hidden": "selector", "gone": "match"}
"""Maps the state to wait for to the kind of match that must no longer exist."""


async def wait_for(call: Call, condition: Condition) -> Done:
    """Wait until the condition is true. The value has ``waited_ms`` and, depending on the kind, the
    ``frame_id`` that shows the text, the ``ref`` of the element, the ``download``, or the script's
    ``frame_id`` and ``value``. For ``any_of``, it also has the ``index`` of the condition that
    became true first, and the ``condition``.

    Raises:
        InvalidArgument: the time exceeds the budget, or the CSS selector is invalid.
        JsError: the script threw.
        BudgetExceeded: the condition did not become true in time.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    with call.race.doing(f"waiting for {condition.words}"):
        done = await _wait_and_explain(call, condition)
    return Done({"waited_ms": round((loop.time() - began) * 1000), **done.value}, done.note)


async def _wait_and_explain(call: Call, condition: Condition) -> Done:
    """Wait. Some time before the deadline, check whether the text or element exists but is
    hidden."""
    waits = (_first if condition.kind == "any_of" else _wait_for_one)(call, condition)
    if condition.kind not in ("text", "selector") or condition.state is not None:
        return await waits
    waiting = asyncio.create_task(waits)
    try:
        await asyncio.wait({waiting}, timeout=call.race.budget.remaining_s() * _LOOK_SHARE)
        if not waiting.done():
            await _explain_hidden(call, condition)
        return await waiting
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def _explain_hidden(call: Call, condition: Condition) -> None:
    """Add to the error that the text or element exists but is hidden, or that a document is not a
    page (but a PDF, for example)."""
    by = "css" if condition.kind == "selector" else "text"
    with suppress(TabwardenError, Interrupted):  # the wait itself raises the error
        findings = await find.look_for(
            call, find.query_of(**{by: _CSS.sub("", condition.what, 1)}), most=1
        )
        if findings.elements and not findings.visible:
            (one,) = findings.elements
            description = f"{one['ref']} ({one['role'] or one['tag']} {one['name'][:60]!r})"
            call.race.budget.doing += f", which is in the page but hidden: {description}"
        elif findings.document:
            call.race.budget.doing += f"; {findings.document}"


async def _first(call: Call, condition: Condition) -> Done:
    """Wait for several conditions at once. Return the first one that becomes true."""
    numbered = list(enumerate(condition.what))
    # A wait for a download marks the download as returned. So if several waits end at once, return
    # the wait for a download first.
    numbered.sort(key=lambda one: one[1].kind != "download")
    waits = [asyncio.create_task(_wait_for_member(call, *one)) for one in numbered]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        over = [wait for wait in waits if wait.done()]
        return next((one for one in over if one.exception() is None), over[0]).result()
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


async def _wait_for_member(call: Call, index: int, one: Condition) -> Done:
    try:
        done = await _wait_for_one(call, one)
    except InvalidArgument as error:
        error.data["field"] = f"any_of[{index}].{error.data.get('field', one.kind)}"
        raise
    more = {name: what for name, what in one._asdict().items() if what is not None}
    more = {one.kind: more.pop("what"), **more}
    del more["kind"]
    return Done({"index": index, "condition": more, **done.value}, done.note)


async def _wait_for_one(call: Call, condition: Condition) -> Done:
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
            what = what[prefix.end() :] if (prefix := _CSS.match(what)) else what
            await check_selector(call, what)
            if condition.state in _SHOWN:
                await gone(call, _SHOWN[condition.state], what)
            else:
                value = {"ref": _ref(call.task, call.tab, await shown(call, "selector", what))}
    return Done(value, note)


def check_time(condition: Condition, budget: Budget) -> None:
    """Raise ``InvalidArgument`` if the time to wait exceeds the call's budget."""
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


def _ref(task: Task, tab: Tab, match: Found) -> str:
    return task.refs.assign(
        match.world_id,
        match.element["id"],
        role=match.element["role"] or "generic",
        name=match.element["name"],
        tab_id=tab.tab_id,
        frame_id=match.frame_id,
    )


def _is_at(state: SupervisorState, tab_id: str, wanted: str) -> bool:
    top = state.top_frame(tab_id)
    return top is not None and fits_url(wanted, top.url)


async def _loaded(call: Call, wanted: str) -> None:
    def reached(state: SupervisorState) -> bool:
        top = state.top_frame(call.tab.tab_id)
        return top is not None and not top.navigating and _LIFECYCLE[wanted] in top.lifecycle

    if reached(call.state) or await _is_complete_without_events(call):
        return
    await call.race.until(reached)


async def _is_complete_without_events(call: Call) -> bool:
    """Whether the tab shows a complete document that sent no lifecycle events. Examples are the
    first document of an empty tab and a document from the back-forward cache."""
    top = call.state.top_frame(call.tab.tab_id)
    if top is None or top.navigating or "init" in top.lifecycle:
        return False
    response = await call.race.call(
        runtime.Evaluate(expression="document.readyState", silent=True), call.tab.session_id
    )
    return bool(response.result.value == "complete")


@card(
    "wait",
    about="Wait for exactly one condition. Other actions wait for their own effects.",
    permission="read",
    group="core",
    destructive=False,
    idempotent=True,
    gives=Waited,
    watches=True,
)
async def wait(
    call: Call,
    time_s: Annotated[
        float | None, Field(description="For this many seconds, less than timeout_ms.", ge=0)
    ] = None,
    *,
    text: Annotated[str | None, Field(description="Until any frame shows this text.")] = None,
    text_gone: Annotated[str | None, Field(description="Until no frame shows this text.")] = None,
    selector: Annotated[
        str | None, Field(description="Until a visible element matches this selector.")
    ] = None,
    url: Annotated[
        str | None,
        Field(description="Until the URL contains this text, or matches this * pattern."),
    ] = None,
    load_state: Annotated[
        Literal["domcontentloaded", "load", "networkidle"] | None,
        Field(description="Until the page reaches this state."),
    ] = None,
    script: Annotated[
        str | None,
        Field(description="Until this JavaScript is true in the main frame or frame_id."),
    ] = None,
    frame_id: FrameId = None,
    ref: OptionalRef = None,
    state: Annotated[
        Literal["visible", "hidden", "gone", "enabled", "disabled"] | None,
        Field(description="The state of ref or selector (selector: visible, hidden or gone)."),
    ] = None,
    has_text: Annotated[str | None, Field(description="Until ref contains this text.")] = None,
    any_of: Annotated[
        Sequence[Mapping[str, Any]] | None,
        Field(description='Until the first of these conditions: [{"text": "Done"}, ...].'),
    ] = None,
    download: Annotated[
        bool | str,
        Field(description="true: until a download ends. dl-3: until the next download ends."),
    ] = False,
    filename: Annotated[str | None, Field(description="For download: the file's name.")] = None,
) -> Done:
    """Wait for one condition. ``value`` is ``{"waited_ms"}``, plus the ``frame_id`` that shows
    the text, the ``ref`` of the element, the ``download``, in the same format as in ``state``,
    or the script's ``frame_id`` and ``value``.

    Args:
        time_s: wait this many seconds; must be less than the timeout.
        text: wait until a frame shows this text, ignoring case and the amount of white space.
        text_gone: wait until no frame shows this text.
        selector: wait until a frame shows an element that matches this CSS selector.
        url: wait until the tab's URL contains this text. If the text contains ``*`` (a
            wildcard), the whole URL must match it.
        load_state: wait until the page has loaded this far.
        script: wait until this JavaScript is true: an expression, a function, or statements
            with ``return``. Promises are awaited, and an error ends the wait. The page checks
            whenever it draws; if the page navigates, the wait continues in the new document.
        frame_id: with ``script``: the frame to run in; by default the main frame.
        ref: wait for this element: until it is visible, or has ``state`` and ``has_text``.
        state: with ``ref``; ``gone`` means no longer in the page, and a hidden element may be
            gone. Also with ``selector``: until no element matches (``gone``), or none that is
            visible (``hidden``).
        has_text: with ``ref``: until the element contains this text, ignoring case and the
            amount of white space.
        any_of: wait for the first of several conditions, each a mapping of the parameters
            above, such as ``[{"text": "Done"}, {"ref": "e3", "state": "enabled"}]``. ``value``
            then also has the ``index`` of the condition that became true, and the
            ``condition``.
        download: wait until a download that a page started has ended, successfully or not
            (``status``). True means the first download that no ``wait`` has returned yet; it
            may have started or ended before this call. A name (``dl-3``) means the first
            download after ``dl-3``.
        filename: with ``download``: a plain name for the file.

    Raises:
        InvalidArgument: the caller passed no condition, several, or an invalid one.
        JsError: ``script`` threw.
        StaleRef: the element of ``ref`` is gone, so it can't reach this state.
        Disabled: the call has ``script``, but the configuration disables scripts
            (``evaluate_enabled``).
        BudgetExceeded: the condition was not met in time.
    """
    condition = condition_of(
        time_s=time_s,
        text=text,
        text_gone=text_gone,
        selector=selector,
        url=url,
        load_state=load_state,
        script=script,
        frame_id=frame_id,
        ref=ref,
        state=state,
        has_text=has_text,
        any_of=any_of,
        download=download or None,
        filename=filename,
    )
    if condition.runs_script and not call.task.config.evaluate_enabled:
        raise Disabled(
            "The configuration disables scripts.",
            "Wait for text or a selector.",
            field="script",
        )
    return await wait_for(call, condition)

"""Run an action: prepare its tab, perform it, and return in time even if the page hangs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import (
    BudgetExceeded,
    Cancelled,
    DialogPending,
    JsError,
    TabwardenError,
    TargetCrashed,
)
from tabwarden.hints import MORE_TIME, Hint, Next, joined
from tabwarden.page.call.after import (
    Focus,
    PageState,
    navigation_since,
    page_state_of,
    store_title,
    wait_for_addresses,
)
from tabwarden.page.call.conditions import can_begin
from tabwarden.page.call.effects import Effects
from tabwarden.page.call.new_document import as_done, describe_new_document
from tabwarden.page.call.open_tab import open_if_none
from tabwarden.page.call.ready import bring_back, wait_until_ready
from tabwarden.page.call.settle import settle
from tabwarden.page.call.timing import ANSWER_MS, STORM_S
from tabwarden.page.recovery import (
    RESCUE_S,
    CallStart,
    begin_crash_reload,
    begin_rescue,
    call_start,
    watch_for_relapse,
)
from tabwarden.page.task import (
    ActionResult,
    ActionSpec,
    Call,
    Done,
    Rescue,
    Task,
    answers,
    blocking_dialogs,
    delay_hint,
    dialog_json,
    password_prompt,
)
from tabwarden.page.text import quoted
from tabwarden.supervisor.core.prompts import kind_of
from tabwarden.supervisor.core.state.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.core.state.inputs import AgentActed, LookAtTabs
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Interrupted, NavigatedAway, Race
from tabwarden.telemetry import Acting
from tabwarden.telemetry.redaction import without_login

Body = Callable[[Call], Awaitable[Any]]
_RESCUE_SHARE = 0.15
_STORM_DIALOGS = 4


def answer_hint(state: SupervisorState, dialog: PendingDialog) -> str:
    """Return a hint on how to answer a dialog, or on how to leave a page that keeps opening
    dialogs."""
    earlier = [
        d
        for d in state.recent_dialogs
        if d.tab_id == dialog.tab_id and d.opened_at > dialog.opened_at - STORM_S
    ]
    answer = Hint("To continue, ", answers(dialog.id, dialog.type), ".")
    if state.policy.others_answer:
        return Hint("Another program answers this page's dialogs. ", answer)
    if len(earlier) < _STORM_DIALOGS:
        return answer
    return Hint(
        answer,
        f" This page opens one dialog after another ({len(earlier) + 1} in {STORM_S:.0f} s). To "
        "get rid of the page, close its tab",
        Next("tabs", mode="close", tab_id=dialog.tab_id),
        ".",
    )


async def perform(
    task: Task, spec: ActionSpec, budget: Budget, body: Body, *, tab_id: str | None = None
) -> ActionResult:
    """Run an action on a tab. Return early if a dialog, a crash or the deadline interrupts it.

    Args:
        task: the task that owns the browser.
        spec: the kind of action.
        budget: the time limit.
        body: ``await body(call)`` performs the action and returns the result's value.
        tab_id: the tab; None for the active one.

    Raises:
        TabwardenError: the action failed. After a timeout or a cancellation, the page's script has
            been stopped or is being stopped.
    """
    budget.check()
    with task.supervisor.telemetry.acting(spec.name) as acting:
        if spec.touches and task.control.is_closed_to_caller():
            await task.control.given_back(budget)
        prepared = can_begin(task, tab_id)
        if not prepared:
            await task.connected(budget)
            if spec.opens and tab_id is None:
                await open_if_none(task, budget)
        tab = task.tab(tab_id)
        acting.tab_id = tab.tab_id
        _take_part(task, spec, tab)
        if not prepared:
            _refuse_if_blocked(task.state, tab.tab_id, spec)
            task.unhighlight()
        before = page_state_of(task.state, tab.tab_id)
        notes: list[str] = []

        async def run() -> tuple[Any, dict[str, Any] | None]:
            inner = budget_before_rescue(budget)
            if not prepared:
                notes.extend(filter(None, [await bring_back(task, inner, tab.tab_id)]))
                _refuse_if_blocked(task.state, tab.tab_id, spec)  # by a dialog that has just opened
                notes.extend(filter(None, [task.hangs.take_note(tab.tab_id)]))
            # If the policy answers dialogs, an action that leaves the page need not wait for them.
            through = spec.looks or (spec.revives and task.state.policy.answers_dialogs)
            with Race(task.supervisor, inner, tab.tab_id, through_dialogs=through) as race:
                race.notes = notes
                race.outlives_replacement = spec.revives  # nothing done yet on the old target
                ready_tab = tab
                if not prepared:
                    ready_tab = await wait_until_ready(task, race, tab.tab_id, revives=spec.revives)
                race.outlives_replacement = False
                return await _run_body(Call(task, race, ready_tab, spec), body, before)

        start = call_start(task, tab.tab_id, own_script=spec.name == "evaluate")
        done = await finish_action(task, acting, tab.tab_id, budget, run(), start, before, notes)
        if not spec.uses_input or (watch := task.memory_of(tab.tab_id).last_input) is None:
            return done
        effect = watch.line(task.state, tells_value=done.value is not None)
        return msgspec.structs.replace(done, effect=task.control.hide(effect))


def _take_part(task: Task, spec: ActionSpec, tab: Tab) -> None:
    """Tell the supervisor when the agent first acts on a tab that someone else opened."""
    if spec.acts and tab.agents_part == "none":
        task.supervisor.feed(AgentActed(tab.tab_id))


async def _run_body(call: Call, body: Body, before: PageState) -> tuple[Any, dict[str, Any] | None]:
    """Run the body. Return its outcome and the element that has the focus afterwards."""
    with Effects(call) as effects:
        return await _run_and_observe(call, body, before, effects)


async def _run_and_observe(
    call: Call, body: Body, before: PageState, effects: Effects
) -> tuple[Any, dict[str, Any] | None]:
    task, race, tab, spec = call
    if not spec.refreshes:  # no event reports a title set by a script after the last result
        task.supervisor.feed(LookAtTabs())
    await effects.begin()
    async with watch_for_relapse(task, tab.tab_id, race.notes, navigates=spec.revives):
        outcome = await body(call)
    if navigation_since(task, tab.tab_id, before) == "new_document":
        outcome = await describe_new_document(call, outcome)
    effects.ask(outcome)
    page = effects.page_seen(outcome)
    focus = Focus(task, race, tab.tab_id, page) if spec.uses_input else None
    if spec.refreshes and not store_title(task, tab.tab_id, page):
        await task.refresh(race, tab.tab_id)
    if focus is None:
        await effects.hear()
        return outcome, None
    done = as_done(outcome)
    if not done.note and effects.are_under_way():
        # The browser process reported a navigation or request only after the page had replied.
        outcome = Done(done.value, await settle(call), http_status=done.http_status)
        await task.refresh(race, tab.tab_id)
    await wait_for_addresses(task, race, before)
    focused = await focus.find()
    await effects.hear()
    return outcome, focused


async def finish_action(
    task: Task,
    acting: Acting,
    tab_id: str,
    budget: Budget,
    work: Coroutine[Any, Any, tuple[Any, dict[str, Any] | None]],
    start: CallStart,
    before: PageState,
    notes: list[str],
) -> ActionResult:
    """Finish an action and make its result.

    Args:
        task, acting, tab_id, budget: the action.
        work: performs the action; returns its outcome and the focused element.
        start: describes the call to a rescue.
        before: the tab's state when the action began.
        notes: notes for the result; ``work`` may add more.
    """
    try:
        outcome, focus = await run_or_rescue(task, tab_id, budget, work, start)
    except Interrupted as interruption:
        acting.outcome = "interrupted"
        await _answered_by_policy(task, budget, interruption.by)
        cut_short = interrupted_result(task, acting.action, tab_id, interruption.by)
        return msgspec.structs.replace(cut_short, note=joined(*notes), value=interruption.value)
    done = outcome_of(task, acting.action, tab_id, outcome, before, focus)
    if acting.action == "evaluate":
        task.late_titles.soon()
    if not notes:
        return done
    return msgspec.structs.replace(done, note=joined(*notes, done.note))


async def _answered_by_policy(
    task: Task, budget: Budget, cause: PendingDialog | Prompt | NavigatedAway
) -> None:
    """If the dialog policy has answered the dialog that interrupted a call, wait until the dialog
    is closed, so that the result and the state say so."""
    if not isinstance(cause, PendingDialog):
        return
    dialog_id = cause.id

    def is_being_answered(state: SupervisorState) -> bool:
        return any(d.id == dialog_id and d.answer is not None for d in state.pending_dialogs)

    if is_being_answered(task.state):
        with suppress(TabwardenError), Race(task.supervisor, budget) as race:
            at_most_ms = min(ANSWER_MS, budget.remaining_ms() * 0.5)
            await race.until(lambda state: not is_being_answered(state), at_most_ms=at_most_ms)


async def perform_without_page(
    task: Task, spec: ActionSpec, budget: Budget, body: Body, *, tab_id: str | None = None
) -> ActionResult:
    """Run an action that works even if a dialog is open or the page's script hangs."""
    tab_id, value = await value_without_page(task, spec, budget, body, tab_id=tab_id)
    return outcome_of(task, spec.name, tab_id, value)


async def value_without_page(
    task: Task, spec: ActionSpec, budget: Budget, body: Body, *, tab_id: str | None = None
) -> tuple[str, Any]:
    """Like ``perform_without_page``, but return only the tab and the plain value."""
    budget.check()
    with task.supervisor.telemetry.acting(spec.name) as acting:
        await task.connected(budget)
        if spec.touches:
            await task.control.given_back(budget)
        tab = task.tab(tab_id)
        acting.tab_id = tab.tab_id
        _take_part(task, spec, tab)

        async def run() -> Any:
            inner = budget_before_rescue(budget)
            with Race(task.supervisor, inner, tab.tab_id, through_dialogs=True) as race:
                return await body(Call(task, race, tab, spec))

        return tab.tab_id, await run_or_rescue(task, tab.tab_id, budget, run())


async def run_or_rescue(
    task: Task,
    tab_id: str,
    budget: Budget,
    work: Coroutine[Any, Any, Any],
    start: CallStart | None = None,
) -> Any:
    """Await the coroutine that performs an action. If it times out, is canceled or fails, rescue
    its tab if needed.

    Args:
        task, tab_id, budget, work: the action and its coroutine.
        start: describes the call to a rescue; by default, a call that began now.
    """
    start = start or call_start(task, tab_id)
    try:
        async with budget.enforced():
            return await work
    except (BudgetExceeded, Cancelled) as error:
        if task.state.health.status == "gone":
            error.data.update({"steps": [], "state": f"gone: {task.state.health.reason}"})
        else:
            rescue = begin_rescue(task, tab_id, start)
            await _wait_for_rescue(task, tab_id, budget, error, rescue)
        raise
    except JsError as error:
        error.message = task.control.hide(error.message)
        error.data = task.control.hide(error.data)
        raise
    except TargetCrashed as error:
        _reload_and_report(task, tab_id, error)
        raise
    except asyncio.CancelledError:
        if task.state.health.status == "live":
            begin_rescue(task, tab_id, start).unseen = True
        raise


async def _wait_for_rescue(
    task: Task, tab_id: str, budget: Budget, error: TabwardenError, rescue: Rescue
) -> None:
    delayed = delay_hint(task.state, tab_id)
    # A canceled call has time left, but its caller no longer waits for the result.
    ends_at = budget.deadline if isinstance(error, BudgetExceeded) else time.monotonic()
    await rescue.waited(ends_at)
    error.data.update(rescue.report())
    blocking = blocking_dialogs(task.state, tab_id)
    if blocking:
        error.data["dialog"] = dialog_json(blocking[0])
        error.message = f"{error.message} {_describe_dialog(blocking[0])}"
        error.hint = answer_hint(task.state, blocking[0])
    else:
        hint = rescue.hint
        if rescue.state == "idle" and isinstance(error, BudgetExceeded):
            hint = Hint(hint.rstrip("."), ", or ", MORE_TIME, ".")
        error.hint = joined(error.hint, delayed, hint)


def _reload_and_report(task: Task, tab_id: str, error: TabwardenError) -> None:
    tab = task.state.tabs.get(tab_id)
    if tab is not None and tab.status == "crashed":
        rescue = begin_crash_reload(task, tab_id)
        error.data.update(rescue.report(), lost=rescue.lost)
        error.hint = rescue.hint


def budget_before_rescue(budget: Budget) -> Budget:
    """Return the part of a budget that an action may use. The rest is reserved for a rescue."""
    return budget.child(headroom_ms=min(RESCUE_S * 1000, budget.timeout_ms * _RESCUE_SHARE))


def outcome_of(
    task: Task,
    action: str,
    tab_id: str,
    value: Any,
    before: PageState | None = None,
    focus: dict[str, Any] | None = None,
) -> ActionResult:
    """Return an action's result. ``value`` is what its body returned: a ``Done`` or a plain
    value."""
    tab = task.state.tabs.get(tab_id)
    done = as_done(value)
    result = ActionResult(
        action=action,
        value=done.value,
        note=done.note,
        http_status=done.http_status,
        tab_id=tab_id if tab else None,
        url=without_login(tab.url) if tab else "",
        title=tab.title if tab else "",
        navigation=navigation_since(task, tab_id, before) if before is not None else "",
        focus=focus,
        new_since_last=task.news(),
    )
    return task.control.hide(result)


def _refuse_if_blocked(state: SupervisorState, tab_id: str, spec: ActionSpec) -> None:
    """Raise ``DialogPending`` at once if a dialog or a password prompt blocks the page, because a
    blocked page cannot reply."""
    if spec.looks:
        return
    for dialog in blocking_dialogs(state, tab_id, reads=spec.reads):
        raise DialogPending(
            _describe_dialog(dialog), answer_hint(state, dialog), dialog=dialog_json(dialog)
        )
    prompt = password_prompt(state, tab_id)
    if prompt is not None and not spec.revives:
        kind = kind_of(prompt)
        auth = kind.json(prompt)
        raise DialogPending(f"{kind.words(auth, quoted)}.", kind.hint, auth=auth)


def _describe_dialog(dialog: PendingDialog) -> str:
    return (
        f"Dialog {dialog.id} ({dialog.type}) is waiting in tab {dialog.tab_id} and blocks the "
        f"page: {dialog.message[:200]!r}."
    )


def interrupted_result(
    task: Task, action: str, tab_id: str, cause: PendingDialog | Prompt | NavigatedAway
) -> ActionResult:
    closed = _closed(task.state, cause)
    if closed is not None:
        task.seen.answered(closed.id)
    elif not isinstance(cause, NavigatedAway):
        task.seen.told(cause.id)
    tab = task.state.tabs.get(tab_id)
    description, hint = _describe_cause(task.state, closed or cause)
    return ActionResult(
        action=action,
        status="interrupted",
        tab_id=tab_id,
        url=without_login(tab.url) if tab else "",
        title=tab.title if tab else "",
        by=description,
        next=hint,
        new_since_last=task.news(),
    )


def _closed(
    state: SupervisorState, cause: PendingDialog | Prompt | NavigatedAway
) -> ClosedDialog | None:
    if not isinstance(cause, PendingDialog):
        return None
    return next((one for one in state.recent_dialogs if one.id == cause.id), None)


def _describe_cause(
    state: SupervisorState, cause: PendingDialog | ClosedDialog | Prompt | NavigatedAway
) -> tuple[dict[str, Any], str]:
    """Return the cause of an interruption, and a hint for the agent."""
    match cause:
        case Prompt():
            kind = kind_of(cause)
            return {"kind": kind.action, kind.action: kind.json(cause)}, kind.hint
        case NavigatedAway():
            return {"kind": "navigation", "frame_id": cause.frame_id, "url": cause.url}, (
                "The page navigated before the script finished, so there is no value. The "
                "script's side effects remain. Take a snapshot and continue."
            )
        case ClosedDialog(accepted=None):
            return {"kind": "dialog", "dialog": dialog_json(cause)}, "The dialog closed. Continue."
        case ClosedDialog(accepted=accepted):
            verb = "accepted" if accepted else "dismissed"
            who = "The dialog policy" if cause.closed_by == "auto_policy" else "Someone else"
            next_step = f"{who} {verb} this dialog. Continue."
            return {"kind": "dialog", "dialog": dialog_json(cause)}, next_step
    waits = any(d.id == cause.id and d.answer is None for d in state.pending_dialogs)
    answered = "The dialog policy answers this dialog. Continue."
    hint = answer_hint(state, cause) if waits else answered
    return {"kind": "dialog", "dialog": dialog_json(cause)}, hint

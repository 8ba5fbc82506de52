"""How every action runs: ready tab, race, and an answer in time whatever the page does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import (
    BudgetExceeded,
    Cancelled,
    DialogPending,
    TabwardenError,
    TargetCrashed,
)
from tabwarden.page.after import Before, Focus, addressed, entitled, navigation_since, place_of
from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.open_tab import open_if_none
from tabwarden.page.ready import brought_back, ready, usable
from tabwarden.page.rescue import (
    RESCUE_MS,
    Call,
    Rescue,
    begin_rescue,
    begin_revival,
    call_on,
    relapse_watched,
)
from tabwarden.page.result import ActionResult, Done, auth_json, dialog_json
from tabwarden.page.settle import is_on_its_way, settle
from tabwarden.page.task import Task
from tabwarden.supervisor import (
    AuthChallenge,
    Interrupted,
    NavigatedAway,
    PendingDialog,
    Race,
    SupervisorState,
    Tab,
)
from tabwarden.telemetry import Acting

__all__ = [
    "AUTH_HINT",
    "Body",
    "answer_hint",
    "but_rescue",
    "interrupted",
    "or_rescued",
    "outcome_of",
    "perform",
    "perform_without_page",
    "to_its_end",
    "value_without_page",
]

Body = Callable[[Race, Tab], Awaitable[Any]]

ANSWER_HINT = (
    "Answer it: browser_dialog(action='accept' or 'dismiss', prompt_text=... for a prompt); "
    "then go on."
)
AUTH_HINT = (
    "Answer it: browser_auth(username=..., password=...), or browser_auth(cancel=true) to see what "
    "the server shows without."
)
_RESCUE_SHARE = 0.15
_STORM = 4
_STORM_S = 10.0
"""So many dialogs of one tab in so many seconds: no answer will end that."""


def answer_hint(state: SupervisorState, dialog: PendingDialog) -> str:
    """What to do about a dialog; for a page that opens them without end, how to leave it."""
    earlier = [
        d
        for d in state.recent_dialogs
        if d.tab_id == dialog.tab_id and d.opened_at > dialog.opened_at - _STORM_S
    ]
    if len(earlier) < _STORM:
        return ANSWER_HINT
    return (
        f"{ANSWER_HINT} This page opens one dialog after the other ({len(earlier) + 1} in "
        f"{_STORM_S:.0f} s): browser_tabs(mode='close', tab_id='{dialog.tab_id}') leaves it "
        "whatever it does."
    )


async def perform(
    task: Task,
    action: str,
    budget: Budget,
    body: Body,
    *,
    tab_id: str | None = None,
    revives: bool = False,
    refresh: bool = True,
    reads: bool = False,
    looks: bool = False,
    hands: bool = False,
    opens: bool = False,
) -> ActionResult:
    """Run one action on one tab under one race.

    Args:
        task: whose browser.
        action: the name that the result carries.
        budget: when to give up.
        body: ``await body(race, tab)`` does the work; its value becomes the result's.
        tab_id: which tab; None: the active one.
        revives: the action may run on a crashed tab (navigation).
        refresh: ask for the tab's title after it (one more trip, to the browser process).
        reads: the action only reads, so a page that waits in the debugger can serve it.
        looks: the action asks nothing of the page's own thread, so nothing there is in its way.
        hands: the action is one of mouse or keyboard, so the result says what has the focus then.
        opens: where no tab is open, and none is named, the action is done in a new one.

    Raises:
        TabwardenError: as DESIGN section 7 says. On a deadline or a cancel the page's script has
            been stopped, or is being, before this raises.
    """
    budget.check()
    with task.supervisor.telemetry.acting(action) as acting:
        await task.connected(budget)
        if opens and tab_id is None:
            await open_if_none(task, budget)
        tab = task.tab(tab_id)
        acting.tab_id = tab.tab_id
        if not looks:
            refuse_behind_dialog(task.state, tab.tab_id, reads=reads)
        task.unhighlight()
        before = place_of(task.state, tab.tab_id)

        notes: list[str] = []

        async def run() -> tuple[Any, dict[str, Any] | None]:
            inner = but_rescue(budget)
            if task.rescues or task.hung_documents or not usable(task.state, tab.tab_id):
                notes.extend(filter(None, [await brought_back(task, inner, tab.tab_id)]))
                if not looks:  # the page that came back may have asked by now
                    refuse_behind_dialog(task.state, tab.tab_id, reads=reads)
            notes.extend(filter(None, [task.recovered.pop(tab.tab_id, "")]))
            # Whoever leaves a page need not wait for what the policy answers there.
            through = looks or (revives and task.state.policy.answers_dialogs)
            with Race(task.supervisor, inner, tab.tab_id, through_dialogs=through) as race:
                race.notes = notes
                race.outlives_replacement = revives  # nothing was begun on the last target
                there = await ready(task, race, tab.tab_id, revives=revives)
                race.outlives_replacement = False
                async with relapse_watched(task, tab.tab_id, notes, navigates=revives):
                    outcome = await body(race, there)
                seen = outcome.seen if isinstance(outcome, Done) else None
                focus = Focus(task, race, tab.tab_id, seen) if hands else None
                if refresh and not entitled(task, tab.tab_id, seen):
                    await task.refresh(race, tab.tab_id)
                if hands and not _note(outcome) and is_on_its_way(task.state, tab.tab_id):
                    # The browser process has told of it after the page had answered.
                    outcome = Done(_value(outcome), await settle(task, race, there))
                    await task.refresh(race, tab.tab_id)
                if hands:
                    await addressed(task, race, before)
                return outcome, await focus.told() if focus is not None else None

        call = call_on(task, tab.tab_id, own_script=action == "evaluate")
        return await to_its_end(task, acting, tab.tab_id, budget, run(), call, before, notes)


async def to_its_end(
    task: Task,
    acting: Acting,
    tab_id: str,
    budget: Budget,
    work: Coroutine[Any, Any, tuple[Any, dict[str, Any] | None]],
    call: Call,
    before: Before,
    notes: list[str],
) -> ActionResult:
    """The result of an action's work, which gives its outcome and what has the focus then.

    Args:
        task, acting, tab_id, budget, work: the action.
        call: when it began, for a rescue.
        before: where its tab stood then.
        notes: what the work wants to be said of it.
    """
    try:
        outcome, focus = await or_rescued(task, tab_id, budget, work, call)
    except Interrupted as by:
        acting.outcome = "interrupted"
        cut_short = interrupted(task, acting.action, tab_id, by.by)
        return msgspec.structs.replace(cut_short, note=" ".join(notes))
    done = outcome_of(task, acting.action, tab_id, outcome, before, focus)
    if acting.action == "evaluate":
        task.late_titles.soon()
    if not notes:
        return done
    return msgspec.structs.replace(done, note=" ".join(filter(None, [*notes, done.note])))


async def perform_without_page(
    task: Task,
    action: str,
    budget: Budget,
    body: Body,
    *,
    tab_id: str | None = None,
) -> ActionResult:
    """Run what may be answered while a dialog waits or the page's script hangs.

    Raises:
        TabwardenError: as the body says; ``BudgetExceeded`` when even that is not answered.
    """
    tab_id, value = await value_without_page(task, action, budget, body, tab_id=tab_id)
    return outcome_of(task, action, tab_id, value)


async def value_without_page(
    task: Task,
    action: str,
    budget: Budget,
    body: Body,
    *,
    tab_id: str | None = None,
) -> tuple[str, Any]:
    """The same; the tab and the bare value, for what has no place for news."""
    budget.check()
    with task.supervisor.telemetry.acting(action) as acting:
        await task.connected(budget)
        tab = task.tab(tab_id)
        acting.tab_id = tab.tab_id

        async def run() -> Any:
            inner = but_rescue(budget)
            with Race(task.supervisor, inner, tab.tab_id, through_dialogs=True) as race:
                return await body(race, tab)

        return tab.tab_id, await or_rescued(task, tab.tab_id, budget, run())


async def or_rescued(
    task: Task,
    tab_id: str,
    budget: Budget,
    work: Coroutine[Any, Any, Any],
    call: Call | None = None,
) -> Any:
    """Await an action's work; whatever cuts it short, its tab is brought back.

    Args:
        task, tab_id, budget, work: the action.
        call: when it began; left out: now.
    """
    call = call or call_on(task, tab_id)
    try:
        async with budget.enforced():
            return await work
    except (BudgetExceeded, Cancelled) as error:
        if task.state.health.status == "gone":
            error.data.update({"steps": [], "state": f"gone: {task.state.health.reason}"})
        else:
            rescue = begin_rescue(task, tab_id, call)
            await _rescued(task, tab_id, budget, error, rescue)
        raise
    except TargetCrashed as error:
        _revived(task, tab_id, error)
        raise
    except asyncio.CancelledError:
        if task.state.health.status == "live":
            begin_rescue(task, tab_id, call).unseen = True
        raise


async def _rescued(
    task: Task, tab_id: str, budget: Budget, error: TabwardenError, rescue: Rescue
) -> None:
    """Wait for the rescue, and put into the error how it went."""
    # A cancelled call has time left; it is not for waiting.
    over_by = budget.deadline if isinstance(error, BudgetExceeded) else time.monotonic()
    await rescue.waited(over_by)
    error.data.update(rescue.report())
    blocking = blocking_dialogs(task.state, tab_id)
    if blocking:
        error.data["dialog"] = dialog_json(blocking[0])
        error.message = f"{error.message} {_waiting(blocking[0])}"
        error.hint = answer_hint(task.state, blocking[0])
    else:
        hint = rescue.hint
        if rescue.state == "idle" and isinstance(error, BudgetExceeded):
            hint = f"{hint.rstrip('.')}, or allow more time (timeout_ms)."
        error.hint = f"{error.hint} {hint}".strip()


def _revived(task: Task, tab_id: str, error: TabwardenError) -> None:
    """Now that the crash is told, the tab comes back by itself."""
    tab = task.state.tabs.get(tab_id)
    if tab is not None and tab.status == "crashed":
        rescue = begin_revival(task, tab_id)
        error.data.update(rescue.report(), lost=rescue.lost)
        error.hint = rescue.hint


def but_rescue(budget: Budget) -> Budget:
    """The part of a budget for the work itself: the end of it is for freeing the page."""
    return budget.child(headroom_ms=min(RESCUE_MS, budget.timeout_ms * _RESCUE_SHARE))


def _note(outcome: Any) -> str:
    return outcome.note if isinstance(outcome, Done) else ""


def _value(outcome: Any) -> Any:
    return outcome.value if isinstance(outcome, Done) else outcome


def outcome_of(
    task: Task,
    action: str,
    tab_id: str,
    value: Any,
    before: Before | None = None,
    focus: dict[str, Any] | None = None,
) -> ActionResult:
    """The result of an action that went through."""
    tab = task.state.tabs.get(tab_id)
    return ActionResult(
        action=action,
        value=_value(value),
        note=_note(value),
        tab_id=tab_id if tab else None,
        url=tab.url if tab else "",
        title=tab.title if tab else "",
        navigation=navigation_since(task, tab_id, before) if before is not None else "",
        focus=focus,
        new_since_last=task.news(),
    )


def refuse_behind_dialog(state: SupervisorState, tab_id: str, *, reads: bool = False) -> None:
    """Fail at once what the page could not serve anyway.

    Raises:
        DialogPending: naming the dialog.
    """
    blocking = blocking_dialogs(state, tab_id, reads=reads)
    if not blocking:
        return
    dialog = blocking[0]
    raise DialogPending(
        _waiting(dialog),
        answer_hint(state, dialog),
        dialog=dialog_json(dialog),
    )


def _waiting(dialog: PendingDialog) -> str:
    return (
        f"Dialog {dialog.id} ({dialog.type}) waits in tab {dialog.tab_id} and blocks the page: "
        f"{dialog.message[:200]!r}."
    )


def interrupted(
    task: Task, action: str, tab_id: str, by: PendingDialog | AuthChallenge | NavigatedAway
) -> ActionResult:
    """The result of an action that something came between."""
    if not isinstance(by, NavigatedAway):
        task.seen.told(by.id)
    tab = task.state.tabs.get(tab_id)
    return ActionResult(
        action=action,
        status="interrupted",
        tab_id=tab_id,
        url=tab.url if tab else "",
        title=tab.title if tab else "",
        by=_by_json(by),
        next=_way_on(task.state, by),
        new_since_last=task.news(),
    )


def _by_json(by: PendingDialog | AuthChallenge | NavigatedAway) -> dict[str, Any]:
    match by:
        case PendingDialog():
            return {"kind": "dialog", "dialog": dialog_json(by)}
        case AuthChallenge():
            return {"kind": "auth", "auth": auth_json(by)}
        case NavigatedAway():
            return {"kind": "navigation", "frame_id": by.frame_id, "url": by.url}


def _way_on(state: SupervisorState, by: PendingDialog | AuthChallenge | NavigatedAway) -> str:
    if isinstance(by, AuthChallenge):
        return AUTH_HINT
    if isinstance(by, NavigatedAway):
        return (
            "The document that it ran in was left before it ended, so its value is lost; what it "
            "had done by then is done. Take a snapshot and go on."
        )
    if any(d.id == by.id and d.answer is None for d in state.pending_dialogs):
        return answer_hint(state, by)
    return "The dialog policy answers it; go on."

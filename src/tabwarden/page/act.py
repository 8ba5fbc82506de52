"""How every action runs: ready tab, race, and an answer in time whatever the page does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    Cancelled,
    DialogPending,
    TabwardenError,
)
from tabwarden.page.rescue import RESCUE_MS, rescue
from tabwarden.page.result import ActionResult, Done, auth_json, dialog_json
from tabwarden.page.task import Task
from tabwarden.supervisor import (
    AuthChallenge,
    Interrupted,
    PendingDialog,
    Race,
    SupervisorState,
    Tab,
    crashed_error,
)

__all__ = [
    "AUTH_HINT",
    "Body",
    "answer_hint",
    "blocking_dialogs",
    "interrupted",
    "outcome_of",
    "perform",
    "perform_without_page",
    "usable",
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
_ARMING_MS = 50.0
"""The debugger is on within a millisecond or two, unless the page is busy: then a dialog waits in
a request instead."""
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

    Raises:
        TabwardenError: as DESIGN section 7 says. On a deadline or a cancel the page's script has
            been stopped, or is being, before this raises.
    """
    budget.check()
    await task.connected(budget)
    tab = task.tab(tab_id)
    if not looks:
        refuse_behind_dialog(task.state, tab.tab_id, reads=reads)
    with Race(task.supervisor, _but_rescue(budget), tab.tab_id, through_dialogs=looks) as race:
        try:
            tab = await _ready(task, race, tab.tab_id, revives=revives)
            outcome = await body(race, tab)
            if refresh:
                await task.refresh(race, tab.tab_id)
        except Interrupted as by:
            return interrupted(task, action, tab.tab_id, by.by)
        except (BudgetExceeded, Cancelled) as error:
            await _stop_page(task, tab.tab_id, error)
            raise
        except asyncio.CancelledError:
            task.supervisor.spawn(rescue(task, tab.tab_id))
            raise
    return outcome_of(task, action, tab.tab_id, outcome)


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
    budget.check()
    await task.connected(budget)
    tab = task.tab(tab_id)
    with Race(task.supervisor, _but_rescue(budget), tab.tab_id, through_dialogs=True) as race:
        try:
            value = await body(race, tab)
        except (BudgetExceeded, Cancelled) as error:
            await _stop_page(task, tab.tab_id, error)
            raise
        except asyncio.CancelledError:
            task.supervisor.spawn(rescue(task, tab.tab_id))
            raise
    return outcome_of(task, action, tab.tab_id, value)


def _but_rescue(budget: Budget) -> Budget:
    """The part of a budget for the work itself: the end of it is for freeing the page."""
    return budget.child(headroom_ms=min(RESCUE_MS, budget.timeout_ms * 0.1))


def outcome_of(task: Task, action: str, tab_id: str, value: Any) -> ActionResult:
    """The result of an action that went through."""
    tab = task.state.tabs.get(tab_id)
    done = value if isinstance(value, Done) else Done(value)
    return ActionResult(
        action=action,
        value=done.value,
        note=done.note,
        tab_id=tab_id if tab else None,
        url=tab.url if tab else "",
        title=tab.title if tab else "",
        new_since_last=task.news(),
    )


def blocking_dialogs(
    state: SupervisorState, tab_id: str, *, reads: bool = False
) -> tuple[PendingDialog, ...]:
    """The dialogs that keep a tab's page from answering: its own, and its popups'.

    One that waits in the debugger keeps it from acting, not from being read.
    """
    return tuple(
        dialog
        for dialog in state.pending_dialogs
        if dialog.answer is None
        and not (reads and dialog.channel == "debugger")
        and (
            dialog.tab_id == tab_id
            or ((tab := state.tabs.get(dialog.tab_id)) is not None and tab.opener_tab_id == tab_id)
        )
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
        f"Dialog {dialog.id} ({dialog.type}) waits in tab {dialog.tab_id} and blocks the page: "
        f"{dialog.message[:200]!r}.",
        answer_hint(state, dialog),
        dialog=dialog_json(dialog),
    )


async def _ready(task: Task, race: Race, tab_id: str, *, revives: bool) -> Tab:
    """Wait until the tab is set up, and a rescue of it (after a hang) is over."""
    rescuing = task.rescues.get(tab_id)
    if rescuing is not None:
        await race.finished(rescuing)
    await race.until(lambda state: usable(state, tab_id) and not state.is_asking(tab_id))
    await race.until(lambda state: not state.is_arming(tab_id), at_most_ms=_ARMING_MS)
    tab = task.tab(tab_id)
    if tab.status == "crashed" and not revives:
        raise crashed_error(tab_id, tab.status_reason)
    return tab


def usable(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab is set up, or never will be."""
    tab = state.tabs.get(tab_id)
    return tab is None or tab.status in ("ready", "crashed")


def interrupted(
    task: Task, action: str, tab_id: str, by: PendingDialog | AuthChallenge
) -> ActionResult:
    """The result of an action that something came between."""
    task.seen.told(by.id)
    tab = task.state.tabs.get(tab_id)
    return ActionResult(
        action=action,
        status="interrupted",
        tab_id=tab_id,
        url=tab.url if tab else "",
        title=tab.title if tab else "",
        by=(
            {"kind": "dialog", "dialog": dialog_json(by)}
            if isinstance(by, PendingDialog)
            else {"kind": "auth", "auth": auth_json(by)}
        ),
        next=_way_on(task.state, by) if isinstance(by, PendingDialog) else AUTH_HINT,
        new_since_last=task.news(),
    )


def _way_on(state: SupervisorState, dialog: PendingDialog) -> str:
    if any(d.id == dialog.id and d.answer is None for d in state.pending_dialogs):
        return answer_hint(state, dialog)
    return "The dialog policy answers it; go on."


async def _stop_page(task: Task, tab_id: str, error: TabwardenError) -> None:
    """After a deadline or a cancel: free the page, and put into the error how that went."""
    try:
        report = await rescue(task, tab_id)
    except BrowserGone as gone:
        report = {"steps": [], "state": f"gone: {gone.message}"}
    hint = str(report.pop("hint", "Take a snapshot and go on."))
    error.data.update(report)
    blocking = blocking_dialogs(task.state, tab_id)
    if blocking:
        error.data["dialog"] = dialog_json(blocking[0])
        error.hint = answer_hint(task.state, blocking[0])
    elif not error.hint:
        error.hint = hint

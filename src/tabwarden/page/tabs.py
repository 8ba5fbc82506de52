"""Tabs: list, open, close, switch."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.page.act import but_rescue, interrupted, or_rescued, outcome_of, perform
from tabwarden.page.answered import goto_and_tell
from tabwarden.page.counted import counted
from tabwarden.page.open_tab import open_tab
from tabwarden.page.rescue import sessions_of, silent, stop_scripts
from tabwarden.page.result import ActionResult, tab_json
from tabwarden.page.task import Task
from tabwarden.protocol import page, runtime, target
from tabwarden.supervisor import ActivateTab, ForgetTab, PendingDialog, Race, SupervisorState, Tab

__all__ = ["by_index", "close", "listed", "perform_tabs", "switch"]

_PROBE_MS = 150.0
_HUNG_MS = 20.0
_CLOSE_MS = 1_000.0
"""How long a page may take over its ``beforeunload`` handlers before it is closed all the same."""


@counted("tabs")
async def perform_tabs(
    task: Task,
    budget: Budget,
    mode: str,
    *,
    tab_id: str | None = None,
    tab_index: int | None = None,
    url: str | None = None,
) -> ActionResult:
    """What ``mode`` says, under a budget; the result's value is the list of tabs after it."""
    budget.check()
    await task.connected(budget)
    _check(mode, tab_id, tab_index, url)
    if task.state.health.status == "gone":
        task.tab()
    named = tab_id if tab_index is None else by_index(task, tab_index)
    if mode == "open":
        with Race(task.supervisor, budget) as race:
            named = await open_tab(task, race)
    elif mode == "close":
        closing = task.tab(named).tab_id
        asked = await or_rescued(task, closing, budget, _closed(task, budget, closing))
        if asked is not None:
            return interrupted(task, "tabs", asked.tab_id, asked)
        named = None
    elif mode == "switch":
        with Race(task.supervisor, budget) as race:
            await switch(task, race, task.tab(named).tab_id)
    shown = named or task.state.active_tab_id
    done = None
    if mode == "open" and url is not None and named is not None:
        done = await perform(
            task,
            "goto",
            budget,
            lambda race, tab: goto_and_tell(task, race, tab, url),
            tab_id=named,
            refresh=False,
        )
    with contextlib.suppress(BudgetExceeded), Race(task.supervisor, budget) as race:
        await task.refresh_all(race)  # what was asked for is done
    result = outcome_of(task, "tabs", shown or "", listed(task))
    if done is None:
        return result
    return msgspec.structs.replace(done, action="tabs", value=result.value)


async def _closed(task: Task, budget: Budget, tab_id: str) -> PendingDialog | None:
    with Race(task.supervisor, but_rescue(budget)) as race:
        return await close(task, race, tab_id)


def _check(mode: str, tab_id: str | None, tab_index: int | None, url: str | None) -> None:
    if tab_id is not None and tab_index is not None:
        raise InvalidArgument("Give tab_id or tab_index, not both.", field="tab_index")
    if url is not None and mode != "open":
        raise InvalidArgument(f"url goes with mode 'open', not with {mode!r}.", field="url")
    if mode == "switch" and tab_id is None and tab_index is None:
        raise InvalidArgument("Which tab? Give tab_id or tab_index.", field="tab_id")


def listed(task: Task) -> list[dict[str, Any]]:
    """All tabs, oldest first."""
    state = task.state
    return [tab_json(t, active=t.tab_id == state.active_tab_id) for t in state.tabs.values()]


def by_index(task: Task, tab_index: int) -> str:
    """The id of the tab at a position of the list, counted from 0.

    Raises:
        InvalidArgument: there is none.
    """
    ids = list(task.state.tabs)
    if type(tab_index) is not int or not 0 <= tab_index < len(ids):
        raise InvalidArgument(
            f"tab_index {tab_index!r} is not between 0 and {len(ids) - 1}.",
            "List the tabs first, or use tab_id.",
            field="tab_index",
        )
    return ids[tab_index]


async def close(task: Task, race: Race, tab_id: str) -> PendingDialog | None:
    """Close a tab; the ``beforeunload`` dialog that its page asks first, if it does.

    A page that stands still, or waits for an answer anyway, is closed without being asked.
    """
    tab = task.tab(tab_id)
    if tab.status == "ready" and not task.state.dialogs_of(tab_id) and await _answers(race, tab):
        race.start(page.Close(), tab.session_id)
        asked = await race.until(
            lambda state: tab_id not in state.tabs or bool(_leaving(state, tab_id)),
            at_most_ms=min(_CLOSE_MS, race.budget.remaining_ms() * 0.5),
        )
        if asked:
            return _leaving(task.state, tab_id)
    if not task.state.dialogs_of(tab_id):
        # A handler that does not end would hold the tab for half a second more.
        hung = await silent(task.supervisor, sessions_of(task.state, tab_id)[:1], _HUNG_MS)
        stop_scripts(task.supervisor, hung)
    await race.call(target.CloseTarget(target_id=tab.target_id), None)
    gone = await race.until(
        lambda state: tab_id not in state.tabs, at_most_ms=race.budget.remaining_ms() * 0.5
    )
    if not gone:  # the browser has said that it will be
        task.supervisor.feed(ForgetTab(tab_id))
    return None


async def _answers(race: Race, tab: Tab) -> bool:
    probe = race.start(runtime.Evaluate(expression="0", silent=True), tab.session_id)
    return await race.answered(probe, at_most_ms=min(_PROBE_MS, race.budget.remaining_ms() * 0.3))


def _leaving(state: SupervisorState, tab_id: str) -> PendingDialog | None:
    return next(
        (d for d in state.dialogs_of(tab_id) if d.type == "beforeunload" and d.answer is None),
        None,
    )


async def switch(task: Task, race: Race, tab_id: str) -> None:
    """Make a tab the active one and bring it to the front."""
    tab = task.tab(tab_id)
    task.supervisor.feed(ActivateTab(tab_id))
    await race.call(target.ActivateTarget(target_id=tab.target_id), None)
    task.front_target = None

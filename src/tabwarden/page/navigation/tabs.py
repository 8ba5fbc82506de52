"""List, open, close and switch tabs."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden import results
from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded, InvalidArgument, NotSupported
from tabwarden.hints import Hint, Next
from tabwarden.page.call import (
    budget_before_rescue,
    checked_url,
    instrumented,
    interrupted_result,
    open_tab,
    outcome_of,
    perform,
    run_or_rescue,
)
from tabwarden.page.navigation.navigate import load_url
from tabwarden.page.navigation.timing import CLOSE_MS, CLOSED_MS, CLOSING_PROBE_S, TAB_PROBE_MS
from tabwarden.page.recovery import find_silent, sessions_of, stop_scripts
from tabwarden.page.task import ActionResult, ActionSpec, Task, card, tab_json
from tabwarden.protocol import page, runtime, target
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.inputs import ActivateTab, ForgetTab, SetLeaving
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Race

OPEN_URL = ActionSpec(name="goto")


@card(
    "tabs",
    command="tab",
    about="List, open, close or switch tabs.",
    permission="act",
    group="pages",
    opens_browser=True,
    gives=list[results.Tab],
    shows=False,
    turn="active tab",
    varies={("mode", "list"): {"acts": False}, ("mode", "close"): {"turn": "tab"}},
)
@instrumented("tabs")
async def tabs(
    task: Task,
    budget: Budget,
    mode: Annotated[
        Literal["list", "open", "close", "switch"], Field(description="What to do.")
    ] = "list",
    *,
    tab_index: Annotated[
        int | None, Field(description="The tab's index in the list, starting at 0.", ge=0)
    ] = None,
    url: Annotated[str | None, Field(description="For open: the URL.")] = None,
    tab_id: str | None = None,
) -> ActionResult:
    """List, open, close or switch tabs; ``value`` is the list of tabs afterwards.

    Args:
        mode: list, open, close or switch.
        tab_id: the tab to close or switch to. Close uses the active tab by default.
        tab_index: the tab's position in the list, from 0, instead of ``tab_id``.
        url: the URL to open.

    Raises:
        InvalidArgument: the tab does not exist, or a parameter does not fit the mode.
        NotSupported: the application that embeds the browser opens or closes no tabs.
    """
    if url is not None:
        url = checked_url(url, allow_file_urls=task.config.allow_file_urls)
    budget.check()
    await task.connected(budget)
    check_arguments(mode, tab_id, tab_index, url)
    if task.state.health.status == "gone":
        task.tab()
    if mode != "list":
        await task.control.given_back(budget)
    named = tab_id if tab_index is None else by_index(task.state, tab_index)
    if mode == "open":
        with Race(task.supervisor, budget) as race:
            named = await open_tab(task, race)
    elif mode == "close":
        closing = task.tab(named).tab_id
        dialog = await run_or_rescue(task, closing, budget, _closed(task, budget, closing))
        if dialog is not None:
            return interrupted_result(task, "tabs", dialog.tab_id, dialog)
        named = None
    elif mode == "switch":
        with Race(task.supervisor, budget) as race:
            await switch(task, race, task.tab(named).tab_id)
    result_tab_id = named or task.state.active_tab_id
    done = None
    if mode == "open" and url is not None and named is not None:
        done = await perform(
            task,
            OPEN_URL,
            budget,
            lambda call: load_url(call, url),
            tab_id=named,
        )
    with contextlib.suppress(BudgetExceeded), Race(task.supervisor, budget) as race:
        await task.refresh_all(race)  # this may fail, but the requested change is already made
    result = outcome_of(task, "tabs", result_tab_id or "", listed(task))
    if done is None:
        return result
    return msgspec.structs.replace(done, action="tabs", value=result.value)


async def _closed(task: Task, budget: Budget, tab_id: str) -> PendingDialog | None:
    task.supervisor.feed(SetLeaving(tab_id, on=True))
    try:
        with Race(task.supervisor, budget_before_rescue(budget)) as race:
            return await close(task, race, tab_id)
    finally:
        task.supervisor.feed(SetLeaving(tab_id, on=False))


def check_arguments(mode: str, tab_id: str | None, tab_index: int | None, url: str | None) -> None:
    """Raise ``InvalidArgument`` if an argument does not fit the mode."""
    if tab_id is not None and tab_index is not None:
        raise InvalidArgument("Give tab_id or tab_index, not both.", field="tab_index")
    if url is not None and mode != "open":
        raise InvalidArgument(f"`url` works only with mode 'open', not with {mode!r}.", field="url")
    if mode == "switch" and tab_id is None and tab_index is None:
        raise InvalidArgument("Give tab_id or tab_index to select a tab.", field="tab_id")


def listed(task: Task) -> list[dict[str, Any]]:
    """Return all tabs, oldest first."""
    state = task.state
    return [tab_json(t, active=t.tab_id == state.active_tab_id) for t in state.tabs.values()]


def by_index(state: SupervisorState, tab_index: int) -> str:
    """Return the id of the tab at a position in the list, counted from 0."""
    ids = list(state.tabs)
    if type(tab_index) is not int or not 0 <= tab_index < len(ids):
        raise InvalidArgument(
            f"tab_index {tab_index!r} is not between 0 and {len(ids) - 1}.",
            Hint("Use an index in that range.", (" List the tabs: ", Next("tabs", mode="list"))),
            field="tab_index",
        )
    return ids[tab_index]


async def close(task: Task, race: Race, tab_id: str) -> PendingDialog | None:
    """Close a tab. Return its ``beforeunload`` dialog if the page opens one.

    A page that hangs or already shows a dialog is closed without running its handlers.
    """
    tab = task.tab(tab_id)
    if tab.status == "ready" and not task.state.dialogs_of(tab_id) and await _answers(race, tab):
        race.start(page.Close(), tab.session_id)
        has_changed = await race.until(
            lambda state: tab_id not in state.tabs or bool(_leaving(state, tab_id)),
            at_most_ms=min(CLOSE_MS, race.budget.remaining_ms() * 0.5),
        )
        if has_changed:
            return _leaving(task.state, tab_id)
    if not task.state.dialogs_of(tab_id):
        # Probe first, because a handler that never returns would delay the closing by half a
        # second.
        hung = await find_silent(
            task.supervisor, sessions_of(task.state, tab_id)[:1], CLOSING_PROBE_S
        )
        stop_scripts(task.supervisor, hung)
    await race.call(target.CloseTarget(target_id=tab.target_id), None)
    if await _is_gone(race, tab, CLOSED_MS):
        return None
    # A page that is busy or about to be replaced can't answer. The browser has confirmed that the
    # tab of such a page will close, but an application may also keep the tab.
    if await _answers(race, tab):
        raise NotSupported(
            f"The application did not close tab {tab_id}. It confirmed the request, but the page "
            "is still there: an application decides itself what closes.",
            "Use the application's own controls to close it, or go on without closing it.",
        )
    if not await _is_gone(race, tab, race.budget.remaining_ms() * 0.5):
        task.supervisor.feed(ForgetTab(tab_id))
    return None


async def _is_gone(race: Race, tab: Tab, at_most_ms: float) -> bool:
    return await race.until(
        lambda state: tab.tab_id not in state.tabs,
        at_most_ms=min(at_most_ms, race.budget.remaining_ms() * 0.5),
    )


async def _answers(race: Race, tab: Tab) -> bool:
    probe = race.start(runtime.Evaluate(expression="0", silent=True), tab.session_id)
    return await race.answered(
        probe, at_most_ms=min(TAB_PROBE_MS, race.budget.remaining_ms() * 0.3)
    )


def _leaving(state: SupervisorState, tab_id: str) -> PendingDialog | None:
    return next(
        (d for d in state.dialogs_of(tab_id) if d.type == "beforeunload" and d.answer is None),
        None,
    )


async def switch(task: Task, race: Race, tab_id: str) -> None:
    tab = task.tab(tab_id)
    task.supervisor.feed(ActivateTab(tab_id))
    await race.call(target.ActivateTarget(target_id=tab.target_id), None)
    task.front_target = None

"""Ready: a tab on which an action can begin, brought back first where it hung or crashed."""

from __future__ import annotations

from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone
from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.rescue import OVERDUE_S, Rescue, begin_rescue, is_navigating, make_sure
from tabwarden.page.task import Task
from tabwarden.supervisor import Race, SupervisorState, Tab, crashed_error

__all__ = ["brought_back", "ready", "usable"]

_ARMING_MS = 50.0
"""The debugger is on within a millisecond or two, unless the page is busy: then a dialog waits in
a request instead."""
_SET_UP_MS = OVERDUE_S * 1000 + 500.0
"""So long a tab may take to be set up before it is looked at whether it hangs."""
_COSTLY = ("renewed", "replaced", "quieted")


async def brought_back(task: Task, budget: Budget, tab_id: str) -> str:
    """Wait until a tab that was never set up, has hung or crashed is in order again; what the
    caller should know of that.

    Raises:
        BrowserGone: it could not be brought back, or was closed meanwhile.
    """
    rescue, late, again = task.rescues.get(tab_id), None, None
    if rescue is None:
        rescue = late = await _overdue(task, budget, tab_id)
    if rescue is None and not task.scripts.of(tab_id):
        rescue = again = await make_sure(task, budget, tab_id)
    if rescue is None:
        return ""
    # Not a race of the tab's: it may be replaced meanwhile.
    with (
        Race(task.supervisor, budget) as race,
        race.doing("waiting for the tab to be brought back"),
    ):
        await race.finished(rescue.work)
    if rescue.state == "gone":
        raise BrowserGone(
            f"Tab {tab_id} hung, could not be brought back, and is gone.",
            rescue.hint,
            reason="the tab could not be brought back",
            tab_id=tab_id,
            **rescue.report(),
        )
    if tab_id not in task.state.tabs:
        raise BrowserGone(
            f"Tab {tab_id} was closed while the call waited for it.",
            "List the tabs (browser_tabs) and go on in another one, or open one.",
            reason="the tab was closed",
            tab_id=tab_id,
        )
    if again is not None:
        return again.relapse()
    if late is None or late.state not in _COSTLY:
        return ""
    return f"The tab had hung before Tabwarden was connected to it. {late.hint}"


async def _overdue(task: Task, budget: Budget, tab_id: str) -> Rescue | None:
    """The rescue of a tab that should have been set up by now. It looks first whether it hangs."""
    if usable(task.state, tab_id):
        return None

    def has_come(state: SupervisorState) -> bool:
        return usable(state, tab_id) or bool(blocking_dialogs(state, tab_id))

    # Not a race of the tab's: it may be replaced meanwhile.
    with Race(task.supervisor, budget) as race, race.doing("waiting for the tab to be set up"):
        if await race.until(has_come, at_most_ms=_SET_UP_MS):
            return None
    if is_navigating(task.state, tab_id):
        return None  # until the server answers, the browser holds back what sets it up
    return begin_rescue(task, tab_id)


async def ready(task: Task, race: Race, tab_id: str, *, revives: bool) -> Tab:
    """Wait until a tab is set up.

    Raises:
        TargetCrashed: its page has, and the action does not bring one back (``revives``).
    """
    race.raise_if_ended()
    if not usable(task.state, tab_id) or task.state.is_asking(tab_id):
        with race.doing("waiting for the tab to be set up"):
            await race.until(lambda state: usable(state, tab_id) and not state.is_asking(tab_id))
    if task.state.is_arming(tab_id):
        await race.until(lambda state: not state.is_arming(tab_id), at_most_ms=_ARMING_MS)
    tab = task.tab(tab_id)
    if tab.status == "crashed" and not revives:
        raise crashed_error(tab_id, tab.status_reason)
    return tab


def usable(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab is set up, or never will be."""
    tab = state.tabs.get(tab_id)
    return tab is None or tab.status in ("ready", "crashed")

"""Prepare a tab for an action, and recover the tab first if it has hung or crashed."""

from __future__ import annotations

from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone
from tabwarden.hints import OTHER_TAB, joined
from tabwarden.page.call.timing import ARMING_MS, SET_UP_MS
from tabwarden.page.recovery import begin_rescue, check_for_hang, is_navigating
from tabwarden.page.task import Rescue, Task, is_blocked
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Race, crashed_error
from tabwarden.vault import Vault

_COSTLY = ("renewed", "replaced", "quieted")


async def bring_back(task: Task, budget: Budget, tab_id: str) -> str:
    """Wait until a tab is usable, even if it hung, crashed or was never set up. Return a note, or
    "". Raise ``BrowserGone`` if the tab could not be recovered, or was closed meanwhile."""
    rescue, late, again = task.hangs.rescue_of(tab_id), None, None
    if rescue is None:
        rescue = late = await _overdue(task, budget, tab_id)
    if rescue is None and not task.scripts.of(tab_id):
        rescue = again = await check_for_hang(task, budget, tab_id)
    if rescue is None:
        return ""
    # Don't bind this wait to the tab, because the tab may be replaced meanwhile.
    with (
        Race(task.supervisor, budget) as race,
        race.doing("waiting for the tab to recover"),
    ):
        await race.finished(rescue.work)
    if rescue.state == "gone":
        raise BrowserGone(
            f"Tab {tab_id} hung, could not be recovered, and is gone.",
            rescue.hint,
            reason="the tab could not be recovered",
            tab_id=tab_id,
            **rescue.report(),
        )
    if tab_id not in task.state.tabs:
        raise BrowserGone(
            f"Tab {tab_id} was closed while the call waited for it.",
            OTHER_TAB,
            reason="the tab was closed",
            tab_id=tab_id,
        )
    if again is not None:
        return again.relapse()
    if late is None or late.state not in _COSTLY:
        return ""
    return joined("The tab was already hung when Tabwarden connected to it.", late.hint)


async def _overdue(task: Task, budget: Budget, tab_id: str) -> Rescue | None:
    """Start to rescue a tab whose setup takes too long. Return None if the tab is usable, is
    blocked by a prompt, or is navigating."""
    if is_usable(task.state, tab_id):
        return None

    def has_come(state: SupervisorState) -> bool:
        return is_usable(state, tab_id) or is_blocked(state, tab_id)

    # Don't bind this wait to the tab, because the tab may be replaced meanwhile.
    with Race(task.supervisor, budget) as race, race.doing("waiting for the tab to be set up"):
        if await race.until(has_come, at_most_ms=SET_UP_MS):
            return None
    if is_navigating(task.state, tab_id):
        return None  # the browser delays the tab's setup until the server responds
    return begin_rescue(task, tab_id)


async def wait_until_ready(task: Task, race: Race, tab_id: str, *, revives: bool) -> Tab:
    """Wait until a tab is set up. Raise ``TargetCrashed`` if the page has crashed and the action
    does not reload it (``revives``)."""
    race.raise_if_ended()
    if not is_usable(task.state, tab_id) or task.state.is_asking(tab_id):
        with race.doing("waiting for the tab to be set up"):
            await race.until(lambda state: is_usable(state, tab_id) and not state.is_asking(tab_id))
    if task.state.is_arming(tab_id):
        await race.until(lambda state: not state.is_arming(tab_id), at_most_ms=ARMING_MS)
    tab = task.tab(tab_id)
    if tab.status == "crashed" and not revives:
        raise crashed_error(tab_id, tab.status_reason)
    return tab


def is_usable(state: SupervisorState, tab_id: str) -> bool:
    """Whether no further wait is needed, because the tab is set up, has crashed or is closed."""
    tab = state.tabs.get(tab_id)
    return tab is None or tab.status in ("ready", "crashed")


async def until_codes_last(race: Race, vault: Vault, text: str) -> None:
    """If a one-time code in a text expires within two seconds, wait for the next code."""
    if (wait_s := vault.wait_s(text)) > 0:
        await race.pause(wait_s * 1000)

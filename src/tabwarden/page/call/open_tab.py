"""Open a tab, or bring a tab to the front. Tabs in the background ignore input."""

from __future__ import annotations

from tabwarden.budget import Budget
from tabwarden.errors import NotSupported
from tabwarden.hints import Hint, Next
from tabwarden.page.task import Call, Task
from tabwarden.protocol import target
from tabwarden.supervisor.core.handlers import tab_commands
from tabwarden.supervisor.core.state.inputs import ActivateTab, AgentOpened, TabCreated
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import CommandRefused, Race


async def open_if_none(task: Task, budget: Budget) -> None:
    """Open a tab if no tab is open and the browser is still running."""
    if task.state.tabs or task.state.health.status != "live":
        return
    with Race(task.supervisor, budget) as race, race.doing("opening a tab"):
        await open_tab(task, race)


async def open_tab(task: Task, race: Race) -> str:
    """Open an empty tab, make it the active one, and return its ``tab_id``.

    Raises:
        NotSupported: the browser is part of an application that opens all tabs itself.
    """
    before, blank = tab_commands(task.state, "about:blank", task.state.context)
    for command in before:
        race.start(command, None)
    try:
        created = await race.call(blank, None)
    except CommandRefused as refused:
        if refused.error.message != "Not supported":
            raise
        raise NotSupported(
            "This application can't open a tab: only its own code opens windows.",
            Hint(
                "Use a page that it shows",
                (": ", Next("tabs", mode="list")),
                ". Its buttons may open more.",
            ),
        ) from None
    task.supervisor.feed(TabCreated(created.target_id))

    def usable(state: SupervisorState) -> bool:
        tab = state.tab_of_target(created.target_id)
        return tab is not None and tab.status == "ready"

    await race.until(usable)
    tab = task.state.tab_of_target(created.target_id)
    assert tab is not None
    task.supervisor.feed(AgentOpened(tab.tab_id))
    task.supervisor.feed(ActivateTab(tab.tab_id))
    return tab.tab_id


def bring_to_front(call: Call) -> None:
    """Activate a tab's target unless it is already in front. Do not wait for the reply, because the
    browser handles the command before any input that we send later."""
    newest = max(call.state.tabs.values(), key=_age, default=call.tab)
    if call.task.front_target == call.tab.target_id and call.task.front_newest == newest.target_id:
        return
    call.race.start(target.ActivateTarget(target_id=call.tab.target_id), None)
    call.task.front_target, call.task.front_newest = call.tab.target_id, newest.target_id


def _age(tab: Tab) -> int:
    return int(tab.tab_id.removeprefix("t"))

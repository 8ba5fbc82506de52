"""Front: bring a tab to the front, because a background tab never replies to input."""

from __future__ import annotations

from tabwarden.page.task import Call
from tabwarden.protocol import target
from tabwarden.supervisor.core.state.tabs import Tab


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

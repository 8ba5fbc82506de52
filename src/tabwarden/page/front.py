"""Front: input to a background tab is never answered, so the tab is brought to the front first."""

from __future__ import annotations

from tabwarden.page.task import Task
from tabwarden.protocol import target
from tabwarden.supervisor import Race, Tab

__all__ = ["bring_to_front"]


def bring_to_front(task: Task, race: Race, tab: Tab) -> None:
    """Activate a tab's target unless it is in front already.

    Nothing is awaited: the browser handles it before the input that follows on the same wire.
    """
    newest = max(task.state.tabs.values(), key=_age, default=tab)
    if task.front_target == tab.target_id and task.front_newest == newest.target_id:
        return
    race.start(target.ActivateTarget(target_id=tab.target_id), None)
    task.front_target, task.front_newest = tab.target_id, newest.target_id


def _age(tab: Tab) -> int:
    return int(tab.tab_id.removeprefix("t"))

"""A running action, and the fixed properties of its kind of action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tabwarden.config import ActionName
from tabwarden.page.task.tab_memory import TabMemory
from tabwarden.page.task.task import Task
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Race


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSpec:
    """The properties of an action, declared next to its function."""

    name: ActionName
    """The action's name in results, metrics and log lines."""
    reads: bool = False
    """The action only reads, so it works on a page that is paused in the debugger."""
    acts: bool = True
    """The action may change the page, or make it open a dialog or a prompt."""
    watches: bool = False
    """The action only waits for something, so it may run while a person has control."""
    looks: bool = False
    """The action does not use the page's main thread, so the page can't block it."""
    uses_input: bool = False
    """The action uses the mouse or keyboard, so its result includes the focused element."""
    begins_effect: bool = True
    """The input's effect is observed from the start of the action. For a click, observation begins
    at the press."""
    confirms: bool = False
    """The result's value is an effect of the input, such as a field's new content. So the result
    does not wait for another effect to begin."""
    awaits_requests: bool = True
    """The result of an input waits for the requests that the input begins."""
    revives: bool = False
    """The action may run on a crashed tab, because it navigates."""
    opens: bool = False
    """The action opens a tab if no tab is open and the caller names none."""
    draws: bool = True
    """After a navigation, the action waits until the new page has rendered something."""
    refreshes: bool = True
    """The action may change the tab's title, so the title is refreshed afterwards (one more round
    trip)."""

    alongside: bool = False
    """The action waits for earlier actions, but later actions don't wait for it, because it may
    run for a long time."""

    @property
    def holds(self) -> bool:
        """Whether later actions on the tab must wait until this action has ended."""
        return self.acts and not self.watches and not self.alongside

    @property
    def touches(self) -> bool:
        """Whether the action must wait while a person has control."""
        return self.acts and not self.watches


class Call(NamedTuple):
    """An action that is running on a tab. The race limits each of its waits."""

    task: Task
    race: Race
    tab: Tab
    spec: ActionSpec

    @property
    def state(self) -> SupervisorState:
        return self.task.supervisor.state

    @property
    def memory(self) -> TabMemory:
        """Return the task's data about the tab."""
        return self.task.memory_of(self.tab.tab_id)

    def on(self, tab: Tab) -> Call:
        return self._replace(tab=tab)

    def within(self, race: Race) -> Call:
        return self._replace(race=race)

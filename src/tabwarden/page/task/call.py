"""Call: a running action, and the fixed properties of its kind of action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tabwarden.config import ActionName
from tabwarden.page.task.task import Task
from tabwarden.supervisor import Race, SupervisorState, Tab


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSpec:
    """The properties of an action, declared next to its function."""

    name: ActionName
    """Its name in results, metrics and log lines."""
    reads: bool = False
    """It only reads, so a page that is paused in the debugger can serve it."""
    looks: bool = False
    """The action needs nothing from the page's own thread, so the page can't block it."""
    uses_input: bool = False
    """It uses the mouse or the keyboard, so its result includes the focused element."""
    revives: bool = False
    """It may run on a crashed tab, because it navigates."""
    opens: bool = False
    """It opens a tab if none is open and the caller names none."""
    refreshes: bool = True
    """It may change the tab's title, so a refresh follows (one more round trip)."""


class Call(NamedTuple):
    """An action that is running on a tab. The race ends each of its waits in time."""

    task: Task
    race: Race
    tab: Tab
    spec: ActionSpec

    @property
    def state(self) -> SupervisorState:
        """Return the supervisor's current state."""
        return self.task.supervisor.state

    def on(self, tab: Tab) -> Call:
        """Return the same call for another tab."""
        return self._replace(tab=tab)

    def within(self, race: Race) -> Call:
        """Return the same call under another race."""
        return self._replace(race=race)

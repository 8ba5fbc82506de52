"""Task: one agent's work on one supervised browser: its tabs, its refs, what it has been told."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone, InvalidArgument
from tabwarden.page.cursors import Cursors
from tabwarden.page.handles import Handles
from tabwarden.page.known import Known
from tabwarden.page.line import bare
from tabwarden.page.refs import RefBook
from tabwarden.page.result import NewSinceLast, Seen
from tabwarden.page.running import RunningScripts
from tabwarden.page.titles import LateTitles, refresh_all, title_in_page
from tabwarden.page.values import Serializers
from tabwarden.page.worlds import Worlds
from tabwarden.protocol import target
from tabwarden.supervisor import (
    CDPSupervisor,
    CommandRefused,
    Race,
    SupervisorState,
    Tab,
    TargetSeen,
    is_address,
)

if TYPE_CHECKING:
    from tabwarden.page.rescue import Rescue

__all__ = ["Task"]

_MET_DOWNLOADS = 100
"""Many more than the state keeps."""


class Task:
    """What the actions of one agent share. Belongs to the engine's loop."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self.supervisor = supervisor
        self.refs = RefBook()
        self.worlds = Worlds(supervisor)
        self.seen = Seen()
        self.front_newest: str | None = None
        """The newest target when that was: a newer one took the front."""
        self.front_target: str | None = None
        """The target that was brought to the front last; input to any other is never answered."""
        self.outlines: dict[tuple[str, str | None], Known] = {}
        """The last outline of each tab, or of a frame of it, that was read: what can be shown
        while the page can't be, and what ``diff`` compares with."""
        self.met_downloads: deque[str] = deque(maxlen=_MET_DOWNLOADS)
        """Downloads (guids) that a wait has told of, or the call that they are the work of."""
        self.cursors = Cursors()
        self.owners: dict[str, tuple[str, str, int]] = {}
        """Where a frame's iframe element is: ``frame_id`` to (parent frame, world, local id)."""
        self.rescues: dict[str, Rescue] = {}
        """Tabs that are being brought back after a hang or a crash; the next action waits."""
        self.given_up: dict[str, str] = {}
        """Tabs that nothing could bring back, and what to do instead."""
        self.recovered: dict[str, str] = {}
        """Tabs that came back when no call waited any more, and what the next one is told of it."""
        self.hung_documents: set[str] = set()
        """Documents (loader ids) in which a script had to be stopped."""
        self.relapsing_documents: set[str] = set()
        """Those that hung again after that: they are not given another chance to when left."""
        self.crashes: dict[str, list[float]] = {}
        """When each tab crashed lately, monotonic seconds."""
        self.serializers = Serializers()
        self.handles = Handles()
        self.highlighted: Callable[[], None] | None = None
        """Takes away what ``highlight`` shows, when it shows something."""
        self.scripts = RunningScripts(supervisor)
        self.late_titles = LateTitles(supervisor)
        self._kept_for: SupervisorState | None = None
        """Of what this state does not have, nothing is kept."""
        self.news()  # what stands there at the beginning is no news

    @property
    def state(self) -> SupervisorState:
        """The supervisor's state as it is now."""
        return self.supervisor.state

    def unhighlight(self) -> None:
        """Take away what is highlighted for a person who looks, if anything is."""
        take_away, self.highlighted = self.highlighted, None
        if take_away is not None:
            take_away()

    async def connected(self, budget: Budget) -> None:
        """Wait for a connection that is being made again; at once when there is one.

        Raises:
            BrowserGone: it could not be made. BudgetExceeded: not in time.
        """
        if self.state.health.status == "reconnecting":
            with Race(self.supervisor, budget) as race:
                await race.connected()

    def news(self) -> NewSinceLast:
        """What the agent has not been told yet; it counts as told from then on."""
        self._forget_gone()
        return self.seen.news(self.state)

    def _forget_gone(self) -> None:
        """Let go of what was kept for tabs and frames that are there no more.

        While a connection is made again there are no frames; they come back as they were.
        """
        state = self.state
        if state is self._kept_for or state.health.status != "live":
            return
        self._kept_for = state
        ready = {tab.tab_id for tab in state.tabs.values() if tab.status == "ready"}
        for tab_id, frame_id in list(self.outlines):
            gone = frame_id is not None and frame_id not in state.frames and tab_id in ready
            if gone or tab_id not in state.tabs:
                del self.outlines[tab_id, frame_id]
        for frame_id in self.owners.keys() - state.frames.keys():
            del self.owners[frame_id]
        for tab_id in self.crashes.keys() - state.tabs.keys():
            del self.crashes[tab_id]
        for tab_id in self.recovered.keys() - state.tabs.keys():
            del self.recovered[tab_id]

    async def refresh(self, race: Race, tab_id: str) -> None:
        """Learn a tab's URL and title from the browser process: no event tells of a new title."""
        tab = self.state.tabs.get(tab_id)
        if tab is None:
            return
        try:
            found = await race.call(target.GetTargetInfo(target_id=tab.target_id), None)
        except CommandRefused:  # closed meanwhile
            return
        info = found.target_info
        if is_address(info):  # until the renderer's title has reached the browser
            title = await title_in_page(race, tab)
            info = msgspec.structs.replace(info, title=title or info.title)
        self.supervisor.feed(TargetSeen(info))

    async def refresh_all(self, race: Race) -> None:
        """The same of all tabs."""
        await refresh_all(self.supervisor, race)

    def state_message(self) -> str:
        """One line on where the browser stands, for the model's next turn."""
        state = self.state
        opened = self.supervisor.opened
        product = opened.product if opened is not None else "browser"
        if state.health.status != "live":
            return f"[Browser: {product} | {state.health.status}: {state.health.reason}]"
        tab = state.tabs.get(state.active_tab_id or "")
        parts = [product]
        if tab is not None:
            parts += [bare(tab.url), bare(tab.title)]
        parts.append(f"{len(state.tabs)} tab(s)")
        if tab is not None and tab.status == "crashed":
            parts.append("crashed")
        waiting = len(state.pending_dialogs)
        if waiting:
            parts.append(f"{waiting} dialog{'s' if waiting > 1 else ''} waiting")
        for waiting, what in (
            (len(state.file_choosers), "file chooser"),
            (sum(not c.answered for c in state.auth_challenges), "password prompt"),
        ):
            if waiting:
                parts.append(f"{waiting} {what}{'s' if waiting > 1 else ''} waiting")
        under_way = sum(d.status == "in_progress" for d in state.downloads)
        if under_way:
            parts.append(f"{under_way} download{'s' if under_way > 1 else ''} under way")
        return f"[Browser: {' | '.join(parts)}]"

    def tab_of(self, ref: str | None, tab_id: str | None) -> str | None:
        """The tab that is named; else the one that a ref is in, where that is open still."""
        if ref is None or tab_id is not None or (known := self.refs.known(ref)) is None:
            return tab_id
        return known.tab_id if known.tab_id in self.state.tabs else None

    def tab(self, tab_id: str | None = None) -> Tab:
        """The tab that an action is for.

        Raises:
            InvalidArgument: no tab has this id.
            BrowserGone: the browser is gone, its last tab is, or this one was given up.
        """
        state = self.state
        if state.health.status == "gone":
            raise BrowserGone(
                f"The browser is gone: {state.health.reason}.",
                "Open it again (browser_navigate does, or Browser.launch in Python): its pages "
                "are lost.",
                reason=state.health.reason,
            )
        wanted = tab_id or state.active_tab_id
        if wanted is None:
            raise BrowserGone(
                "No tab is open. The browser is, without one.",
                "browser_navigate opens one, and so does browser_tabs(mode='open', url=...).",
                reason="no tab",
            )
        tab = state.tabs.get(wanted)
        if tab is None and wanted in self.given_up:
            raise BrowserGone(
                f"Tab {wanted} hung, could not be brought back, and is gone.",
                self.given_up[wanted],
                reason="the tab was given up",
                tab_id=wanted,
            )
        if tab is None:
            raise InvalidArgument(
                f"There is no tab {wanted!r}.",
                f"Open tabs: {', '.join(state.tabs) or 'none'}.",
                field="tab_id",
                tabs=list(state.tabs),
            )
        return tab

"""The later steps. They make a tab usable again, but the tab loses its page."""

from __future__ import annotations

from tabwarden.hints import Hint, Next
from tabwarden.page.recovery import timing
from tabwarden.page.recovery.last_resorts import kill_renderer, may_kill
from tabwarden.page.recovery.probe import find_silent, is_between, sessions_of, stop_scripts
from tabwarden.page.recovery.renderer import is_parsed, renew_frame, renew_tab, until
from tabwarden.page.task import Rescue, Task
from tabwarden.supervisor.core.state.inputs import DeclareGone, ReplaceTab, TabRenewed
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import CDPSupervisor


class LeavingSteps:
    """The steps that leave a tab's page, named as in ``steps.Step``."""

    def __init__(self, task: Task, tab_id: str, rescue: Rescue) -> None:
        self.task, self.tab_id, self.rescue = task, tab_id, rescue
        self.supervisor = task.supervisor
        self.hung: list[str] = []
        """The sessions that do not respond."""
        self.between_documents = False
        self.only_frames = False
        self.parsed = True
        self.restored = False
        self.instead = ""
        """The URL at which the agent can continue if the tab is gone."""
        self._tab_before: Tab | None = None
        """The tab's state before it left its page."""

    @property
    def state(self) -> SupervisorState:
        return self.supervisor.state

    async def check_before_leaving(self) -> None:
        self.rescue.renews()
        self.between_documents = await is_stuck_between_documents(self.supervisor, self.tab_id)
        if not self.between_documents:
            sessions = sessions_of(self.state, self.tab_id)
            self.hung = await find_silent(self.supervisor, sessions, timing.PROBE_S)
            tab = self.state.tabs.get(self.tab_id)
            self.only_frames = tab is not None and tab.session_id not in self.hung

    async def renew_frames(self) -> None:
        for session_id in self.hung:
            self.rescue.did("Page.navigate: a frame to about:blank and back")
            if not await renew_frame(self.supervisor, session_id):
                return
        self.restored = True

    async def renew(self) -> None:
        self._tab_before, self.parsed = (
            self.state.tabs[self.tab_id],
            is_parsed(self.state, self.tab_id),
        )
        self.rescue.did(f"Page.navigate: about:blank{' and back' * self.parsed}")
        self.task.front_target = None
        if (
            await renew_tab(self.supervisor, self.tab_id, back=self.parsed)
            and await self._answers()
        ):
            self.restored = True
            self.supervisor.feed(TabRenewed(self.tab_id))

    async def replace(self) -> None:
        self.rescue.did("Target.createTarget")
        kills = may_kill(self.supervisor)
        await self._replace(timing.REPLACE_BEFORE_KILL_S if kills else timing.REPLACE_S)

    async def kill_renderer(self) -> None:
        pid = await kill_renderer(self.supervisor)
        if pid is not None:
            self.rescue.did(f"kill: renderer process {pid}")
        await self._replace(timing.REPLACE_S)  # the new tab may still be opening

    async def _replace(self, within_s: float) -> None:
        if self._tab_before is not None:
            url = self._tab_before.url if self.parsed else "about:blank"
            self.restored = await replace_tab(self.supervisor, self._tab_before, within_s, url)

    async def give_up(self) -> None:
        self.rescue.did("Target.closeTarget: the tab could not be recovered")
        self.supervisor.feed(DeclareGone(self.tab_id))
        await until(
            self.supervisor, lambda state: state.active_tab_id is not None, timing.REPLACE_S
        )
        other_tab_id = self.state.active_tab_id
        new_tab = Hint("Open another", Next("tabs", mode="open"), ".")
        self.instead = f"Continue in tab {other_tab_id}." if other_tab_id else new_tab
        self.task.hangs.give_up(self.tab_id, self.instead)

    async def replace_at_destination(self) -> None:
        """Replace a tab that hangs between two documents, and open the URL that the tab was
        navigating to. No command reaches the tab's renderer (docs/decisions/0011)."""
        tab, top = self.state.tabs.get(self.tab_id), self.state.top_frame(self.tab_id)
        if tab is None or top is None:
            return
        self.rescue.did("probe: stuck between two documents")
        self.rescue.did("Target.createTarget")
        self.task.front_target = None
        self.restored = await replace_tab(self.supervisor, tab, url=top.bound_for)
        # If the next document hung while it loaded, it hangs again now.
        self.hung = []
        if self.restored and not await until(
            self.supervisor, lambda state: is_parsed(state, self.tab_id), timing.PARSED_S
        ):
            top_session = await self._silent_top()
            self.hung = await self._stop(top_session) if top_session else []

    async def replace_empty(self) -> None:
        tab = self.state.tabs.get(self.tab_id)
        self.restored = tab is not None and await replace_tab(
            self.supervisor, tab, url="about:blank"
        )

    async def _answers(self) -> bool:
        """Whether the reloaded page responds. If the page hangs again, stop its script first."""
        top = await self._silent_top()
        return not top or is_navigating(self.state, self.tab_id) or not await self._stop(top)

    async def _silent_top(self) -> list[str]:
        top = sessions_of(self.state, self.tab_id)[:1]
        return await find_silent(self.supervisor, top, timing.RELOADED_PROBE_S)

    async def _stop(self, hung: list[str]) -> list[str]:
        """Stop the scripts of hung sessions. Return the sessions that still hang."""
        stop_scripts(self.supervisor, hung)
        return await find_silent(self.supervisor, hung, timing.RELOADED_STOP_S)


async def is_stuck_between_documents(supervisor: CDPSupervisor, tab_id: str) -> bool:
    """Whether a tab's next document is ready, but the tab's renderer does not accept it."""
    tab = supervisor.state.tabs.get(tab_id)
    return (
        tab is not None
        and tab.session_id is not None
        and is_navigating(supervisor.state, tab_id)
        and not is_unloading(supervisor.state, tab_id)
        and await is_between(supervisor, tab.session_id)
    )


def is_unloading(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab's document is unloading, and perhaps still running its last handlers."""
    return state.contexts.get(state.top_frame_id(tab_id) or "") is None


async def replace_tab(
    supervisor: CDPSupervisor, tab: Tab, within_s: float = timing.REPLACE_S, url: str = ""
) -> bool:
    """Replace a tab's target. Return True if the tab has another target that is set up, or no
    longer exists.

    The new target opens ``url``. The default is the URL in ``tab``, because the tab itself may be
    on ``about:blank`` by now.
    """
    tab_id = tab.tab_id

    def is_over(state: SupervisorState) -> bool:
        return tab_id not in state.replacing and is_ready(state, tab_id)

    def has_moved(state: SupervisorState) -> bool:
        now = state.tabs.get(tab_id)
        return now is None or (now.target_id != tab.target_id and now.status == "ready")

    if has_moved(supervisor.state):
        return True
    if tab_id not in supervisor.state.replacing:
        supervisor.feed(ReplaceTab(tab_id, url or tab.url))
    await until(supervisor, is_over, within_s)
    return has_moved(supervisor.state)


def is_navigating(state: SupervisorState, tab_id: str) -> bool:
    top = state.top_frame(tab_id)
    return top is not None and top.navigating


def is_arriving(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab's document has not fully arrived. If loading was stopped, the page may still be
    busy with the received part."""
    top = state.top_frame(tab_id)
    return top is not None and bool(top.lifecycle) and "DOMContentLoaded" not in top.lifecycle


def is_ready(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab is set up or no longer exists."""
    tab = state.tabs.get(tab_id)
    return tab is None or tab.status == "ready"

"""The upper rungs: what brings a tab back at the cost of its page."""

from __future__ import annotations

from tabwarden.page.rescue.probe import is_between, sessions_of, silent, stop_scripts
from tabwarden.page.rescue.renderer import (
    is_parsed,
    kill_renderer,
    renew_frame,
    renew_tab,
    until,
)
from tabwarden.page.rescue.story import LOST, Rescue
from tabwarden.page.task import Task
from tabwarden.supervisor import (
    CDPSupervisor,
    DeclareGone,
    ReplaceTab,
    SupervisorState,
    Tab,
    TabRenewed,
)

__all__ = [
    "is_held",
    "is_navigating",
    "is_ready",
    "is_unloading",
    "renewed",
    "replaced",
    "replaced_on_its_way",
]

_PROBE_MS = 15.0
_ANSWER_MS = 40.0
_STOP_MS = 80.0
_REPLACE_MS = 6_000.0
_PARSED_MS = 500.0
_BEFORE_KILL_MS = 1_500.0
"""How long a browser of our own may take over a new tab before a renderer that takes a processor
for itself is ended: it may be what keeps the browser busy."""
_ANOTHER = (
    "Nothing could stop what hung, so the tab was replaced by a new one at its last URL. "
    "Take a snapshot."
)
_NOT_AGAIN = (
    "Nothing could stop what hung, and it hung while it was loading: it would hang again, so the "
    "tab stands on an empty page now. Navigate somewhere else."
)
_ON_ITS_WAY = (
    "The page hung while it was being left, where nothing can stop it, so the tab was replaced by "
    "a new one at the URL that it was on its way to. Take a snapshot."
)
_ALL = [*LOST, "history", "scroll position"]


async def renewed(task: Task, tab_id: str, rescue: Rescue) -> None:
    """Give a tab another renderer, another target, and at last end what hangs."""
    supervisor = task.supervisor
    rescue.renews()
    if await is_held(supervisor, tab_id):
        await replaced_on_its_way(task, tab_id, rescue)
        return
    hung = await silent(supervisor, sessions_of(supervisor.state, tab_id), _PROBE_MS)
    if not hung:
        rescue.ended("freed", "What hung has come to its end. Take a snapshot and go on.")
        return
    if await _frames_renewed(supervisor, tab_id, hung, rescue):
        return
    tab = supervisor.state.tabs.get(tab_id)
    if tab is None:
        return
    again = is_parsed(supervisor.state, tab_id)
    rescue.did(f"Page.navigate: about:blank{' and back' * again}")
    task.front_target = None
    if await renew_tab(supervisor, tab_id, back=again) and await _answers(supervisor, tab_id):
        supervisor.feed(TabRenewed(tab_id))
        words = (
            "Nothing could stop what hung, so the page was loaded again at its last URL in a new "
            "renderer; the tab's history was kept. Take a snapshot."
        )
        rescue.ended("renewed", words if again else _NOT_AGAIN, [*LOST, "scroll position"])
        return
    await _put_elsewhere(task, tab, rescue, again=again)


async def _put_elsewhere(task: Task, tab: Tab, rescue: Rescue, *, again: bool) -> None:
    """Give a tab another target, or at last give it up.

    Args:
        task, tab, rescue: which.
        again: whether its page is to be loaded again.
    """
    supervisor, tab_id = task.supervisor, tab.tab_id
    url, words = (tab.url, _ANOTHER) if again else ("about:blank", _NOT_AGAIN)
    rescue.did("Target.createTarget")
    may_kill = supervisor.opened is not None and supervisor.opened.owned
    if await replaced(supervisor, tab, _BEFORE_KILL_MS if may_kill else _REPLACE_MS, url):
        rescue.ended("replaced", words, _ALL)
        return
    if may_kill:
        pid = await kill_renderer(supervisor)
        if pid is not None:
            rescue.did(f"kill: renderer process {pid}")
        if await replaced(supervisor, tab, url=url):  # the new tab may be on its way still
            rescue.ended("replaced", words, _ALL)
            return
    rescue.did("Target.closeTarget: the tab is given up")
    supervisor.feed(DeclareGone(tab_id))
    await until(supervisor, lambda state: state.active_tab_id is not None, _REPLACE_MS)
    left = task.state.active_tab_id
    instead = f"Go on in tab {left}." if left else "Open another: browser_tabs(mode='open')."
    task.given_up[tab_id] = instead
    rescue.ended(
        "gone",
        f"The tab could not be brought back and is gone. {instead}",
        [*_ALL, "the tab"],
    )


async def replaced_on_its_way(task: Task, tab_id: str, rescue: Rescue) -> None:
    """Give a tab that hangs between two documents another target, at the second one.

    Nothing reaches its renderer any more (docs/decisions/0011).
    """
    tab = task.state.tabs.get(tab_id)
    top = task.state.top_frame(tab_id)
    if tab is None or top is None:
        return
    rescue.did("probe: held between two documents")
    rescue.did("Target.createTarget")
    task.front_target = None
    if not await replaced(task.supervisor, tab, url=top.bound_for):
        return
    if not await _hangs_too(task.supervisor, tab_id):
        rescue.ended("replaced", _ON_ITS_WAY, _ALL)
        return
    now = task.state.tabs.get(tab_id)
    if now is not None and await replaced(task.supervisor, now, url="about:blank"):
        rescue.ended("replaced", _NOT_AGAIN, _ALL)


async def _hangs_too(supervisor: CDPSupervisor, tab_id: str) -> bool:
    """Whether it was the next document that hung, as it came in, and now does again, in native code
    that nothing stops."""
    if await until(supervisor, lambda state: is_parsed(state, tab_id), _PARSED_MS):
        return False
    top = sessions_of(supervisor.state, tab_id)[:1]
    return bool(await silent(supervisor, top, _ANSWER_MS) and await _stopped(supervisor, top))


async def is_held(supervisor: CDPSupervisor, tab_id: str) -> bool:
    """Whether a tab's next document is ready, and its renderer does not take it in."""
    tab = supervisor.state.tabs.get(tab_id)
    return (
        tab is not None
        and tab.session_id is not None
        and is_navigating(supervisor.state, tab_id)
        and not is_unloading(supervisor.state, tab_id)
        and await is_between(supervisor, tab.session_id)
    )


def is_unloading(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab's document is out, and perhaps runs its last handlers."""
    return state.contexts.get(state.top_frame_id(tab_id) or "") is None


async def _frames_renewed(
    supervisor: CDPSupervisor, tab_id: str, hung: list[str], rescue: Rescue
) -> bool:
    """Whether only frames in other processes hung, and they were renewed."""
    tab = supervisor.state.tabs.get(tab_id)
    if tab is None or tab.session_id in hung:
        return False
    for session_id in hung:
        rescue.did("Page.navigate: a frame to about:blank and back")
        if not await renew_frame(supervisor, session_id):
            return False
    rescue.ended(
        "renewed",
        "A frame hung in native code, so it was loaded again; the rest of the page is as it was. "
        "Take a snapshot.",
        ["what that frame held"],
    )
    return True


async def replaced(
    supervisor: CDPSupervisor, tab: Tab, within_ms: float = _REPLACE_MS, url: str = ""
) -> bool:
    """Whether a tab stands on another target than it did, one that is set up; or is gone.

    The new one begins at ``url``, or where ``tab`` stood: it may stand on ``about:blank`` by now.
    """
    tab_id = tab.tab_id

    def ended(state: SupervisorState) -> bool:
        return tab_id not in state.replacing and is_ready(state, tab_id)

    def stands_elsewhere(state: SupervisorState) -> bool:
        now = state.tabs.get(tab_id)
        return now is None or (now.target_id != tab.target_id and now.status == "ready")

    if stands_elsewhere(supervisor.state):
        return True
    if tab_id not in supervisor.state.replacing:
        supervisor.feed(ReplaceTab(tab_id, url or tab.url))
    await until(supervisor, ended, within_ms)
    return stands_elsewhere(supervisor.state)


async def _answers(supervisor: CDPSupervisor, tab_id: str) -> bool:
    """Whether the page that was loaded again does; one that hangs again by itself is stopped."""
    top = sessions_of(supervisor.state, tab_id)[:1]
    if not await silent(supervisor, top, _ANSWER_MS) or is_navigating(supervisor.state, tab_id):
        return True
    return not await _stopped(supervisor, top)


def is_navigating(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab is on its way to another document."""
    top = state.top_frame(tab_id)
    return top is not None and top.navigating


async def _stopped(supervisor: CDPSupervisor, hung: list[str]) -> list[str]:
    stop_scripts(supervisor, hung)
    return await silent(supervisor, hung, _STOP_MS)


def is_ready(state: SupervisorState, tab_id: str) -> bool:
    """Whether a tab is set up, or gone."""
    tab = state.tabs.get(tab_id)
    return tab is None or tab.status == "ready"

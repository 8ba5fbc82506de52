"""One agent's work on one supervised browser."""

from __future__ import annotations

import itertools
import re
from collections import OrderedDict, deque
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, upload_folders
from tabwarden.errors import BrowserGone, InvalidArgument
from tabwarden.hints import OPEN_AGAIN, Hint, Next
from tabwarden.journal import Journal, current_person
from tabwarden.page.control import Control
from tabwarden.page.screencast import Screencasts
from tabwarden.page.task.hang_state import HangState
from tabwarden.page.task.inflight_scripts import RunningScripts
from tabwarden.page.task.refs import RefBook
from tabwarden.page.task.result import NewSinceLast, Seen
from tabwarden.page.task.shutter import Shutter
from tabwarden.page.task.tab_memory import TabMemory
from tabwarden.page.task.titles import LateTitles, refresh_all, title_in_page
from tabwarden.page.task.turns import Turns
from tabwarden.page.task.values import Serializers
from tabwarden.page.text import Cursors, bare
from tabwarden.page.walker import ClickListeners, Worlds
from tabwarden.protocol import target
from tabwarden.replacement import Replacement
from tabwarden.supervisor.core.handlers import is_address
from tabwarden.supervisor.core.prompts import PROMPT_KINDS
from tabwarden.supervisor.core.state.inputs import ReplacementTold, TargetSeen
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Tab
from tabwarden.supervisor.runtime import CDPSupervisor, CommandRefused, Race
from tabwarden.telemetry.redaction import without_login
from tabwarden.vault import Vault

T = TypeVar("T")

_NOTHING_KEPT = "The pages, login cookies and scroll positions of the old browser are gone."
_MET_DOWNLOADS = 100
"""How many download GUIDs are kept: many more than the number of downloads in the state."""

_NAMES = {"edg": "edge", "edgios": "edge", "edga": "edge", "opr": "opera"}
"""Product names that differ from the common names."""


def browser_name(product: str) -> str:
    """Return ``chrome`` for ``HeadlessChrome/153.0.8010.0``, ``edge`` for ``Edg/153.0``.

    Args:
        product: the product that the browser reports; "" if it is unknown. A remote server may
            report any text.

    Returns:
        Lowercase letters and digits; ``browser`` if the product starts with none.
    """
    name = re.match(r"[a-z0-9]*", product[:50].lower().removeprefix("headless"))
    assert name is not None
    return _NAMES.get(name[0], name[0]) or "browser"


_KEPT = 200
"""The number is low, because a handle keeps its element in memory until the document is gone."""


class Handles:
    """The latest remote object IDs, keyed by ref, session and world (the world's ``uniqueId``)."""

    def __init__(self) -> None:
        self._handles: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def forget(self, worlds: Container[str] | None = None) -> None:
        """Forget the handles of these worlds, or all."""
        for key in [key for key in self._handles if worlds is None or key[2] in worlds]:
            del self._handles[key]

    def get(self, ref: str, session_id: str, unique_id: str) -> str | None:
        return self._handles.get((ref, session_id, unique_id))

    def keep(self, ref: str, session_id: str, unique_id: str, handle: str) -> str | None:
        """Store a handle. If too many are kept, return the oldest one for the caller to release."""
        self._handles[ref, session_id, unique_id] = handle
        return self._handles.popitem(last=False)[1] if len(self._handles) > _KEPT else None

    def drop(self, ref: str) -> None:
        """Forget the handles of a ref that now points to another element."""
        for key in [key for key in self._handles if key[0] == ref]:
            del self._handles[key]


class RestoresPages(Protocol):
    async def restored(self, budget: Budget) -> str:
        """Wait until a new browser has the pages of the lost browser. Return a sentence about the
        pages."""


class Slot(Generic[T]):
    """A place in every task where a package of a higher layer stores data. Only that package has
    the slot.

    ``RECORDER = Slot[Recorder]()``, ``RECORDER.put(task, recorder)``, ``RECORDER.of(task)``.
    """

    def of(self, task: Task) -> T | None:
        kept: T | None = task.slots.get(self)
        return kept

    def put(self, task: Task, value: T | None) -> None:
        task.slots[self] = value


class Task:
    """The data that one agent's actions share. Use it only on the engine's event loop."""

    checkpoints: RestoresPages | None = None
    """Keeps the task's checkpoints; set by ``Browser`` if the task can move."""
    front_newest: str | None = None
    """The newest target at the time when ``front_target`` was set. A newer target opens in front of
    ``front_target``."""
    front_target: str | None = None
    """The target that was last brought to the front. No other target replies to input."""
    _worlds: tuple[Mapping[str, ExecutionContext], ...] = ({}, {}, {})
    """The worlds in which objects may be kept, keyed by frame."""

    def __init__(self, supervisor: CDPSupervisor, config: BrowserConfig | None = None) -> None:
        self.supervisor = supervisor
        self.config = config or BrowserConfig()
        self.lent_folders: tuple[Path, ...] = ()
        """Folders with files that may be uploaded, in addition to the configured folders."""
        self.vault = Vault()
        """The secrets that the model can fill in by their names."""
        self.journal = Journal(self.vault.hidden)
        self.control = Control(supervisor, self.journal)
        """Who has control: the agent or a person."""
        self.wants_locators = False
        """Whether a recording needs the locators of each call's element
        (``page/elements/locators.py``)."""
        self.turns = Turns(supervisor)
        """The order of the calls on each tab."""
        self.refs = RefBook()
        self.worlds = Worlds(supervisor)
        self.click_listeners = ClickListeners()
        self.seen = Seen()
        self.memories: dict[str, TabMemory] = {}
        """Per-tab data, keyed by tab id. Other threads may read it."""
        self.slots: dict[Slot[Any], Any] = {}
        self.met_downloads: deque[str] = deque(maxlen=_MET_DOWNLOADS)
        """Guids of downloads that a call has already reported."""
        self.cursors = Cursors()
        self.hangs = HangState()
        self.serializers = Serializers()
        self.handles = Handles()
        self.highlighted: Callable[[], None] | None = None
        """Removes the current highlight."""
        self.picture_ids = map("p{}".format, itertools.count(1))
        self.scripts = RunningScripts(supervisor)
        self.late_titles = LateTitles(supervisor)
        self.screencasts = Screencasts(supervisor)
        self.shutter = Shutter()
        self._kept_for: SupervisorState | None = None
        """The state at the time when outdated entries were last removed."""
        supervisor.observe(lambda _, state: self._forget_objects(state))
        self.news()  # events before the start are not news

    @property
    def state(self) -> SupervisorState:
        return self.supervisor.state

    def memory_of(self, tab_id: str) -> TabMemory:
        """Return the data about a tab."""
        return self.memories.setdefault(tab_id, TabMemory())

    def unhighlight(self) -> None:
        take_away, self.highlighted = self.highlighted, None
        if take_away is not None:
            take_away()

    async def connected(self, budget: Budget) -> None:
        """If the connection is being restored, wait until it works again.

        Raises:
            BrowserGone: the connection could not be restored, or a new browser replaced the old
                one. A replacement is reported only once. BudgetExceeded: it took too long.
        """
        if self.state.health.status == "reconnecting":
            with Race(self.supervisor, budget) as race:
                await race.connected()
        if self.state.replacement is not None and current_person() is None:
            await self._tell_replaced(self.state.replacement, budget)

    async def _tell_replaced(self, new: Replacement, budget: Budget) -> None:
        kept = self.checkpoints
        has = await kept.restored(budget) if kept is not None else _NOTHING_KEPT
        self.supervisor.feed(ReplacementTold())
        raise BrowserGone(
            f"The browser was replaced: {new.reason}. This call did nothing. A new browser runs on "
            f"{new.node}. {has} Earlier refs and tab ids are no longer valid.",
            Hint("Take a snapshot, then decide which steps to repeat", Next("snapshot"), "."),
            reason=new.reason,
            node=new.node,
            previous_node=new.previous_node,
            generation=new.generation,
            planned=new.planned,
        )

    def news(self) -> NewSinceLast:
        """Return the events that were not reported to the agent yet, and mark them as reported. For
        a person's calls, return none, so that the agent's next call reports the events."""
        if current_person() is not None:
            return NewSinceLast()
        self._forget_gone()
        return self.seen.news(self.state, self.control.news())

    def _forget_gone(self) -> None:
        """Forget tabs and frames that no longer exist. Do nothing during a reconnect, because the
        state has no frames then, and the frames reappear unchanged."""
        state = self.state
        if state is self._kept_for or state.health.status != "live":
            return
        self._kept_for = state
        for tab_id in self.memories.keys() - state.tabs.keys():
            del self.memories[tab_id]
        for tab_id, memory in self.memories.items():
            memory.forget_gone(state, is_ready=state.tabs[tab_id].status == "ready")
        self.hangs.forget_closed(state.tabs)

    def _forget_objects(self, state: SupervisorState) -> None:
        """Forget the objects of worlds that appear or disappear. The back-forward cache may restore
        a world under its old id, but the world's object ids then mean other objects."""
        before, now = self._worlds, (state.contexts, state.worlds, state.agent_worlds)
        if all(one is other for one, other in zip(before, now, strict=True)):
            return
        self._worlds = now
        changed = _ids_of(before) ^ _ids_of(now)
        self.serializers.forget(changed)
        self.handles.forget(changed)
        self.click_listeners.forget(changed)

    async def refresh(self, race: Race, tab_id: str) -> None:
        """Get a tab's URL and title from the browser process. No event reports a new title."""
        tab = self.state.tabs.get(tab_id)
        if tab is None:
            return
        try:
            response = await race.call(target.GetTargetInfo(target_id=tab.target_id), None)
        except CommandRefused:  # the tab was closed meanwhile
            return
        info = response.target_info
        if is_address(info):  # the renderer's title has not reached the browser process yet
            title = await title_in_page(race, tab)
            info = msgspec.structs.replace(info, title=title or info.title)
        self.supervisor.feed(TargetSeen(info))

    async def refresh_all(self, race: Race) -> None:
        await refresh_all(self.supervisor, race)

    def state_message(self) -> str:
        """Return one line about the browser's state for the model's next turn."""
        state = self.state
        opened = self.supervisor.opened
        name = browser_name(opened.product if opened is not None else "")
        if state.health.status != "live":
            return f"[Browser: {name} | {state.health.status}: {state.health.reason}]"
        tab = state.tabs.get(state.active_tab_id or "")
        parts = [name]
        if tab is not None:
            parts += [bare(without_login(tab.url)), bare(tab.title)]
        parts.append(f"{len(state.tabs)} tab(s)")
        if tab is not None and tab.status == "crashed":
            parts.append("crashed")
        waits = [(len(state.pending_dialogs), "dialog")]
        for kind in PROMPT_KINDS.values():
            prompts = state.prompts_of(kind.prompt)
            waits.append((sum(not one.answered for one in prompts), kind.noun.lower()))
        parts += [f"{n} {what}{'s' if n > 1 else ''} waiting" for n, what in waits if n]
        parts += self.control.state_parts()
        under_way = sum(d.status == "in_progress" for d in state.downloads)
        if under_way:
            parts.append(f"{under_way} download{'s' if under_way > 1 else ''} in progress")
        return self.control.hide(f"[Browser: {' | '.join(parts)}]")

    @property
    def upload_folders(self) -> tuple[Path, ...]:
        """The folders with files that pages may receive. The upload folder comes first."""
        return (*upload_folders(self.config), *self.lent_folders)

    def tab_of(self, ref: str | None, tab_id: str | None) -> str | None:
        """Return the tab that the caller named. If the caller named none, return the tab of the ref
        if it is still open."""
        if ref is None or tab_id is not None or (known := self.refs.known(ref)) is None:
            return tab_id
        return known.tab_id if known.tab_id in self.state.tabs else None

    def tab(self, tab_id: str | None = None) -> Tab:
        """Return the tab for an action.

        Raises:
            InvalidArgument: no tab has this id.
            BrowserGone: the browser is gone, no tab is open, or this tab could not be recovered.
        """
        state = self.state
        if state.health.status == "gone":
            raise BrowserGone(
                f"The browser is gone: {state.health.reason}.",
                OPEN_AGAIN,
                reason=state.health.reason,
            )
        wanted = tab_id or state.active_tab_id
        if wanted is None:
            raise BrowserGone(
                "The browser is open but has no tabs.",
                Hint("Open a tab", Next("navigate", url="..."), "."),
                reason="no tab",
            )
        tab = state.tabs.get(wanted)
        if tab is None and (instead := self.hangs.instead_of(wanted)) is not None:
            raise BrowserGone(
                f"Tab {wanted} hung and could not be recovered, so it was closed.",
                instead,
                reason="the tab could not be recovered",
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


def _ids_of(worlds: Iterable[Mapping[str, ExecutionContext]]) -> set[str]:
    return {world.unique_id for of_frame in worlds for world in of_frame.values()}

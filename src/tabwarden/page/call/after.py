"""After an action, report whether the page navigated and which element has the focus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from tabwarden.page.call.settle import is_on_its_way
from tabwarden.page.call.timing import ADDRESS_MS, FOCUS_MS
from tabwarden.page.task import PageSeen, Task
from tabwarden.page.walker import WorldGone, start, value_of
from tabwarden.supervisor.core.state.inputs import TitleRead
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Tab
from tabwarden.supervisor.runtime import Pending, Race

_DEEPEST = 8
_FRAMED = frozenset(("iframe", "frame", "object"))


class PageState(NamedTuple):
    """The state of a tab when an action begins."""

    documents: int
    loader_id: str
    url: str
    tabs: Mapping[str, Tab]
    """All tabs, keyed by ``tab_id``."""


def page_state_of(state: SupervisorState, tab_id: str) -> PageState:
    top, documents = state.top_frame(tab_id), state.documents_in(tab_id)
    loader_id, url = (top.loader_id, top.url) if top else ("", "")
    return PageState(documents, loader_id, url, state.tabs)


def navigation_since(
    task: Task, tab_id: str, before: PageState
) -> Literal["", "new_document", "same_document"]:
    """Return the kind of the navigation that has happened in a tab since ``before``; None if none
    has."""
    now = page_state_of(task.state, tab_id)
    if now.documents != before.documents or now.loader_id != before.loader_id:
        return "new_document"
    return "same_document" if now.url != before.url else ""


async def wait_for_addresses(task: Task, race: Race, before: PageState) -> None:
    """Wait until newly opened tabs have a URL."""

    def have(state: SupervisorState) -> bool:
        opened = (tab for tab_id, tab in state.tabs.items() if tab_id not in before.tabs)
        return all(tab.url not in ("", "about:blank") for tab in opened)

    if not have(task.state):
        await race.until(have, at_most_ms=min(ADDRESS_MS, race.budget.remaining_ms() * 0.5))


class Focus:
    """Finds the focused element. The request runs while the action takes its last steps."""

    def __init__(self, task: Task, race: Race, tab_id: str, page: PageSeen | None = None) -> None:
        self._task, self._race, self._tab_id = task, race, tab_id
        self._world: ExecutionContext | None = None
        self._page = page
        if page is not None:
            self._world, self._pending = page.world, None
            return
        top = task.state.top_frame_id(tab_id)
        if top is not None and not is_on_its_way(task.state, tab_id):
            self._world = task.worlds.known(top)
        self._pending = self._ask(self._world)

    async def find(self) -> dict[str, Any] | None:
        """Return the focused element, or None if nothing has the focus or the page responds too
        slowly."""
        world, pending, page = self._world, self._pending, self._page
        for _ in range(_DEEPEST):
            if world is None:
                return None
            focused = page.focus if page is not None else await self._answer(pending)
            if focused is None:
                return None
            page = None
            inner = self._frame_in(world, focused["id"]) if focused["tag"] in _FRAMED else None
            if inner is None:
                return self._describe(world, focused)
            world, pending = inner, self._ask(inner)
        return None

    def _ask(self, world: ExecutionContext | None) -> Pending[Any] | None:
        return start(self._race, world, "focusNow") if world is not None else None

    async def _answer(self, pending: Pending[Any] | None) -> dict[str, Any] | None:
        if pending is None:
            return None
        if not await self._race.answered(pending, at_most_ms=FOCUS_MS):
            return None
        try:
            focused: dict[str, Any] | None = await value_of(self._race, pending)
        except WorldGone:
            return None
        return focused

    def _frame_in(self, world: ExecutionContext, local_id: int) -> ExecutionContext | None:
        iframes = self._task.memory_of(self._tab_id).iframes_in(world)
        inner = iframes.inside.get(local_id)
        return self._task.worlds.known(inner) if inner is not None else None

    def _describe(self, world: ExecutionContext, focused: dict[str, Any]) -> dict[str, Any]:
        role, name = focused["role"] or "generic", focused["name"]
        ref = self._task.refs.assign(
            world.unique_id,
            focused["id"],
            role=role,
            name=name,
            tab_id=self._tab_id,
            frame_id=world.frame_id,
        )
        return {"ref": ref, "role": role, "name": name}


def store_title(task: Task, tab_id: str, page: PageSeen | None) -> bool:
    """Store the title that a page reported as part of another reply. Return True if the page and
    the browser process agree on the URL, so the tab needs no refresh."""
    tab, top = task.state.tabs.get(tab_id), task.state.top_frame(tab_id)
    if tab is None or top is None or page is None or not page.title:
        return False
    if page.world.frame_id != top.frame_id or tab.url != top.url:
        return False
    task.supervisor.feed(TitleRead(tab_id, page.title))
    return True

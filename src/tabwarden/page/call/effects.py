"""Collect the effects of a call's input, and the late effects of the previous input.

The requests run concurrently with the action's own commands, so they add no delay.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from tabwarden.errors import FrameNotFound
from tabwarden.journal import set_on_current_call
from tabwarden.page.call.settle import is_on_its_way
from tabwarden.page.call.timing import BEGIN_MS, FOCUS_MS
from tabwarden.page.task import (
    Asked,
    BegunRequests,
    Call,
    Done,
    EffectWatch,
    PageSeen,
    Task,
)
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext

_MOST_DOCUMENTS = 6


class Effects:
    """The effects that one call observes."""

    def __init__(self, call: Call) -> None:
        task, race, tab, spec = call
        self._call = call
        self._state = call.state
        self._is_leaving = is_on_its_way(call.state, tab.tab_id)
        self._earlier = call.memory.last_input
        self._watch: EffectWatch | None = None
        self._pending_earlier: Asked = ()
        if self._earlier is not None:
            self._earlier.next_line()
            if not self._is_leaving and not spec.uses_input:
                self._earlier.knows(_worlds(call))
                self._pending_earlier = self._earlier.ask(race)
            if self._earlier.is_over or spec.revives:  # this call causes the next changes
                call.memory.last_input = None
        if spec.uses_input:
            worlds = _worlds(call)
            requests = _requests_of(task, tab.tab_id)
            self._watch = EffectWatch(
                spec.name,
                tab.tab_id,
                call.state,
                worlds,
                requests,
                confirms=spec.confirms,
            )
            self._sessions = (tab.session_id, *(world.session_id for world in worlds))
            call.memory.last_input = self._watch

    def __enter__(self) -> Effects:
        if self._watch is not None:
            self._watch.requests.begin(self._sessions if self._call.spec.awaits_requests else ())
        return self

    def __exit__(self, *_: object) -> None:
        if self._watch is not None:
            self._watch.requests.end()

    async def begin(self) -> None:
        """Begin to observe the effects, unless the action does that itself."""
        task, race, tab, spec = self._call
        if self._watch is None:
            return
        if self._state.emulation.is_scaled:
            await task.shutter.away(race, tab.session_id)
        if self._is_leaving:
            return
        if not self._watch.listeners and (top := task.state.top_frame_id(tab.tab_id)):
            with contextlib.suppress(WorldGone, FrameNotFound):
                self._watch.listeners = [await task.worlds.of(race, top)]
        if spec.begins_effect:
            await self._watch.begin(race, at_most_ms=BEGIN_MS)

    def page_seen(self, outcome: Any) -> PageSeen | None:
        """Return the page's state from the outcome; None if the page has changed since then."""
        has_waited = self._watch is not None and self._watch.requests.were_awaited
        return outcome.seen if isinstance(outcome, Done) and not has_waited else None

    def are_under_way(self) -> bool:
        """Whether this input began a navigation or a request that no code has waited for yet."""
        state, watch = self._call.state, self._watch
        if is_on_its_way(state, self._call.tab.tab_id):
            return True
        return watch is not None and not watch.requests.were_awaited and watch.awaits(state)

    def ask(self, outcome: Any) -> None:
        """Request the effects from the documents, unless the outcome already has their replies."""
        self._pending: Asked = ()
        if self._watch is None:
            return
        if isinstance(outcome, Done) and outcome.effects is not None:
            self._watch.add(*outcome.effects)
            if not self._watch.requests.were_awaited:
                return
        if not is_on_its_way(self._call.state, self._call.tab.tab_id):
            self._pending = self._watch.ask(self._call.race)

    async def hear(self) -> None:
        """Collect the documents' replies."""
        race, reported = self._call.race, self._call.task.seen
        if self._watch is not None:
            await self._watch.hear(race, self._pending, at_most_ms=FOCUS_MS)
            if self._call.task.wants_locators:
                await _note_text(self._call, self._watch.texts)
        if self._earlier is not None:
            await self._earlier.hear(race, self._pending_earlier, at_most_ms=0)
            if self._watch is not None:
                self._earlier.add_late(self._watch)
            reported.came_late(self._earlier.late_line(self._state))


@contextlib.contextmanager
def observe_further(task: Task, tab_id: str) -> Iterator[EffectWatch | None]:
    """Keep observing the effects of a tab's last input after a dialog was answered, because the
    input's script now continues."""
    watch = task.memory_of(tab_id).last_input
    if watch is None:
        yield None
        return
    watch.next_line()
    watch.requests.begin(watch.requests.sessions)
    try:
        yield watch
    finally:
        watch.requests.end()


async def collect_effects(call: Call) -> None:
    """Collect the effects that a tab's last input has had since its result was returned."""
    watch = call.memory.last_input
    if watch is not None and not is_on_its_way(call.state, call.tab.tab_id):
        watch.knows(_worlds(call))
        await watch.hear(call.race, watch.ask(call.race), at_most_ms=FOCUS_MS)


async def _note_text(call: Call, texts: Iterable[str]) -> None:
    """Add text that appeared in the top document to the journal. Scripts generated from a recording
    use this text."""
    try:
        top = call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
        world = await call.task.worlds.of(call.race, top)
        for text in texts:
            if await call_walker(call.race, world, "present", "text", text) is not None:
                set_on_current_call(text_appeared=text)
                return
    except (WorldGone, FrameNotFound):
        return


@contextlib.contextmanager
def document_requests(call: Call, document: str) -> Iterator[BegunRequests]:
    """Listen to the requests of a tab that navigates, until another document replaces
    ``document``."""
    tab_id, requests = call.tab.tab_id, _requests_of(call.task, call.tab.tab_id)

    def stop_at_new(_: Any, state: SupervisorState) -> None:
        if state.document_in(tab_id) not in ("", document):
            requests.stop()

    requests.begin((call.tab.session_id,))
    unobserve = call.task.supervisor.observe(stop_at_new)
    try:
        yield requests
    finally:
        unobserve()
        requests.stop()


def _requests_of(task: Task, tab_id: str) -> BegunRequests:
    memory = task.memory_of(tab_id)

    def is_on() -> bool:
        state = task.state
        return state.recording or state.emulation.needs_network or memory.callers_network

    memory.requests = memory.requests or BegunRequests(task.supervisor, is_on)
    return memory.requests


def _worlds(call: Call) -> list[ExecutionContext]:
    """Return the worlds of the tab's known documents, the top one first."""
    state, tab_id = call.state, call.tab.tab_id
    top = state.top_frame_id(tab_id)
    ids = [frame.frame_id for frame in state.frames_of(tab_id)]
    ids.sort(key=lambda frame_id: frame_id != top)
    worlds = (call.task.worlds.known(frame_id) for frame_id in ids)
    return [world for world in worlds if world is not None][:_MOST_DOCUMENTS]

"""Collect an input's effects from the documents in its tab.

The walker observes each document for up to five seconds after the input, and reports the changes
on request (``js/input/effect.js``). The action's result contains the effects so far, and the next
call's result contains the later effects.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress

from tabwarden.page.task.begun_requests import BegunRequests
from tabwarden.page.task.effect import (
    DocumentEffect,
    document_effect,
    effect_line,
    frames_under_way,
)
from tabwarden.page.walker import WorldGone, start, value_of
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import Pending, Race

OBSERVED_S = 5.0
"""How long the walker observes a document."""

Asked = Sequence[Pending[runtime.EvaluateResult]]


class EffectWatch:
    """The effects of one input action.

    Args:
        action: the action's name.
        tab_id: the action's tab.
        before: the state when the action began.
        worlds: the worlds of the documents to observe.
        requests: the requests that the page sends while the input runs.
        confirms: see ``ActionSpec.confirms``.
    """

    def __init__(
        self,
        action: str,
        tab_id: str,
        before: SupervisorState,
        worlds: Iterable[ExecutionContext],
        requests: BegunRequests,
        *,
        confirms: bool,
    ) -> None:
        self.action = action
        self.confirms = confirms
        self.requests = requests
        self._tab_id = tab_id
        self._before = before
        """The state that the effect line compares with the current state."""
        self._answered = before
        """The state at the last result."""
        self._worlds = list(worlds)
        self.began_at = time.time()
        """When the action began, in wall-clock seconds."""
        self.listeners = self._worlds
        """The worlds of the documents that report whether they received the input."""
        self._documents: list[DocumentEffect] = []
        self._ends = time.monotonic() + OBSERVED_S

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self._ends

    def awaits(self, now: SupervisorState) -> bool:
        """Whether a request or a frame's navigation that began after the input is in progress."""
        return self.requests.awaits or any(frames_under_way(self._before, now, self._tab_id))

    def stands(self, top: ExecutionContext) -> bool:
        """Whether the tab still shows the document that received the input."""
        return bool(self._worlds) and self._worlds[0].unique_id == top.unique_id

    def worlds_below(self, top: ExecutionContext) -> list[ExecutionContext]:
        """Return the worlds of the documents in the frames of that document."""
        return self._worlds[1:] if self.stands(top) else []

    async def begin(self, race: Race, at_most_ms: float) -> None:
        """Start to observe the documents. Await this before sending the input, because a browser
        may deliver an input before commands that were sent earlier."""
        listening = [start(race, world, "inputExpected") for world in self.listeners]
        observing = [start(race, world, "effectBegins") for world in self._worlds]
        for begun in [*listening, *observing]:
            await race.answered(begun, at_most_ms=at_most_ms)

    def knows(self, worlds: Iterable[ExecutionContext]) -> None:
        """Use these worlds if no worlds were known when the input began."""
        self._worlds = self._worlds or list(worlds)

    def ask(self, race: Race) -> Asked:
        return [start(race, world, "effectSeen") for world in self._worlds]

    async def hear(self, race: Race, asked: Asked, at_most_ms: float) -> None:
        """Add the replies that arrive in time."""
        for one in asked:
            if not await race.answered(one, at_most_ms=at_most_ms):
                continue
            try:
                self.add(document_effect(await value_of(race, one)))
            except WorldGone:  # the document was replaced
                continue

    async def changed_ago_ms(self, race: Race, at_most_ms: float) -> float | None:
        """Return how long ago a document last changed; None if none has changed since the input."""
        ago: list[float] = []
        for one in [start(race, world, "lastChangeAgo") for world in self._worlds]:
            if await race.answered(one, at_most_ms=at_most_ms):
                with suppress(WorldGone):
                    ago += filter(None, [await value_of(race, one)])
        return min(ago, default=None)

    def add(self, *documents: DocumentEffect | None) -> None:
        self._documents += filter(None, documents)

    def add_late(self, next_input: EffectWatch) -> None:
        """Add the late effects that the documents reported with the next input's effects."""
        self.add(*(document.late for document in next_input._documents))

    @property
    def texts(self) -> list[str]:
        """The texts that appeared and are known in full."""
        texts = [text for one in self._documents for text in (*one.said, one.text)]
        return [text for text in texts if text and not text.endswith("…")]

    def has_facts(self, now: SupervisorState) -> bool:
        """Whether an effect of the input is known without asking the documents."""
        return self.confirms or bool(effect_line(self._before, now, self._tab_id, ()))

    def line(self, now: SupervisorState, *, tells_value: bool = False) -> str:
        """Return a line with the facts so far. ``tells_value`` says that the result also has a
        value."""
        self._answered = now
        return effect_line(
            self._before,
            now,
            self._tab_id,
            self._documents,
            under_way=self.requests.under_way if self.requests.were_awaited else (),
            without_page=self.requests.without_page,
            for_programs=self.requests.for_programs,
            refused=self.requests.refused,
            failed=self.requests.failed,
            tells_value=tells_value,
        )

    def next_line(self) -> None:
        """Start the next line without the facts of the last line."""
        self._before, self._documents = self._answered, []

    async def pass_over(self, race: Race, asked: Asked, now: SupervisorState) -> str:
        """Leave out the facts so far, because a snapshot shows them. Return a line only about texts
        that appeared and disappeared again, because a snapshot does not show these.

        Args:
            asked: the requests that were sent before the snapshot.
        """
        self._before, self._documents = now, []
        await self.hear(race, asked, at_most_ms=0)
        self._documents = [DocumentEffect(ms=0, passed=one.passed) for one in self._documents]
        return self.late_line(now)

    def late_line(self, now: SupervisorState) -> str:
        """Return the facts for a later call's result; "" if there are none."""
        self._answered = now
        line = effect_line(self._before, now, self._tab_id, self._documents, is_late=True)
        return f"after {self.action}: {line}" if line else ""

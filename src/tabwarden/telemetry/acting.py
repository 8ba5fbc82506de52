"""Counts, times, logs and traces one action, from start to end."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from tabwarden.errors import TabwardenError
from tabwarden.telemetry.spans import end_span, start_span

if TYPE_CHECKING:
    from tabwarden.telemetry.task import Telemetry


class Acting:
    """The result of ``Telemetry.acting``: ``with telemetry.acting("click") as acting:``. Set
    ``tab_id`` once it is known. Set ``outcome`` only if the action ends neither normally nor with
    an error: the outcome of an error is its code, and that of a cancelled call is "cancelled"."""

    __slots__ = ("_began", "_span", "_telemetry", "action", "outcome", "tab_id")

    def __init__(self, telemetry: Telemetry, action: str, tab_id: str | None) -> None:
        self._telemetry = telemetry
        self.action = action
        self.tab_id = tab_id
        self.outcome = "ok"
        self._began = time.perf_counter()

    def __enter__(self) -> Self:
        self._telemetry.in_flight.add(self)
        self._span = start_span(self._telemetry.tracer, self.action)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._telemetry.in_flight.discard(self)
        outcome = _outcome_of(exc) if exc is not None else self.outcome
        seconds = time.perf_counter() - self._began
        self._telemetry.action(self.action, outcome, seconds, tab_id=self.tab_id)
        if self._span is not None:
            end_span(self._span, outcome, self.tab_id, failed=exc is not None)


def _outcome_of(exc: BaseException) -> str:
    if isinstance(exc, TabwardenError):
        return exc.code
    if isinstance(exc, asyncio.CancelledError):
        return "cancelled"
    return "internal_error"

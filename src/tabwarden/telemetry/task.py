"""Telemetry of one task: the one place to tell of what happened.

Each method counts, and logs one line. Words that follow as ``facts`` are for the log alone; they
may name tabs and say why, and are redacted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any, Literal

from tabwarden.telemetry import totals
from tabwarden.telemetry.acting import Acting
from tabwarden.telemetry.reading import as_dict
from tabwarden.telemetry.redaction import redacted
from tabwarden.telemetry.spans import tracer

__all__ = ["Telemetry"]

log = logging.getLogger("tabwarden.telemetry")

_TAKEN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
"""What a log record calls its own; a fact of that name gets a ``_``."""
_DIALOG_TYPES = frozenset({"alert", "confirm", "prompt", "beforeunload"})


class Telemetry:
    """Counts, logs and traces one task. ``acting`` and ``metrics`` may be called from any thread;
    all other recording belongs to the engine's loop.

    Args:
        task_id: is in each log line, and in no metric.
    """

    def __init__(self, task_id: str) -> None:
        from tabwarden.telemetry.counters import Counters  # imports the Prometheus client

        self.task_id = task_id
        self.tracer = tracer()
        self.in_flight: set[Acting] = set()
        self._counters = Counters()
        self.gauge("tasks", lambda: 1)
        self.gauge("calls_in_flight", lambda: len(self.in_flight))

    def gauge(
        self,
        key: Literal["tasks", "tabs", "calls_in_flight", "commands_in_flight"],
        read: Callable[[], float],
    ) -> None:
        """Have a gauge read by ``read()``, on whichever thread looks."""
        self._counters.gauge(key, read)

    def metrics(self) -> dict[str, Any]:
        """This task's numbers; see ``Browser.metrics``."""
        return as_dict(self._counters.samples())

    # -- actions -----------------------------------------------------------------------------

    def acting(self, action: str, tab_id: str | None = None) -> Acting:
        """Around an action: ``with telemetry.acting("click", tab_id) as acting:``."""
        return Acting(self, action, tab_id)

    def action(self, name: str, outcome: str, seconds: float, *, tab_id: str | None = None) -> None:
        """An action ended; ``acting`` tells this by itself.

        Args:
            name: the action's.
            outcome: ok, interrupted, stale, or the error's code.
            seconds: how long it took.
            tab_id: for the log.
        """
        count = self._counters.count
        count("actions", name, outcome)
        self._counters.observe("durations", seconds, name)
        if name == "evaluate":
            self._counters.observe("evaluate", seconds, outcome)
        level = logging.DEBUG
        if outcome == "budget_exceeded":
            count("timeouts", name)
            level = logging.WARNING
        elif outcome == "cancelled":
            count("cancels", name)
            level = logging.INFO
        if log.isEnabledFor(level):
            ms = round(seconds * 1000, 1)
            self._log(level, "action_ended", action=name, outcome=outcome, ms=ms, tab_id=tab_id)

    # -- rescue ------------------------------------------------------------------------------

    def terminated(self) -> None:
        """``Runtime.terminateExecution`` was sent."""
        self._counters.count("terminations")

    def ladder_step(self, step: str, **facts: object) -> None:
        """A step of the recovery ladder is taken; ``step`` is one of few names."""
        self._counters.count("ladder_steps", step)
        self._log(logging.INFO, "ladder_step", step=step, **facts)

    def rescued(self, outcome: str, steps: Iterable[str] = (), **facts: object) -> None:
        """A rescue is over.

        Args:
            outcome: idle, freed, quieted, renewed, replaced, revived, gone, ...: one of few.
            steps: what was done, for the log; each was told by ``ladder_step``.
            facts: for the log.
        """
        self._counters.count("rescues", outcome)
        level = logging.INFO if outcome == "idle" else logging.WARNING
        self._log(level, "rescue", outcome=outcome, steps=", ".join(steps), **facts)

    # -- the browser -------------------------------------------------------------------------

    def opened(self, **facts: object) -> None:
        """The task's browser is there: from now on its numbers are among the process's."""
        totals.add(self._counters)
        self._log(logging.INFO, "browser_opened", **facts)

    def closed(self) -> None:
        """The task is over: what it counted stays among the process's numbers."""
        totals.retire(self._counters)
        self._log(logging.INFO, "browser_closed")

    def lost(self, reason: str) -> None:
        """The connection broke; it is sought again."""
        self._log(logging.WARNING, "connection_lost", reason=reason)

    def reconnect(self, result: Literal["tried", "done", "given_up"], **facts: object) -> None:
        """A lost connection is sought (each attempt), was found, or is given up."""
        self._counters.count("reconnects", result)
        level = logging.WARNING if result == "given_up" else logging.INFO
        self._log(level, "reconnect", result=result, **facts)

    def gone(self, reason: str) -> None:
        """The browser cannot be reached any more."""
        self._log(logging.WARNING, "browser_gone", reason=reason)

    # -- what happened -----------------------------------------------------------------------

    def noticed(self, kind: str, **facts: object) -> None:
        """Whatever the supervisor noticed, for the log at DEBUG."""
        self._log(logging.DEBUG, "noticed", kind=kind, **facts)

    def fallback(self, what: str, reason: str, **facts: object) -> None:
        """A second way was taken.

        Args:
            what: dialog, guard, screenshot, snapshot, ...: one of few.
            reason: why, or what was taken instead: one of few, never a sentence.
            facts: for the log.
        """
        self._counters.count("fallbacks", what, reason)
        self._log(logging.INFO, "fallback", what=what, reason=reason, **facts)

    def dialog_closed(self, kind: str, channel: str, closed_by: str, **facts: object) -> None:
        """A dialog is over; at INFO when the policy, the watchdog or somebody else closed it."""
        kind = kind if kind in _DIALOG_TYPES else "other"
        self._counters.count("dialogs", kind, channel, closed_by)
        level = {"agent": logging.DEBUG, "watchdog": logging.WARNING}.get(closed_by, logging.INFO)
        about = {"type": kind, "channel": channel, "closed_by": closed_by}
        self._log(level, "dialog_closed", **about, **facts)

    def crashed(self, what: Literal["tab", "frame"], **facts: object) -> None:
        """A renderer crashed."""
        self._counters.count("crashes", what)
        self._log(logging.WARNING, "crashed", what=what, **facts)

    def popup(self, **facts: object) -> None:
        """A page opened a tab."""
        self._counters.count("popups")
        self._log(logging.DEBUG, "popup", **facts)

    def download(self, status: str, **facts: object) -> None:
        """A download ended."""
        self._counters.count("downloads", status)
        self._log(logging.INFO, "download", status=status, **facts)

    def refused(self, reason: str, **facts: object) -> None:
        """The network policy refused a connection; ``reason`` is one of few."""
        self._counters.count("refused_connections", reason)
        self._log(logging.INFO, "connection_refused", reason=reason, **facts)

    # -- logging -----------------------------------------------------------------------------

    def _log(self, level: int, event: str, **facts: object) -> None:
        if not log.isEnabledFor(level):
            return
        told = {
            f"{key}_" if key in _TAKEN else key: redacted(fact) if isinstance(fact, str) else fact
            for key, fact in facts.items()
            if fact not in (None, "")
        }
        log.log(level, event, extra={"task_id": self.task_id, **told})

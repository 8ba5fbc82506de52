"""The telemetry of one task.

Each method counts an event and logs one line. Extra ``facts`` are only logged, not counted. They
may name tabs and reasons, and secrets are removed from them.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Literal

from tabwarden.telemetry import servers, totals
from tabwarden.telemetry.acting import Acting
from tabwarden.telemetry.naming import task_name
from tabwarden.telemetry.reading import as_dict
from tabwarden.telemetry.redaction import redacted
from tabwarden.telemetry.spans import tracer

log = logging.getLogger("tabwarden.telemetry")

_TAKEN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
"""Names that a log record already uses. A fact with such a name gets a ``_`` at its end."""
_PACE_S = 1.0
"""The least time between two lines of one kind that a page can cause without end."""
_DIALOG_TYPES = frozenset({"alert", "confirm", "prompt", "beforeunload"})


class Telemetry:
    """Counts, logs and traces one task. Log lines contain ``task_id``; metrics do not. Only
    ``acting`` and ``metrics`` may be called from any thread; call the rest on the engine's loop."""

    def __init__(self, task_id: str) -> None:
        from tabwarden.telemetry.counters import Counters  # imports the Prometheus client

        self.task_id = task_name(task_id)
        self.tracer = tracer()
        self.node = ""
        """The machine of a fleet that runs the browser; "" if there is no fleet."""
        self.hide: Callable[[dict[str, Any]], dict[str, Any]] = dict
        """Takes the secrets of the task out of the facts of a log line."""
        self.in_flight: set[Acting] = set()
        self._counters = Counters()
        self._paced: dict[tuple[int, str, object], tuple[float, int]] = {}
        """When each such kind of line was last logged, and how many were left out since."""
        self.gauge("tasks", lambda: 1)
        self.gauge("calls_in_flight", lambda: len(self.in_flight))

    def gauge(
        self,
        key: Literal["tasks", "tabs", "calls_in_flight", "commands_in_flight"],
        read: Callable[[], float],
    ) -> None:
        """Set the function that returns a gauge's value. The thread that collects it calls
        ``read``."""
        self._counters.gauge(key, read)

    def metrics(self) -> dict[str, Any]:
        return as_dict(self._counters.samples())

    # -- actions -----------------------------------------------------------------------------

    def acting(self, action: str, tab_id: str | None = None) -> Acting:
        return Acting(self, action, tab_id)

    def action(self, name: str, outcome: str, seconds: float, *, tab_id: str | None = None) -> None:
        """Record that an action ended; ``Acting`` calls this."""
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
        """Record that ``Runtime.terminateExecution`` was sent."""
        self._counters.count("terminations")

    def ladder_step(self, step: str, **facts: object) -> None:
        """Record a step of the recovery ladder; ``step`` is one of a few names."""
        self._counters.count("ladder_steps", step)
        self._log(logging.INFO, "ladder_step", step=step, **facts)

    def rescued(self, outcome: str, steps: Iterable[str] = (), **facts: object) -> None:
        """Record the end of a rescue. ``steps`` are only logged, not counted again."""
        self._counters.count("rescues", outcome)
        level = logging.INFO if outcome == "idle" else logging.WARNING
        self._log(level, "rescue", outcome=outcome, steps=", ".join(steps), **facts)

    # -- the browser -------------------------------------------------------------------------

    def opened(self, *, pid: int | None = None, **facts: object) -> None:
        """Record that the task's browser is open. The process's totals now include this task.

        Args:
            pid: the browser's first process, if we launched it.
            facts: what the log line says of the browser.
        """
        totals.add(self._counters)
        if pid is not None:
            servers.runs(self, self.task_id, pid)
        self._log(logging.INFO, "browser_opened", **facts)

    def closed(self) -> None:
        """Record that the task has ended. The process's totals keep its counts."""
        totals.retire(self._counters)
        servers.ended(self)
        for (level, event, what), (_, left_out) in self._paced.items():
            if left_out:
                self._log(level, event, what=what, left_out=left_out)
        self._log(logging.INFO, "browser_closed")

    def lost(self, reason: str) -> None:
        """Record that the connection broke and that Tabwarden will reconnect."""
        self._log(logging.WARNING, "connection_lost", reason=reason)

    def reconnect(self, result: Literal["tried", "done", "given_up"], **facts: object) -> None:
        """Record an attempt to reconnect ("tried"), a success ("done"), or the end of all attempts
        ("given_up")."""
        self._counters.count("reconnects", result)
        level = logging.WARNING if result == "given_up" else logging.INFO
        self._log(level, "reconnect", result=result, **facts)

    def gone(self, reason: str) -> None:
        """Record that the browser can't be reached any more."""
        self._log(logging.WARNING, "browser_gone", reason=reason)

    # -- events ------------------------------------------------------------------------------

    def noticed(self, kind: str, **facts: object) -> None:
        """Log a notice of the supervisor."""
        self._log(logging.DEBUG, "noticed", kind=kind, **facts)

    def fallback(self, what: str, reason: str, **facts: object) -> None:
        """Record that Tabwarden used a fallback; ``what`` and ``reason`` have few possible
        values."""
        self._counters.count("fallbacks", what, reason)
        self._log_paced(logging.INFO, "fallback", what=what, reason=reason, **facts)

    def dialog_closed(self, kind: str, channel: str, closed_by: str, **facts: object) -> None:
        kind = kind if kind in _DIALOG_TYPES else "other"
        self._counters.count("dialogs", kind, channel, closed_by)
        level = {"agent": logging.DEBUG, "watchdog": logging.WARNING}.get(closed_by, logging.INFO)
        about = {"type": kind, "channel": channel, "closed_by": closed_by}
        self._log_paced(level, "dialog_closed", **about, **facts)

    def crashed(self, what: Literal["tab", "frame"], **facts: object) -> None:
        self._counters.count("crashes", what)
        self._log(logging.WARNING, "crashed", what=what, **facts)

    def popup(self, **facts: object) -> None:
        """Record that a page opened a tab."""
        self._counters.count("popups")
        self._log(logging.DEBUG, "popup", **facts)

    def download(self, status: str, **facts: object) -> None:
        self._counters.count("downloads", status)
        self._log_paced(logging.INFO, "download", status=status, **facts)

    def refused(self, reason: str, **facts: object) -> None:
        self._counters.count("refused_connections", reason)
        self._log_paced(logging.INFO, "connection_refused", reason=reason, **facts)

    # -- logging -----------------------------------------------------------------------------

    def _log_paced(self, level: int, event: str, **facts: object) -> None:
        """Log a line that a page can cause without end: one a second, which counts the others."""
        key, now = (level, event, facts.get("what")), time.monotonic()
        last, left_out = self._paced.get(key, (-_PACE_S, 0))
        if now - last < _PACE_S:
            self._paced[key] = (last, left_out + 1)
            return
        self._paced[key] = (now, 0)
        self._log(level, event, **facts, left_out=left_out or None)

    def _log(self, level: int, event: str, **facts: object) -> None:
        if not log.isEnabledFor(level):
            return
        told = {
            f"{key}_" if key in _TAKEN else key: redacted(fact) if isinstance(fact, str) else fact
            for key, fact in facts.items()
            if fact not in (None, "")
        }
        where = {"node": self.node} if self.node else {}
        log.log(level, event, extra={"task_id": self.task_id, **where, **self.hide(told)})

"""One task's telemetry.

Each method counts an event and logs one line. Additional ``facts`` are only logged, not counted.
They may contain tabs and reasons; secrets are removed.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, Self

from tabwarden.errors import TabwardenError
from tabwarden.telemetry import servers, totals
from tabwarden.telemetry.counters import Counters, Sample
from tabwarden.telemetry.definitions import METRICS
from tabwarden.telemetry.redaction import redacted

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


def tracer() -> Tracer | None:
    """Return the tracer; None if nothing in this process has imported OpenTelemetry's API, because
    whoever sets up a provider imports it. Without a provider, the API records nothing."""
    if "opentelemetry.trace" not in sys.modules:
        return None
    from opentelemetry import trace  # waits if another thread, as the MCP SDK's, still imports it

    return trace.get_tracer("tabwarden")


def start_span(source: Tracer | None, action: str) -> Span | None:
    """Start a span; return None if it would not be recorded."""
    if source is None:
        return None
    span = source.start_span(f"tabwarden.{action}")
    return span if span.is_recording() else None


def end_span(span: Span, outcome: str, tab_id: str | None, *, failed: bool) -> None:
    """End a span with its action's outcome. The span contains no page content."""
    from opentelemetry.trace import StatusCode

    span.set_attribute("tabwarden.outcome", outcome)
    if tab_id is not None:
        span.set_attribute("tabwarden.tab_id", tab_id)
    if failed:
        span.set_attribute("error.type", outcome)
        span.set_status(StatusCode.ERROR, outcome)
    span.end()


def as_dict(samples: Iterable[Sample]) -> dict[str, Any]:
    """Return the metrics as nested dicts, keyed by metric, then by the value of each label. A
    metric without labels is just a number. A histogram is ``{"count": n, "sum_ms": ms}``.
    """
    read: dict[str, Any] = {metric.key: {} if metric.labels else 0 for metric in METRICS}
    for metric, name, labels, value in samples:
        path = [metric.key, *(text for label, text in labels if label in metric.labels)]
        if metric.kind != "histogram":
            _put(read, path, int(value))
        elif name.endswith("_count"):
            _put(read, [*path, "count"], int(value))
        elif name.endswith("_sum"):
            _put(read, [*path, "sum_ms"], round(value * 1000, 3))
    return read


def _put(into: dict[str, Any], path: list[str], value: float) -> None:
    *above, last = path
    for key in above:
        into = into.setdefault(key, {})
    into[last] = value


def browser_name(task: str, number: int) -> str:
    """Return the name of a task's browser. ``number`` counts the task's browsers from 1.

    The next browser may open before the previous one has closed, so each needs its own name.
    """
    return task if number == 1 else f"{task}#{number}"


def task_name(browser: str) -> str:
    """Return the name that the client gave to a browser's task."""
    task, _, number = browser.rpartition("#")
    return task if task and number.isdecimal() else browser


class Acting:
    """The result of ``Telemetry.acting``: ``with telemetry.acting("click") as acting:``. Set
    ``tab_id`` once it is known. Set ``outcome`` only if the action ends neither normally nor with
    an error: the outcome of an error is its code, and the outcome of a canceled call is
    "cancelled".
    """

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

    def __exit__(self, _: object, exc: BaseException | None, *__: object) -> None:
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


log = logging.getLogger("tabwarden.telemetry")

_TAKEN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
"""Names that a log record already uses. A fact with one of these names gets a ``_`` at the end."""
_PACE_S = 1.0
"""The minimum time between two log lines of one kind, because a page can cause any number of
them.
"""
_DIALOG_TYPES = frozenset({"alert", "confirm", "prompt", "beforeunload"})


class Telemetry:
    """Counts, logs and traces one task. Log lines contain ``task_id``; metrics do not. Only
    ``acting`` and ``metrics`` may be called from any thread; call the other methods on the engine's
    loop.
    """

    def __init__(self, task_id: str) -> None:
        self.task_id = task_name(task_id)
        self._tracer: Tracer | None = None
        self.node = ""
        """The fleet node that runs the browser; "" without a fleet."""
        self.hide: Callable[[dict[str, Any]], dict[str, Any]] = dict
        """Removes the task's secrets from a log line's facts."""
        self.in_flight: set[Acting] = set()
        self._counters = Counters()
        self._paced: dict[tuple[int, str, object], tuple[float, int]] = {}
        """For each limited kind of line: when a line was last logged, and how many were omitted
        since then.
        """
        self.gauge("tasks", lambda: 1)
        self.gauge("calls_in_flight", lambda: len(self.in_flight))

    @property
    def tracer(self) -> Tracer | None:
        """The source of spans; None while nobody uses OpenTelemetry."""
        self._tracer = self._tracer or tracer()
        return self._tracer

    @tracer.setter
    def tracer(self, source: Tracer) -> None:
        self._tracer = source

    def gauge(
        self,
        key: Literal["tasks", "tabs", "calls_in_flight", "commands_in_flight"],
        read: Callable[[], float],
    ) -> None:
        """Set the function that returns a gauge's value. The collecting thread calls ``read``."""
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
        """Record a step of the recovery ladder; ``step`` has only a few possible values."""
        self._counters.count("ladder_steps", step)
        self._log(logging.INFO, "ladder_step", step=step, **facts)

    def rescued(self, outcome: str, steps: Iterable[str] = (), **facts: object) -> None:
        """Record the end of a rescue. ``steps`` are only logged, not counted again."""
        self._counters.count("rescues", outcome)
        level = logging.INFO if outcome == "idle" else logging.WARNING
        self._log(level, "rescue", outcome=outcome, steps=", ".join(steps), **facts)

    # -- the browser -------------------------------------------------------------------------

    def opened(self, *, pid: int | None = None, **facts: object) -> None:
        """Record that the task's browser is open. From now on, the process's totals include this
        task.

        Args:
            pid: the browser's first process, if we launched it.
            facts: the browser's properties for the log line.
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
        """Record that the browser can no longer be reached."""
        self._log(logging.WARNING, "browser_gone", reason=reason)

    # -- events ------------------------------------------------------------------------------

    def noticed(self, kind: str, **facts: object) -> None:
        """Log one of the supervisor's notices."""
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
        """Log a line that a page can cause any number of times: at most one per second, with the
        number of omitted lines.
        """
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
        extra = {
            f"{key}_" if key in _TAKEN else key: redacted(fact) if isinstance(fact, str) else fact
            for key, fact in facts.items()
            if fact not in (None, "")
        }
        where = {"node": self.node} if self.node else {}
        log.log(level, event, extra={"task_id": self.task_id, **where, **self.hide(extra)})

"""Every metric that there is: its name, its labels, and what it says.

Labels have few values: no task, tab, URL or text of a page is ever one.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["METRICS", "Kind", "Metric"]

Kind = Literal["counter", "histogram", "gauge"]


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """One metric, for a task and for the whole process."""

    key: str
    """Its name in ``Browser.metrics()``."""
    kind: Kind
    name: str
    """Its name at ``/metrics``; a counter's ends with ``_total`` there, by Prometheus' rule."""
    labels: tuple[str, ...] = ()
    words: str


METRICS: tuple[Metric, ...] = (
    Metric(
        key="actions",
        kind="counter",
        name="tabwarden_actions",
        labels=("action", "outcome"),
        words="Actions that ended. Outcome: ok, interrupted, stale (a snapshot of what was last "
        "known), the code of the error, or internal_error.",
    ),
    Metric(
        key="durations",
        kind="histogram",
        name="tabwarden_action_duration_seconds",
        labels=("action",),
        words="How long actions took, rescue of the page included.",
    ),
    Metric(
        key="evaluate",
        kind="histogram",
        name="tabwarden_evaluate_duration_seconds",
        labels=("outcome",),
        words="How long evaluate took, by outcome.",
    ),
    Metric(
        key="timeouts",
        kind="counter",
        name="tabwarden_timeouts",
        labels=("action",),
        words="Actions that ended with budget_exceeded.",
    ),
    Metric(
        key="cancels",
        kind="counter",
        name="tabwarden_cancels",
        labels=("action",),
        words="Actions that their caller gave up.",
    ),
    Metric(
        key="terminations",
        kind="counter",
        name="tabwarden_terminations",
        words="Runtime.terminateExecution sent: each stops whatever script runs in a renderer.",
    ),
    Metric(
        key="ladder_steps",
        kind="counter",
        name="tabwarden_ladder_steps",
        labels=("step",),
        words="Steps of the recovery ladder that were taken to free a tab.",
    ),
    Metric(
        key="rescues",
        kind="counter",
        name="tabwarden_rescues",
        labels=("outcome",),
        words="How rescues of a tab ended: idle (it answered), freed, quieted, renewed, replaced, "
        "revived, gone.",
    ),
    Metric(
        key="fallbacks",
        kind="counter",
        name="tabwarden_fallbacks",
        labels=("what", "reason"),
        words="Where a second way was taken because the first was not there.",
    ),
    Metric(
        key="dialogs",
        kind="counter",
        name="tabwarden_dialogs",
        labels=("type", "channel", "closed_by"),
        words="Dialogs that were closed. closed_by: agent, auto_policy, watchdog, remote.",
    ),
    Metric(
        key="reconnects",
        kind="counter",
        name="tabwarden_reconnects",
        labels=("result",),
        words="Connections that were lost and sought again: tried (each attempt), done, given_up.",
    ),
    Metric(
        key="crashes",
        kind="counter",
        name="tabwarden_crashes",
        labels=("what",),
        words="Renderers that crashed: a tab's own, or one of its frames'.",
    ),
    Metric(
        key="popups",
        kind="counter",
        name="tabwarden_popups",
        words="Tabs that a page opened.",
    ),
    Metric(
        key="downloads",
        kind="counter",
        name="tabwarden_downloads",
        labels=("status",),
        words="Downloads that ended: completed, canceled, failed.",
    ),
    Metric(
        key="refused_connections",
        kind="counter",
        name="tabwarden_refused_connections",
        labels=("reason",),
        words="Connections that the network policy refused: blocked_origin, not_allowed, "
        "loopback, private, link_local, metadata, reserved, invalid_host.",
    ),
    Metric(
        key="tasks",
        kind="gauge",
        name="tabwarden_tasks",
        words="Supervised browsers: 1 for a task, their number for the process.",
    ),
    Metric(key="tabs", kind="gauge", name="tabwarden_tabs", words="Open tabs."),
    Metric(
        key="calls_in_flight",
        kind="gauge",
        name="tabwarden_calls_in_flight",
        words="Actions that run.",
    ),
    Metric(
        key="commands_in_flight",
        kind="gauge",
        name="tabwarden_commands_in_flight",
        words="CDP commands whose reply somebody waits for.",
    ),
)
"""In the order of the reference (docs/reference/metrics.md)."""

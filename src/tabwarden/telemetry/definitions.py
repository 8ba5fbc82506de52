"""Every metric: its name, its labels, and its meaning.

A label has only a few possible values: never a tab, a URL or text from a page. Only a browser's
memory has its task as a label: a server limits the number of tasks.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["counter", "histogram", "gauge"]


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """One metric. Each task has its own value, and the process has the total."""

    key: str
    """The metric's name in ``Browser.metrics()``."""
    kind: Kind
    name: str
    """The metric's name at ``/metrics``. Prometheus adds ``_total`` to the name of a counter."""
    labels: tuple[str, ...] = ()
    words: str


METRICS: tuple[Metric, ...] = (
    Metric(
        key="actions",
        kind="counter",
        name="tabwarden_actions",
        labels=("action", "outcome"),
        words="Finished actions. Outcome: ok, interrupted, stale (a snapshot of the last known "
        "page), an error code, or internal_error.",
    ),
    Metric(
        key="durations",
        kind="histogram",
        name="tabwarden_action_duration_seconds",
        labels=("action",),
        words="Duration of actions, including page recovery.",
    ),
    Metric(
        key="evaluate",
        kind="histogram",
        name="tabwarden_evaluate_duration_seconds",
        labels=("outcome",),
        words="Duration of evaluate by outcome.",
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
        words="Actions that the caller cancelled.",
    ),
    Metric(
        key="terminations",
        kind="counter",
        name="tabwarden_terminations",
        words="Runtime.terminateExecution commands sent. Each stops the script that runs in a "
        "renderer.",
    ),
    Metric(
        key="ladder_steps",
        kind="counter",
        name="tabwarden_ladder_steps",
        labels=("step",),
        words="Recovery ladder steps taken to free a tab.",
    ),
    Metric(
        key="rescues",
        kind="counter",
        name="tabwarden_rescues",
        labels=("outcome",),
        words="Outcomes of tab rescues: idle (it answered), freed, quieted, renewed, replaced, "
        "revived, gone.",
    ),
    Metric(
        key="fallbacks",
        kind="counter",
        name="tabwarden_fallbacks",
        labels=("what", "reason"),
        words="How often Tabwarden used a fallback because the first method was unavailable.",
    ),
    Metric(
        key="dialogs",
        kind="counter",
        name="tabwarden_dialogs",
        labels=("type", "channel", "closed_by"),
        words="Closed dialogs. closed_by: agent, person, auto_policy, watchdog, remote.",
    ),
    Metric(
        key="reconnects",
        kind="counter",
        name="tabwarden_reconnects",
        labels=("result",),
        words="Reconnections after a lost connection: tried (each attempt), done, given_up.",
    ),
    Metric(
        key="crashes",
        kind="counter",
        name="tabwarden_crashes",
        labels=("what",),
        words="Renderer crashes, of a tab or one of its frames.",
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
        words="Finished downloads: completed, canceled, failed.",
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
        words="Supervised browsers: 1 for a task, the total for the process.",
    ),
    Metric(key="tabs", kind="gauge", name="tabwarden_tabs", words="Open tabs."),
    Metric(
        key="calls_in_flight",
        kind="gauge",
        name="tabwarden_calls_in_flight",
        words="Running actions.",
    ),
    Metric(
        key="commands_in_flight",
        kind="gauge",
        name="tabwarden_commands_in_flight",
        words="CDP commands that await a reply.",
    ),
)
"""All metrics, in the order of the reference (docs/reference/metrics.md)."""

SERVER_METRICS: tuple[Metric, ...] = (
    Metric(
        key="browser_memory",
        kind="gauge",
        name="tabwarden_browser_memory_bytes",
        labels=("task_id",),
        words="Memory of all processes of a browser that Tabwarden launched. Shared memory "
        "counts in parts (PSS). Read when Prometheus asks; only on Linux.",
    ),
    Metric(
        key="free_memory",
        kind="gauge",
        name="tabwarden_free_memory_bytes",
        words="Memory that the machine or the container has free; "
        "see server.min_free_memory_mb. Only on Linux.",
    ),
    Metric(
        key="opening_tasks",
        kind="gauge",
        name="tabwarden_opening_tasks",
        words="Tasks that wait for their browser to open.",
    ),
    Metric(
        key="refused_tasks",
        kind="counter",
        name="tabwarden_refused_tasks",
        labels=("reason",),
        words="Calls that could open no browser. Reason: tasks, memory, or tenant (the limit of a "
        "tenant's token).",
    ),
)
"""The metrics of a process and its servers. They are only at ``/metrics``."""

FLEET_METRICS: tuple[Metric, ...] = (
    Metric(
        key="fleet_tasks",
        kind="gauge",
        name="tabwarden_fleet_tasks",
        labels=("node",),
        words="Tasks that have a browser on the node.",
    ),
    Metric(
        key="fleet_places",
        kind="gauge",
        name="tabwarden_fleet_places",
        labels=("node",),
        words="The most browsers that the node may have; 0 if it is drained or silent.",
    ),
    Metric(
        key="fleet_warm",
        kind="gauge",
        name="tabwarden_fleet_warm_browsers",
        labels=("node",),
        words="Browsers that the node has started ahead of time.",
    ),
    Metric(
        key="fleet_free_memory",
        kind="gauge",
        name="tabwarden_fleet_free_memory_bytes",
        labels=("node",),
        words="Memory that the node has free.",
    ),
    Metric(
        key="fleet_browser_memory",
        kind="gauge",
        name="tabwarden_fleet_browser_memory_bytes",
        labels=("node",),
        words="Memory of all browsers on the node (PSS).",
    ),
    Metric(
        key="fleet_nearly_late",
        kind="counter",
        name="tabwarden_fleet_nearly_late_renewals",
        labels=("node",),
        words="Renewals of the node's leases that came in the last quarter of their time: the node "
        "is too busy.",
    ),
    Metric(
        key="fleet_waiting",
        kind="gauge",
        name="tabwarden_fleet_waiting_tasks",
        words="Tasks that wait for a place.",
    ),
    Metric(
        key="fleet_leases",
        kind="counter",
        name="tabwarden_fleet_leases",
        labels=("result",),
        words="Leases since the coordinator started: granted, refused (no place), lost (with "
        "their node).",
    ),
)
"""The metrics of a whole fleet, at ``/metrics`` of each server that uses the fleet."""

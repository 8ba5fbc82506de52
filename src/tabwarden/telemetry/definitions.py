"""Every metric: its name, its labels, and its meaning.

A label has only a few possible values, never a tab, a URL or page text. Only the metric for a
browser's memory has the task as a label, because a server limits the number of tasks.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["counter", "histogram", "gauge"]


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """A metric. Each task has its own value, and the process has the total."""

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
        words=(
            "Finished actions. Outcome: ok, interrupted, stale (the action returned a snapshot of "
            "the last known page), an error code, or internal_error."
        ),
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
        words="Duration of evaluate calls, by outcome.",
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
        words="Actions that the caller canceled.",
    ),
    Metric(
        key="terminations",
        kind="counter",
        name="tabwarden_terminations",
        words=(
            "Runtime.terminateExecution commands sent. Each one stops the script that is running "
            "in a renderer."
        ),
    ),
    Metric(
        key="ladder_steps",
        kind="counter",
        name="tabwarden_ladder_steps",
        labels=("step",),
        words="Steps of the recovery ladder taken to free a hung tab.",
    ),
    Metric(
        key="rescues",
        kind="counter",
        name="tabwarden_rescues",
        labels=("outcome",),
        words=(
            "Outcomes of tab rescues: idle (the tab responded), freed, quieted, renewed, replaced, "
            "revived, gone."
        ),
    ),
    Metric(
        key="fallbacks",
        kind="counter",
        name="tabwarden_fallbacks",
        labels=("what", "reason"),
        words="Fallbacks that Tabwarden used because its preferred method was unavailable.",
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
        words=(
            "Reconnections after a lost connection: tried (each attempt), done (successes), "
            "given_up."
        ),
    ),
    Metric(
        key="crashes",
        kind="counter",
        name="tabwarden_crashes",
        labels=("what",),
        words="Renderer crashes in a tab or in one of its frames.",
    ),
    Metric(
        key="popups",
        kind="counter",
        name="tabwarden_popups",
        words="Tabs that pages opened.",
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
        words="Supervised browsers: 1 for a task, or the total for the process.",
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
        words="CDP commands that are waiting for a reply.",
    ),
)
"""All metrics, in the order of the reference (docs/reference/metrics.md)."""

SERVER_METRICS: tuple[Metric, ...] = (
    Metric(
        key="browser_memory",
        kind="gauge",
        name="tabwarden_browser_memory_bytes",
        labels=("task_id",),
        words=(
            "Memory of all processes of a browser that Tabwarden launched. Shared memory is "
            "divided among its processes (PSS). Read when Prometheus scrapes; only on Linux."
        ),
    ),
    Metric(
        key="free_memory",
        kind="gauge",
        name="tabwarden_free_memory_bytes",
        words=(
            "Free memory on the machine or in the container; see server.min_free_memory_mb. Only "
            "on Linux."
        ),
    ),
    Metric(
        key="opening_tasks",
        kind="gauge",
        name="tabwarden_opening_tasks",
        words="Tasks that are waiting for their browser to open.",
    ),
    Metric(
        key="refused_tasks",
        kind="counter",
        name="tabwarden_refused_tasks",
        labels=("reason",),
        words=(
            "Calls that could not open a browser because of a limit. Reason: tasks, memory, or "
            "tenant (the limit of a tenant's token)."
        ),
    ),
)
"""The metrics of a process and its servers, which are available only at ``/metrics``."""

FLEET_METRICS: tuple[Metric, ...] = (
    Metric(
        key="fleet_tasks",
        kind="gauge",
        name="tabwarden_fleet_tasks",
        labels=("node",),
        words="Tasks with a browser on the node.",
    ),
    Metric(
        key="fleet_places",
        kind="gauge",
        name="tabwarden_fleet_places",
        labels=("node",),
        words=(
            "The maximum number of browsers on the node; 0 if the node is drained or not "
            "responding."
        ),
    ),
    Metric(
        key="fleet_warm",
        kind="gauge",
        name="tabwarden_fleet_warm_browsers",
        labels=("node",),
        words="Browsers that the node has started in advance.",
    ),
    Metric(
        key="fleet_free_memory",
        kind="gauge",
        name="tabwarden_fleet_free_memory_bytes",
        labels=("node",),
        words="Free memory on the node.",
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
        words=(
            "Lease renewals that the node sent in the last quarter of the lease's time. An "
            "increase means that the node is too busy."
        ),
    ),
    Metric(
        key="fleet_waiting",
        kind="gauge",
        name="tabwarden_fleet_waiting_tasks",
        words="Tasks that are waiting for a slot in the fleet.",
    ),
    Metric(
        key="fleet_leases",
        kind="counter",
        name="tabwarden_fleet_leases",
        labels=("result",),
        words=(
            "Leases since the coordinator started: granted, refused (no free slot), lost (the node "
            "was lost)."
        ),
    ),
)
"""A fleet's metrics, available at ``/metrics`` on each server that uses the fleet."""

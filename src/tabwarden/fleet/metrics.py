"""The fleet's metrics for ``/metrics``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from tabwarden.errors import TabwardenError
from tabwarden.fleet.client import connect_coordinator
from tabwarden.telemetry import read_fleet_with

_MB = 1 << 20


def show_metrics_of(address: str) -> None:
    """Add the metrics of the fleet at ``address`` to this process's ``/metrics``."""
    read_fleet_with(lambda: _numbers(address))


def _numbers(address: str) -> Mapping[str, Mapping[tuple[str, ...], float]]:
    """Query the coordinator. Runs on a thread without an event loop. If the coordinator does not
    respond, return no metrics.
    """
    try:
        status = asyncio.run(connect_coordinator(address).status())
    except TabwardenError:
        return {}
    nodes = status.nodes
    free: dict[tuple[str, ...], float] = {
        (n.node,): n.free_memory_mb * _MB for n in nodes if n.free_memory_mb is not None
    }
    usable = {n.node for n in nodes if n.state == "up" and not n.is_draining}
    return {
        "fleet_tasks": {(n.node,): n.tasks for n in nodes},
        "fleet_places": {(n.node,): n.max_tasks if n.node in usable else 0 for n in nodes},
        "fleet_warm": {(n.node,): n.warm for n in nodes},
        "fleet_free_memory": free,
        "fleet_browser_memory": {(n.node,): n.browser_memory_mb * _MB for n in nodes},
        "fleet_nearly_late": {(n.node,): n.nearly_late for n in nodes},
        "fleet_waiting": {(): len(status.waiting)},
        "fleet_leases": {
            ("granted",): status.granted,
            ("refused",): status.refused,
            ("lost",): status.lost,
        },
    }

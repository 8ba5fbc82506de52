"""The kinds of faults. Each function causes one, and undoes it if possible, within seconds."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from support.fleet_chaos.cluster import HEAD, NODES, Cluster, tabwarden
from support.fleet_chaos.machines import Process, browsers, send

LASTS_S = 6.0
"""How long a process is suspended or a link is cut: longer than leases and health checks."""
_BUSY_S, _BUSY_PROCESSES = 60.0, 31
_GCS_AWAY_S = 3.0
_ENDS_WITHIN_S = 10.0


def _host_killed(cluster: Cluster, node: str) -> None:
    send(signal.SIGKILL, *cluster.hosts(node))


def _host_stopped(cluster: Cluster, node: str) -> None:
    _stopped(*cluster.hosts(node))


def _raylet_killed(cluster: Cluster, node: str) -> None:
    """Its browsers must end by themselves. Then the machine is restarted."""
    send(signal.SIGKILL, *cluster.raylets(node))
    until = time.monotonic() + _ENDS_WITHIN_S
    while left := browsers(cluster.nodes[node].processes()):
        if time.monotonic() > until:
            raise RuntimeError(f"{len(left)} browsers outlive the raylet of {node}")
        time.sleep(0.1)
    _power_lost(cluster, node)


def _raylet_stopped(cluster: Cluster, node: str) -> None:
    _stopped(*cluster.raylets(node))


def _coordinator_killed(cluster: Cluster, node: str) -> None:
    send(signal.SIGKILL, *cluster.coordinator()[1])


def _coordinator_stopped(cluster: Cluster, node: str) -> None:
    _stopped(*cluster.coordinator()[1])


def _head_killed(cluster: Cluster, node: str) -> None:
    """Kill Ray's GCS; restart it like a process supervisor."""
    [gcs] = cluster.gcs()
    folder = Path(f"/proc/{gcs.pid}")
    command = (folder / "cmdline").read_bytes().decode().rstrip("\0").split("\0")
    pairs = (folder / "environ").read_bytes().decode().rstrip("\0").split("\0")
    send(signal.SIGKILL, gcs)
    time.sleep(_GCS_AWAY_S)
    cluster.nodes[HEAD].start(
        "env", "-i", *pairs, "setsid", "-f", *command,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ).wait()  # fmt: skip


def _head_stopped(cluster: Cluster, node: str) -> None:
    _stopped(*cluster.gcs())


def _power_lost(cluster: Cluster, node: str) -> None:
    cluster.nodes[node].lose_power()
    cluster.restart(node)


def _link_cut(cluster: Cluster, node: str) -> None:
    """Disconnect a node from all other machines."""
    others = [machine for name, machine in cluster.nodes.items() if name != node]
    _cut(cluster, node, lambda: cluster.nodes[node].cut_from(cluster.client, *others))


def _half_cut(cluster: Cluster, node: str) -> None:
    """Disconnect a node from the other nodes, but not from its clients."""
    others = [machine for name, machine in cluster.nodes.items() if name != node]
    _cut(cluster, node, lambda: cluster.nodes[node].cut_from(*others))


def _client_cut(cluster: Cluster, node: str) -> None:
    """Disconnect a node from its clients only."""
    _cut(cluster, node, lambda: cluster.nodes[node].cut_from(cluster.client))


def _link_slow(cluster: Cluster, node: str) -> None:
    _cut(cluster, node, cluster.nodes[node].slow_down)


def _machines_busy(cluster: Cluster, node: str) -> None:
    """Load all machines, which share this machine's processors."""
    endless = (sys.executable, "-c", "while True: pass")
    busy = [subprocess.Popen(endless) for _ in range(_BUSY_PROCESSES)]
    try:
        time.sleep(_BUSY_S)
    finally:
        for one in busy:
            one.kill()
            one.wait()


def _drained(cluster: Cluster, node: str) -> None:
    drain = (*tabwarden("fleet", "drain", node), "--address", cluster.address)
    cluster.client.run(*drain)
    time.sleep(LASTS_S)
    cluster.client.run(*drain, "--undo")


def _stopped(*victims: Process) -> None:
    send(signal.SIGSTOP, *victims)
    time.sleep(LASTS_S)
    send(signal.SIGCONT, *victims)


def _cut(cluster: Cluster, node: str, cut: Callable[[], None]) -> None:
    try:
        cut()
        time.sleep(LASTS_S)
    finally:
        cluster.nodes[node].mend_links()


KINDS: dict[str, Callable[[Cluster, str], None]] = {
    "host killed": _host_killed,
    "host stopped": _host_stopped,
    "raylet killed": _raylet_killed,
    "raylet stopped": _raylet_stopped,
    "node lost": _power_lost,
    "coordinator killed": _coordinator_killed,
    "coordinator stopped": _coordinator_stopped,
    "head killed": _head_killed,
    "head stopped": _head_stopped,
    "link cut": _link_cut,
    "link to nodes cut": _half_cut,
    "link to clients cut": _client_cut,
    "link slow": _link_slow,
    "drained": _drained,
    "machines busy": _machines_busy,
}
KEEP_BROWSERS = {"host stopped", "machines busy"}
"""Faults that must not lose a browser."""
_NOT_OF_THE_HEAD = {"raylet killed", "raylet stopped", "node lost", "link cut", "link to nodes cut"}
"""Faults that would kill Ray's GCS, which is a separate fault."""
_OF_NO_NODE = {
    "coordinator killed", "coordinator stopped", "head killed", "head stopped", "machines busy",
}  # fmt: skip


def candidates(kind: str) -> tuple[str, ...]:
    """Return the nodes to which a fault applies; none if it is not a node's."""
    if kind in _OF_NO_NODE:
        return ()
    return NODES[1:] if kind in _NOT_OF_THE_HEAD else NODES

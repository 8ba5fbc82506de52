"""A fleet on three machines, as an operator starts it, and a fourth machine for its clients."""

from __future__ import annotations

import secrets
import subprocess
import sys
from pathlib import Path

from support.fleet_chaos.machines import OUTSIDE, Machine, Process, make_network

PORT, REDIS_PORT = 6380, 6399
NODES = ("n1", "n2", "n3")
HEAD = NODES[0]
_SETTINGS = {
    "TABWARDEN_FLEET__MAX_TASKS_PER_NODE": "8",
    "TABWARDEN_FLEET__WARM": "2",
    "TABWARDEN_FLEET__MIN_FREE_MEMORY_MB": "0",
}


class Cluster:
    """The machines, and what runs on them.

    Attributes:
        address: the head's, for ``Fleet.connect``.
        client: a machine that is part of the Ray cluster but runs no browsers.
    """

    def __init__(self, home: Path) -> None:
        (home / "shared/secrets").mkdir(parents=True, mode=0o700)
        (home / "redis").mkdir()
        make_network()
        password = secrets.token_hex(8)
        self._store = f"redis://:{password}@{OUTSIDE}:{REDIS_PORT}"
        self._redis = subprocess.Popen(
            ("redis-server", "--port", str(REDIS_PORT), "--bind", OUTSIDE, "--dir",
             str(home / "redis"), "--appendonly", "yes", "--appendfsync", "always",
             "--requirepass", password, "--save", ""),
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        self.nodes = {
            name: Machine(name, number, home, _SETTINGS | {"TABWARDEN_FLEET__NODE": name})
            for number, name in enumerate(NODES, 1)
        }
        self.client = Machine("c1", 9, home, _SETTINGS)
        self.address = f"{self.nodes[HEAD].address}:{PORT}"

    def join(self, node: str) -> None:
        """Make a machine a node or the head."""
        machine = self.nodes[node]
        is_head = ("--port", str(PORT), "--store", self._store)
        machine.run(*tabwarden("fleet", "up", *(is_head if node == HEAD else (self.address,))),
                    "--listen", machine.address, timeout_s=200)  # fmt: skip

    def join_all(self) -> None:
        self.join(HEAD)
        for node in NODES[1:]:  # one by one, because Ray times out on a slow start
            self.join(node)
        # A Ray program needs a Ray node on its machine.
        attach = (*tabwarden("fleet", "attach", self.address), "--listen", self.client.address)
        self.client.run(*attach, "--store", self._store, timeout_s=200)

    def leave(self, node: str) -> None:
        self.nodes[node].run(*tabwarden("fleet", "stop"))

    def restart(self, node: str) -> None:
        """Start a machine that lost its power, and let it rejoin."""
        self.nodes[node].restart()
        try:
            self.join(node)
        except RuntimeError:  # on a busy machine Ray's start exceeds its own timeout
            self.nodes[node].lose_power()
            self.nodes[node].restart()
            self.join(node)

    def hosts(self, node: str) -> list[Process]:
        return self.nodes[node].processes("ray::HostActor")

    def raylets(self, node: str) -> list[Process]:
        return self.nodes[node].processes("raylet/raylet ")

    def gcs(self) -> list[Process]:
        return self.nodes[HEAD].processes("gcs/gcs_server ")

    def coordinator(self) -> tuple[str, list[Process]]:
        """Return the coordinator's process and its node; "" if it is on the clients' machine."""
        for name, machine in {**self.nodes, "": self.client}.items():
            if found := machine.processes("ray::Coordinator"):
                return name, found + machine.processes("fleet.on_ray.coordinator_process")
        return "", []

    def lose_power(self) -> None:
        """Stop everything."""
        for machine in (*self.nodes.values(), self.client):
            machine.lose_power()
        self._redis.kill()
        self._redis.wait()


def tabwarden(*words: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "tabwarden.surfaces.cli", *words)

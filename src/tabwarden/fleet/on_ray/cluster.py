"""The cluster: start Ray on this machine for a fleet, join one, and stop it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import psutil
import ray
from platformdirs import user_state_path

from tabwarden.config import FleetConfig
from tabwarden.errors import EndpointUnreachable, InvalidArgument, LaunchFailed, NotSupported
from tabwarden.fleet.leasing import FleetStatus
from tabwarden.fleet.on_ray.connecting import connect, head_node, reach_ray, start_coordinator
from tabwarden.fleet.on_ray.names import (
    COORDINATOR,
    HEAD_RESOURCE,
    NAMESPACE,
    NODE_RESOURCE,
    host_actor,
)
from tabwarden.fleet.on_ray.own_processes import Raylet, end, marked, own_processes, raylets
from tabwarden.fleet.on_ray.secrets_folder import secrets_folder
from tabwarden.fleet.on_ray.timing import HOST_START_S, HOST_STOP_S, RAY_START_S

_RAY_SETTINGS = {
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
    "RAY_usage_stats_enabled": "0",
    "RAY_worker_niceness": "0",
}
"""Ray notices a dead node after 14.5 s with its defaults and 3.4 s with these (FINDINGS 15). The
leases don't depend on it, but the restart of the coordinator on another node does. By default, Ray
gives its workers a niceness of 15, and so all browsers, and on a busy machine leases run out."""
_OBJECT_STORE_BYTES = 100 << 20
"""We keep nothing in Ray's object store, and the default is a third of the memory."""
Ended = Literal["node", "fleet", "nothing"]


def up(config: FleetConfig, join: str | None, port: int) -> dict[str, Any]:
    """See ``on_ray.up``."""
    store = _store_of(config)
    _start_ray(
        config, join, port, store, {NODE_RESOURCE: 1, **({} if join else {HEAD_RESOURCE: 1})}
    )
    address = join or f"{_bracketed(config.listen)}:{port}"
    reach_ray(address)
    if join is None:
        start_coordinator(config, store)
    node = _await_host(address, config.listen)
    return {"address": address, "node": node, "secrets": str(secrets_folder())}


def attach(config: FleetConfig, join: str | None) -> dict[str, Any]:
    """See ``on_ray.attach``."""
    store = _store_of(config)
    if join is not None:
        _start_ray(config, join, 0, store, {})
    address = join or "auto"
    reach_ray(address)
    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    has_head = any(node["Alive"] and HEAD_RESOURCE in node["Resources"] for node in nodes)
    if store.startswith("sqlite:") and not has_head:
        raise InvalidArgument(
            f"fleet.store is a file, and no node of the Ray cluster has {HEAD_RESOURCE}.",
            "Set fleet.store to redis://HOST:PORT, or start Ray's head with "
            f"--resources='{{\"{HEAD_RESOURCE}\": 1}}'.",
            field="fleet.store",
        )
    start_coordinator(config, store)
    return {"address": address, "nodes": [node.node for node in _await_status(address).nodes]}


def down() -> Ended:
    """See ``on_ray.down``."""
    own = own_processes()
    if not own:
        return _end_attached() if any(raylets(psutil.process_iter())) else "nothing"
    nodes = list(raylets(own))
    for gcs in {node.gcs for node in nodes}:
        try:
            reach_ray(gcs)
            _stop_hosts([host_actor(node.node_id) for node in nodes if node.gcs == gcs])
        except (EndpointUnreachable, ray.exceptions.RayError):
            pass  # this Ray does not answer any more
        finally:
            ray.shutdown()
    if not end(own):
        raise LaunchFailed(
            "Processes of this fleet still run after SIGKILL.",
            "Look for them with `ps -ef | grep ray`; the system may be out of memory.",
        )
    _forget_addresses(nodes)
    return "node"


def _end_attached() -> Ended:
    """End the fleet on a Ray that something else has started here, and leave that Ray."""
    try:
        reach_ray("auto")
        try:
            coordinator = ray.get_actor(COORDINATOR, namespace=NAMESPACE)
        except ValueError:
            return "nothing"
        if ray.get_runtime_context().get_node_id() != head_node():
            raise NotSupported(
                "Something else than Tabwarden started the Ray on this machine, so it goes on.",
                "Empty this node with `tabwarden fleet drain NODE`, then end Ray as it was "
                "started. On the head of that Ray, `tabwarden fleet stop` ends the whole fleet.",
            )
        ray.kill(coordinator)  # first: it would start the hosts again
        nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
        _stop_hosts([host_actor(node["NodeID"]) for node in nodes])
    except (EndpointUnreachable, ray.exceptions.RayError):
        return "nothing"
    finally:
        ray.shutdown()
    return "fleet"


def _stop_hosts(names: list[str]) -> None:
    """End hosts with their browsers, as far as they answer."""
    stopping: list[Any] = []
    for name in names:
        with suppress(ValueError):  # it has no host
            stopping.append(ray.get_actor(name, namespace=NAMESPACE).stop.remote())
    if stopping:  # a host's process ends with it, which Ray may notice before it has the answer
        ray.wait(stopping, num_returns=len(stopping), timeout=HOST_STOP_S)


def _forget_addresses(ended: list[Raylet]) -> None:
    """Remove the file by which programs find this machine's Ray, if it names one that has ended."""
    running = {node.gcs for node in raylets(psutil.process_iter())}
    for node in ended:
        file = Path(node.temporary) / "ray_current_cluster"
        with suppress(OSError):
            if file.read_text().strip() == node.gcs and node.gcs not in running:
                file.unlink()


def _store_of(config: FleetConfig) -> str:
    return config.store.get_secret_value() if config.store is not None else default_store()


def default_store() -> str:
    folder = user_state_path("tabwarden")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return f"sqlite:{folder / 'fleet.sqlite'}"


def _start_ray(
    config: FleetConfig, join: str | None, port: int, store: str, resources: dict[str, int]
) -> None:
    command = [
        *_ray(),
        "start",
        f"--node-ip-address={config.listen}",
        f"--resources={json.dumps(resources)}",
        "--disable-usage-stats",
        f"--object-store-memory={_OBJECT_STORE_BYTES}",
        "--include-log-monitor=false",
    ]
    if join is not None:
        command += [f"--address={join}"]
    else:
        command += ["--head", f"--port={port}", "--include-dashboard=false"]
    environment = os.environ | _RAY_SETTINGS | {"TABWARDEN_FLEET__LISTEN": config.listen} | marked()
    if config.node is not None:
        environment["TABWARDEN_FLEET__NODE"] = config.node
    if store.startswith("redis") and join is None:
        parts = urlsplit(store)
        environment["RAY_REDIS_ADDRESS"] = f"{parts.hostname}:{parts.port or 6379}"
        if parts.password:
            command.append(f"--redis-password={parts.password}")
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=RAY_START_S,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise LaunchFailed(
            f"Ray did not start within {RAY_START_S:.0f} s.", "See /tmp/ray/session_latest/logs."
        ) from None
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise LaunchFailed(
            f"Ray did not start: {words[-1][:300] if words else done.returncode}",
            "If your fleet runs here already, `tabwarden fleet stop` ends it. If another Ray has "
            "the port, choose one with --port.",
            stderr="\n".join(words[-20:]),
        )


def _await_host(address: str, listen: str) -> str:
    """Wait until this machine's host has registered; return its node's name."""
    import asyncio

    coordinator = connect(address)
    deadline = time.monotonic() + HOST_START_S
    while time.monotonic() < deadline:
        try:
            status = asyncio.run(coordinator.status())
        except EndpointUnreachable:
            continue
        for node in status.nodes:
            if urlsplit(node.url).hostname == listen:
                return node.node
        time.sleep(0.2)
    raise EndpointUnreachable(
        f"Ray runs, but this node's host did not start within {HOST_START_S:.0f} s.",
        "See /tmp/ray/session_latest/logs (worker-*.err), and run `tabwarden doctor`.",
    )


def _await_status(address: str) -> FleetStatus:
    """Wait until the coordinator answers; return the fleet's status."""
    import asyncio

    coordinator = connect(address)
    deadline = time.monotonic() + HOST_START_S
    while True:
        try:
            return asyncio.run(coordinator.status())
        except EndpointUnreachable:
            if time.monotonic() > deadline:
                raise


def _ray() -> tuple[str, ...]:
    """Return the command that runs this environment's Ray."""
    beside = Path(sys.executable).with_name("ray")
    return (str(beside),) if beside.exists() else (sys.executable, "-m", "ray.scripts.scripts")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host

"""Start Ray on this machine: the command, its environment, and hints for failures."""

from __future__ import annotations

import ipaddress
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from tabwarden.config import FleetConfig
from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.fleet.on_ray.own_processes import marked
from tabwarden.fleet.on_ray.ray_start import PASSWORD
from tabwarden.fleet.on_ray.secrets_folder import secrets_folder

RAY_START_S = 90.0
"""How long ``ray start`` may take; some machines need half a minute."""
_RAY_SETTINGS = {
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
    "RAY_usage_stats_enabled": "0",
    "RAY_worker_niceness": "0",
    "AUTOSCALER_METRIC_PORT": "-1",
}
"""Ray detects a dead node after 14.5 s with its default settings, and after 3.4 s with these
settings (docs/facts.md, "Ray and dead nodes"). The leases don't depend on this, but the restart of
the coordinator on another node does. By default, Ray's workers, and therefore all browsers, run at
niceness 15, so leases would expire on a busy machine. Ray's autoscaler exposes its metrics to
everybody, without the token, unless the metrics port is unusable.
"""
_OBJECT_STORE_BYTES = 100 << 20
"""We store nothing in Ray's object store, whose default size is a third of the memory."""
_REDIS_FILES = {
    "ssl_ca_certs": "RAY_REDIS_CA_CERT",
    "ssl_certfile": "RAY_REDIS_CLIENT_CERT",
    "ssl_keyfile": "RAY_REDIS_CLIENT_KEY",
}
"""The options for files in a ``rediss://`` URL: redis-py's names, mapped to Ray's names."""


def check_join(listen: str, head: str) -> None:
    """Check the addresses for a machine that joins the Ray cluster whose head is at ``head``.

    Raises:
        InvalidArgument: ``head`` is not ``HOST:PORT``, or the head is another machine that can't
            reach this machine at ``listen``.
    """
    try:
        parts = urlsplit(f"//{head}")
        is_right = parts.hostname and parts.port and parts.netloc == head and not parts.username
    except ValueError:
        is_right = False
    if not is_right:
        raise InvalidArgument(
            f"{head!r} is not a head's address.", "Write HOST:PORT, such as 10.0.0.1:6380."
        )
    if _is_loopback(listen) and not _is_loopback(parts.hostname or ""):
        raise InvalidArgument(
            f"Other machines in the fleet can't reach this machine at {listen}.",
            "Specify this machine's IP address in the head's network: --listen ADDRESS.",
            field="fleet.listen",
        )


def start_ray(
    config: FleetConfig,
    head: str | None,
    port: int,
    resources: Mapping[str, int],
    config_file: Path | None,
) -> None:
    """Start Ray on this machine, either as a head or to join the cluster whose head is at ``head``.

    Args:
        config: the ``fleet`` section.
        head: ``HOST:PORT``; None to start a head.
        port: the new head's port.
        resources: this node's custom Ray resources.
        config_file: the configuration file for the processes that Ray starts here; None for the
            file that the environment specifies.

    Raises:
        LaunchFailed: Ray did not start.
    """
    command, environment = ray_start(config, head, port, resources, config_file)
    try:
        done = subprocess.run(
            command, env=os.environ | environment | marked(), capture_output=True, text=True,
            timeout=RAY_START_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise LaunchFailed(
            f"Ray did not start within {RAY_START_S:.0f} s.",
            "See /tmp/ray/session_latest/logs." if head is None else _join_hint(head),
        ) from None
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise LaunchFailed(
            f"Ray did not start: {words[-1][:300] if words else done.returncode}",
            "If your fleet is already running here, `tabwarden fleet stop` stops it. "
            + (
                "If another Ray uses the port, choose a different port with --port."
                if head is None
                else _join_hint(head)
            ),
            stderr="\n".join(words[-20:]),
        )


def ray_start(
    config: FleetConfig,
    head: str | None,
    port: int,
    resources: Mapping[str, int],
    config_file: Path | None,
) -> tuple[list[str], dict[str, str]]:
    """Return the command that ``start_ray`` runs, and the environment variables that it adds."""
    options = [
        "start",
        f"--node-ip-address={config.listen}",
        f"--resources={json.dumps(resources)}",
        "--disable-usage-stats",
        f"--object-store-memory={_OBJECT_STORE_BYTES}",
        "--include-log-monitor=false",
    ]
    environment = _RAY_SETTINGS | {"TABWARDEN_FLEET__LISTEN": config.listen}
    if config.node is not None:
        environment["TABWARDEN_FLEET__NODE"] = config.node
    if config_file is not None:
        environment["TABWARDEN_CONFIG"] = str(config_file.expanduser().absolute())
    if head is not None:
        return [*_ray(), *options, f"--address={head}"], environment
    options += ["--head", f"--port={port}", "--include-dashboard=false"]
    store = urlsplit(config.store.get_secret_value() if config.store is not None else "")
    if store.scheme in ("redis", "rediss"):
        scheme = "rediss://" if store.scheme == "rediss" else ""
        environment["RAY_REDIS_ADDRESS"] = (
            f"{scheme}{bracketed(store.hostname or '')}:{store.port or 6379}"
        )
        query = parse_qs(store.query)
        environment |= {
            ours: query[theirs][0] for theirs, ours in _REDIS_FILES.items() if theirs in query
        }
        if store.username:
            options.append(f"--redis-username={unquote(store.username)}")
        if store.password:
            environment[PASSWORD] = unquote(store.password)
            return [sys.executable, "-m", "tabwarden.fleet.on_ray.ray_start", *options], environment
    return [*_ray(), *options], environment


def bracketed(host: str) -> str:
    """Return a host as it is written before a port."""
    return f"[{host}]" if ":" in host else host


def _join_hint(head: str) -> str:
    return (
        f"Check that the fleet's head is running at {head}, that the firewall lets this machine "
        "reach it, that both have the same versions of Ray and Python, and that "
        f"{secrets_folder()} contains that fleet's secrets."
    )


def _ray() -> tuple[str, ...]:
    """Return the command that runs this environment's Ray."""
    beside = Path(sys.executable).with_name("ray")
    return (str(beside),) if beside.exists() else (sys.executable, "-m", "ray.scripts.scripts")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

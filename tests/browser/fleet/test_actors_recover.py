"""The actors on a real Ray, while the store, a configuration or an address fails: they go on by
themselves. The tests share one Ray, and each leaves its fleet as it should be."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr
from support import other_ray
from support.eventually import eventually
from support.redis_server import free_port, redis_server

from tabwarden.config import FleetConfig
from tabwarden.errors import EndpointUnreachable
from tabwarden.fleet.leasing.values import Lease, LeaseRequest, NodeStatus

pytest.importorskip("ray", reason="needs ray: make env")
import ray

from tabwarden.fleet.on_ray.connecting import start_coordinator
from tabwarden.fleet.on_ray.names import NAMESPACE, NODE_RESOURCE, host_actor
from tabwarden.fleet.on_ray.remote_coordinator import RemoteCoordinator

pytestmark = [pytest.mark.calm, pytest.mark.long, pytest.mark.timeout(200)]

ADDRESS = "127.0.0.1:6396"
_WITHIN_S = 60.0
"""Ray starts a process for each actor, which takes seconds on a busy machine."""


class Cluster:
    """One node of Ray, whose host reads ``config``, and whose coordinator uses a Redis."""

    def __init__(self, folder: Path, logs: Path) -> None:
        self.config = folder / "config.yaml"
        self._logs = logs
        self._redis = ExitStack()
        self._redis_data = folder / "redis"
        self._redis_data.mkdir()
        self._redis_port = free_port()
        store = SecretStr(f"redis://127.0.0.1:{self._redis_port}")
        settings = FleetConfig(min_free_memory_mb=0, store=store)
        self.coordinator = RemoteCoordinator(start_coordinator(settings))

    def start_redis(self) -> None:
        self._redis.enter_context(redis_server(self._redis_data, self._redis_port))

    def kill_redis(self) -> None:
        self._redis.close()

    def failure(self) -> str:
        """Request the status; return the error text, or ""."""
        try:
            asyncio.run(self.coordinator.status())
        except EndpointUnreachable as error:
            return error.message
        return ""

    def node(self, *, other_than: str = "") -> NodeStatus:
        """Wait until the node has a working host; return it."""

        def found() -> NodeStatus | None:
            if self.failure():
                return None
            nodes = asyncio.run(self.coordinator.status()).nodes
            ups = [one for one in nodes if one.state == "up" and one.host_id != other_than]
            return ups[0] if ups else None

        node = eventually(found, within_s=_WITHIN_S, why_not=self.log)
        assert node is not None
        return node

    def kill_host(self) -> None:
        name = host_actor(ray.get_runtime_context().get_node_id())
        ray.kill(ray.get_actor(name, namespace=NAMESPACE))

    def log(self) -> str:
        """All log lines of the actors."""
        texts = list[str]()
        for file in sorted(self._logs.glob("worker-*.err")):
            with contextlib.suppress(FileNotFoundError):  # Ray renames it when its actor starts
                texts.append(file.read_text())
        return "".join(texts)

    def logs(self, words: str) -> None:
        """Wait until the actors log this text again."""
        before = self.log().count(words)
        eventually(lambda: self.log().count(words) > before, within_s=_WITHIN_S, why_not=self.log)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    home = tmp_path_factory.mktemp("home")
    (home / "config.yaml").write_text("fleet: {warm: many}\n")
    with (
        tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as temporary,
        pytest.MonkeyPatch.context() as environment,
        ExitStack() as ending,
    ):
        environment.setenv("HOME", str(home))  # Ray's token is there
        environment.setenv("TABWARDEN_CONFIG", str(home / "config.yaml"))
        head = other_ray.started_head(
            ADDRESS, f"--temp-dir={temporary}", f"--resources={json.dumps({NODE_RESOURCE: 1})}",
            environment=os.environ,
        )  # fmt: skip
        ending.callback(kill, head)  # Ray takes half a minute to exit by itself
        ending.callback(ray.shutdown)
        ray.init(ADDRESS, namespace=NAMESPACE, log_to_driver=False)
        cluster = Cluster(home, Path(temporary) / "session_latest/logs")
        ending.callback(cluster.kill_redis)
        yield cluster


def kill(head: subprocess.Popen[bytes]) -> None:
    for process in psutil.Process(head.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    head.kill()
    head.wait()


def test_coordinator_retries_its_startup_until_redis_is_available(cluster: Cluster) -> None:
    eventually(lambda: "Redis is not responding" in cluster.failure(), within_s=_WITHIN_S)
    cluster.logs("Redis is not responding")
    cluster.start_redis()
    assert eventually(lambda: not cluster.failure(), within_s=_WITHIN_S)


def test_host_starts_after_its_invalid_configuration_is_corrected(cluster: Cluster) -> None:
    cluster.logs("fleet.warm")
    cluster.config.write_text("fleet: {warm: 0, node: n1}\n")
    assert cluster.node().node == "n1"


def test_host_starts_after_its_listen_address_is_corrected(cluster: Cluster) -> None:
    before = cluster.node()
    cluster.config.write_text("fleet: {warm: 0, listen: 203.0.113.1}\n")
    cluster.kill_host()
    cluster.logs("203.0.113.1")
    cluster.config.write_text("fleet: {warm: 0, node: n2}\n")
    assert cluster.node(other_than=before.host_id).node == "n2"


def test_host_restarts_after_a_redis_outage(cluster: Cluster) -> None:
    before = cluster.node()
    cluster.kill_redis()
    cluster.logs("Redis is not responding")
    cluster.start_redis()
    cluster.kill_host()
    cluster.node(other_than=before.host_id)


def test_coordinator_restarts_after_a_lost_write_and_its_host_stays_registered(
    cluster: Cluster,
) -> None:
    """The coordinator's table and the store can differ, so only a new process can continue."""
    node = cluster.node()
    first = asyncio.run(cluster.coordinator.status())
    cluster.kill_redis()
    with pytest.raises(EndpointUnreachable):
        acquired(cluster)
    cluster.logs("coordinator could not start")
    cluster.start_redis()
    assert cluster.node().host_id == node.host_id, "the host outlived this"
    assert asyncio.run(cluster.coordinator.status()).term > first.term
    lease = eventually(lambda: acquired(cluster), within_s=_WITHIN_S)
    assert lease.host_id == node.host_id
    asyncio.run(cluster.coordinator.release(lease.task, lease.generation))


def acquired(cluster: Cluster) -> Lease:
    return asyncio.run(cluster.coordinator.acquire(LeaseRequest(task="t", timeout_s=10)))

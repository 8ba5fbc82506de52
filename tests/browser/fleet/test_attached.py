"""A fleet on a Ray that something else has started, as KubeRay does: with its own `ray start`, and
the secrets as files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from support import other_ray
from support.site import Site

pytest.importorskip("ray", reason="needs ray: make env")
pytestmark = [
    pytest.mark.calm,
    pytest.mark.timeout(300),
    pytest.mark.long,  # starts two clusters, which takes a minute
]

HEAD, GATEWAY, PORT = "127.0.0.4", "127.0.0.5", 6394
TOKEN = "a-token-for-this-test"


class Cluster:
    """Ray's head, as KubeRay starts it, with Tabwarden on the gateway."""

    def __init__(self, folder: Path) -> None:
        self._secrets = folder / "secrets"
        self._secrets.mkdir(mode=0o700)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("XDG_")
        } | {
            "HOME": str(folder),
            "TABWARDEN_FLEET_SECRETS": str(self._secrets),
            "TABWARDEN_FLEET__MIN_FREE_MEMORY_MB": "0",
            "TABWARDEN_SERVER__TOKEN": TOKEN,
        }

    def run(self, *words: str) -> Any:
        done = self.try_to_run(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def try_to_run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (sys.executable, "-m", "tabwarden.surfaces.cli", *words, "--json"),
            env=self.environment, capture_output=True, text=True, timeout=150, check=False,
        )  # fmt: skip

    def start_head(self, resources: dict[str, int]) -> None:
        for address in (HEAD, GATEWAY):
            self.run("fleet", "secrets", "--listen", address, "--name", "head.test")
        of_head = {
            "TABWARDEN_FLEET__LISTEN": HEAD,
            "TABWARDEN_FLEET__NODE": "worker-1",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(self._secrets / "ray.token"),
            "RAY_USE_TLS": "1",
            "RAY_TLS_SERVER_CERT": str(self._secrets / f"{HEAD}.pem"),
            "RAY_TLS_SERVER_KEY": str(self._secrets / f"{HEAD}.key"),
            "RAY_TLS_CA_CERT": str(self._secrets / "ca.pem"),
        }
        self.ray = other_ray.started_head(
            f"{HEAD}:{PORT}",
            f"--node-ip-address={HEAD}",
            f"--resources={json.dumps(resources)}",
            environment=self.environment | of_head,
        )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    try:
        yield cluster
    finally:
        cluster.run("fleet", "stop")
        other_ray.end(cluster.ray)


def test_gateway_starts_a_fleet_on_an_existing_ray_cluster_and_serves_its_browsers(
    cluster: Cluster, site: Site
) -> None:
    cluster.start_head({"tabwarden_node": 1, "tabwarden_head": 1})
    told = cluster.run("fleet", "attach", f"{HEAD}:{PORT}", "--listen", GATEWAY)
    assert told["address"] == f"{HEAD}:{PORT}"
    again = cluster.run("fleet", "attach", "--listen", GATEWAY)
    assert again["address"] == f"{HEAD}:{PORT}"
    with Gateway(cluster) as client:
        url = site.page("/", "<button>Buy</button>", title="Shop")
        went = client.post("/navigate", params={"task": "a1"}, json={"url": url}).json()
        assert went["title"] == "Shop", went
        (task,) = cluster.run("fleet", "tasks", "--address", f"{HEAD}:{PORT}")["tasks"]
        assert (task["task"], task["node"]) == ("a1", "worker-1")
        nodes = cluster.run("fleet", "nodes", "--address", f"{HEAD}:{PORT}")
        assert [node["node"] for node in nodes] == ["worker-1"]  # the gateway runs no browsers
    assert cluster.run("fleet", "stop") == {"ended": "node"}, "the gateway has left"
    assert cluster.run("fleet", "stop") == {"ended": "fleet"}, "this machine is also Ray's head"
    assert cluster.run("fleet", "stop") == {"ended": "nothing"}
    assert cluster.ray.poll() is None, "Ray goes on"


def test_fleet_attach_rejects_a_file_store_without_a_head_node(cluster: Cluster) -> None:
    cluster.start_head({"tabwarden_node": 1})
    done = cluster.try_to_run("fleet", "attach", f"{HEAD}:{PORT}", "--listen", GATEWAY)
    assert done.returncode != 0
    error = json.loads(done.stdout or done.stderr)["error"]
    assert error["code"] == "invalid_argument"
    assert error["data"]["field"] == "fleet.store"
    assert "redis://" in error["hint"]


class Gateway:
    """``tabwarden serve --fleet`` on the gateway."""

    def __init__(self, cluster: Cluster) -> None:
        self._environment = cluster.environment

    def __enter__(self) -> httpx2.Client:
        self._process = process = subprocess.Popen(
            (sys.executable, "-m", "tabwarden.surfaces.cli", "serve", "--port", "0",
             "--fleet", f"{HEAD}:{PORT}"),
            env=self._environment, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stderr is not None
        heard = []
        for line in process.stderr:
            heard.append(line)
            if line.startswith("Tabwarden serves on "):
                headers = {"Authorization": f"Bearer {TOKEN}"}
                self._client = httpx2.Client(base_url=line.split()[3], headers=headers, timeout=60)
                return self._client
        raise AssertionError("".join(heard))

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._process.terminate()
        self._process.communicate(timeout=60)

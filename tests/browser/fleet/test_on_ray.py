"""A fleet of two nodes on a real Ray, as an operator starts it. The tests share one fleet."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
from support import other_ray
from support.eventually import eventually
from support.pace import long_before
from support.site import Site

pytest.importorskip("ray", reason="needs ray: make env")
pytestmark = [
    pytest.mark.calm,  # Ray's start uses both processors
    pytest.mark.timeout(300),
]

HEAD, PORT = "127.0.0.1", 6391


class Machine:
    """Run our program as an operator does. Both nodes have the same home, as on one machine."""

    def __init__(self, home: Path) -> None:
        self.environment = os.environ | {"HOME": str(home)}
        self.config = home / "fleet.yaml"
        self.config.write_text(
            "fleet: {max_tasks_per_node: 3, min_free_memory_mb: 0}\n"
            "browser: {window_size: 900x700, ignore_https_errors: true}"
        )
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)

    def run(self, *words: str) -> Any:
        done = subprocess.run(
            (sys.executable, "-m", "tabwarden.surfaces.cli", *words, "--json"),
            env=self.environment, capture_output=True, text=True, timeout=150, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def nodes(self) -> dict[str, dict[str, Any]]:
        told = self.run("fleet", "nodes", "--address", f"{HEAD}:{PORT}")
        return {node["node"]: node for node in told}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    machine = Machine(tmp_path_factory.mktemp("home"))
    try:
        config = ("--config", str(machine.config))
        machine.run("fleet", "up", "--port", str(PORT), "--node", "n1", *config)
        other = ("--listen", "127.0.0.2", "--node", "n2", *config)
        machine.run("fleet", "up", f"{HEAD}:{PORT}", *other)
        yield machine
    finally:
        machine.run("fleet", "stop")


@contextlib.contextmanager
def serving(machine: Machine) -> Iterator[tuple[subprocess.Popen[str], httpx2.Client]]:
    """``tabwarden serve --fleet``, and a client with its token."""
    process = subprocess.Popen(
        (sys.executable, "-m", "tabwarden.surfaces.cli", "serve", "--port", "0",
         "--fleet", f"{HEAD}:{PORT}", "--log-level", "INFO"),
        env=machine.environment | {"TABWARDEN_SERVER__TOKEN": "a-token-for-this-test"},
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    url = ""
    for line in process.stderr:
        if line.startswith("Tabwarden serves on "):
            url = line.split()[3]
            break
    headers = {"Authorization": "Bearer a-token-for-this-test"}
    with httpx2.Client(base_url=url, headers=headers, timeout=60) as client:
        yield process, client
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture(scope="module")
def server(machine: Machine) -> Iterator[httpx2.Client]:
    with serving(machine) as (_, client):
        yield client


def test_fleet_status_on_ray_shows_two_running_nodes(machine: Machine) -> None:
    nodes = machine.nodes()
    assert {name: node["state"] for name, node in nodes.items()} == {"n1": "up", "n2": "up"}
    assert all(node["max_tasks"] == 3 for node in nodes.values())
    hosts = [psutil.Process(host_process(nodes, listen)) for listen in ("127.0.0.1", "127.0.0.2")]
    assert [host.nice() for host in hosts] == [0, 0], "a busy machine doesn't starve the browsers"
    secrets = Path(machine.environment["HOME"]) / ".local/share/tabwarden/fleet"
    assert {oct(file.stat().st_mode)[-3:] for file in secrets.iterdir()} == {"600"}


@pytest.mark.threat
def test_fleet_ports_do_not_answer_plain_http_requests(machine: Machine) -> None:
    """Ray listens on all addresses, and a server's caller can send a page to them."""
    ports = {one.laddr.port for one in sockets(machine) if one.status == psutil.CONN_LISTEN}
    assert PORT in ports
    answered = []
    for port in ports:
        with contextlib.suppress(httpx2.TransportError):
            answered.append((port, httpx2.get(f"http://{HEAD}:{port}/", timeout=5).status_code))
    assert answered == []


@pytest.mark.threat
def test_heartbeat_socket_listens_only_on_the_configured_address(machine: Machine) -> None:
    """For such a node, Ray uses the machine's network address."""
    udp = [one for one in sockets(machine) if one.type == socket.SOCK_DGRAM]
    assert {one.laddr.ip for one in udp} == {HEAD}, udp


def sockets(machine: Machine) -> list[Any]:
    """The sockets of all processes that this machine's programs have started."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("HOME") == machine.environment["HOME"]:
                found += process.net_connections("inet")
    return found


def test_server_places_tasks_on_both_nodes(
    machine: Machine, server: httpx2.Client, site: Site
) -> None:
    url = site.page("/", "<button>Buy</button>", title="Shop")
    for task in ("a1", "a2"):
        went = server.post("/navigate", params={"task": task}, json={"url": url}).json()
        assert went["title"] == "Shop", went
        read = server.get("/snapshot", params={"task": task}).json()
        assert 'button "Buy"' in read["snapshot"]
    tasks = machine.run("fleet", "tasks", "--address", f"{HEAD}:{PORT}")["tasks"]
    assert {task["task"] for task in tasks} == {"a1", "a2"}
    assert {task["node"] for task in tasks} == {"n1", "n2"}
    metrics = server.get("/metrics").text
    assert 'tabwarden_fleet_tasks{node="n1"} 1.0' in metrics
    assert 'tabwarden_fleet_tasks{node="n2"} 1.0' in metrics
    for task in ("a1", "a2"):
        server.post("/stop", params={"task": task})


@pytest.mark.long
def test_local_browser_script_runs_unchanged_on_the_fleet(machine: Machine, site: Site) -> None:
    """The script only opens its browser through the fleet."""
    url = site.page("/", "<input aria-label=Name>", title="Form")
    script = f"""
import asyncio
from tabwarden.fleet import Fleet

async def main():
    async with Fleet.connect("{HEAD}:{PORT}") as fleet, fleet.browser("task-7") as browser:
        await browser.goto({url!r})
        await browser.snapshot()
        await browser.type("Ada", ref="e1")
        print((await browser.evaluate("document.querySelector('input').value")).value)
        print([task.task for task in (await fleet.status()).tasks])

asyncio.run(main())
"""
    done = subprocess.run(
        (sys.executable, "-c", script), env=machine.environment, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines()[-2:] == ["Ada", "['task-7']"], done.stderr


@pytest.mark.long
def test_fleet_browser_uses_the_nodes_options_and_restores_a_storage_state(
    machine: Machine,
) -> None:
    script = f"""
import asyncio, tempfile
from tabwarden import BrowserConfig
from tabwarden.fleet import Fleet

async def main(folder):
    options = dict(window_size="900x700", args=["--kiosk"])
    config = BrowserConfig(restore="kept", state_dir=folder, **options)
    async with Fleet.connect("{HEAD}:{PORT}") as fleet:
        for _ in range(2):
            async with fleet.browser("task-8", config=config) as browser:
                print((await browser.evaluate("[outerWidth, outerHeight]")).value)
                print(browser.restored, *browser.warnings)
                await browser.cookies("set", name="a", value="1", domain="x.test", expires=4e9)

with tempfile.TemporaryDirectory() as folder:
    asyncio.run(main(folder))
"""
    done = subprocess.run(
        (sys.executable, "-c", script), env=machine.environment, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip
    first, _, second, told = done.stdout.splitlines()[-4:]
    assert first == second == "[900, 700]", done.stdout + done.stderr
    assert told.startswith("Restored 'kept': 1 cookies")
    assert told.endswith("with its own configuration: browser.args.")


@pytest.mark.long
def test_second_server_continues_the_browser_of_a_killed_server(
    machine: Machine, server: httpx2.Client, site: Site
) -> None:
    url = site.page("/", "<button>Buy</button>", title="Shop")
    with serving(machine) as (process, first):
        went = first.post("/navigate", params={"task": "d1"}, json={"url": url}).json()
        assert went.get("title") == "Shop", went
        first.post(
            "/act", params={"task": "d1"}, json={"kind": "evaluate", "fn": "window.kept = 7"}
        )
        process.kill()
    asked = {"kind": "evaluate", "fn": "window.kept"}
    told = server.post("/act", params={"task": "d1"}, json=asked).json()
    assert told["tabwarden"]["code"] == "not_open", told
    server.post("/start", params={"task": "d1"})
    told = server.post("/act", params={"task": "d1"}, json=asked).json()
    assert told.get("result") == 7, told
    server.post("/stop", params={"task": "d1"})


@pytest.mark.long
def test_drained_node_moves_its_task_to_the_other_node(
    machine: Machine, server: httpx2.Client, site: Site
) -> None:
    url = site.page("/", "<button>Buy</button>", title="Shop")
    went = server.post("/navigate", params={"task": "b1"}, json={"url": url}).json()
    assert went.get("title") == "Shop", went
    [task] = machine.run("fleet", "tasks", "--address", f"{HEAD}:{PORT}")["tasks"]
    machine.run("fleet", "drain", task["node"], "--wait", "--address", f"{HEAD}:{PORT}")
    assert machine.nodes()[task["node"]]["tasks"] == 0
    told = server.get("/snapshot", params={"task": "b1"}).json()
    assert told["code"] == "browser_gone", told
    assert told["tabwarden"]["data"]["planned"] is True
    assert eventually(
        lambda: server.get("/snapshot", params={"task": "b1"}).json().get("title") == "Shop"
    )
    machine.run("fleet", "drain", task["node"], "--undo", "--address", f"{HEAD}:{PORT}")
    server.post("/stop", params={"task": "b1"})


@pytest.mark.long
def test_killed_host_restarts_and_only_one_call_of_its_task_fails(
    machine: Machine, server: httpx2.Client, site: Site
) -> None:
    url = site.page("/", "<button>Buy</button>", title="Shop")
    went = server.post("/navigate", params={"task": "c1"}, json={"url": url}).json()
    assert went.get("title") == "Shop", went
    [task] = machine.run("fleet", "tasks", "--address", f"{HEAD}:{PORT}")["tasks"]
    listen = {"n1": "127.0.0.1", "n2": "127.0.0.2"}[task["node"]]
    os.kill(host_process(machine.nodes(), listen), 9)
    with long_before(60):
        told = server.get("/snapshot", params={"task": "c1"}).json()
        while "error" in told and told["tabwarden"]["data"].get("generation") is None:
            told = server.get("/snapshot", params={"task": "c1"}).json()
    assert told["tabwarden"]["data"]["previous_node"] == task["node"], told
    assert told["tabwarden"]["data"]["generation"] > task["generation"]
    went = server.post("/navigate", params={"task": "c1"}, json={"url": url}).json()
    assert went["title"] == "Shop"
    assert eventually(lambda: len(machine.nodes()) == 2, within_s=60), "the host starts again"
    server.post("/stop", params={"task": "c1"})


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Another Ray cluster of the same user, and its port."""
    port = 6392
    environment = os.environ | {"HOME": str(tmp_path)}
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        running = other_ray.started_head(
            f"127.0.0.1:{port}", f"--temp-dir={folder}", environment=environment
        )
        try:
            yield port, running
        finally:
            other_ray.end(running)


def processes_of(machine: Machine) -> set[psutil.Process]:
    """The processes with this machine's home and their children, except our own program."""
    found: set[psutil.Process] = set()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            is_program = "tabwarden.surfaces.cli" in process.cmdline()
            if process.environ().get("HOME") == machine.environment["HOME"] and not is_program:
                found |= {process, *process.children(recursive=True)}
    return {one for one in found if is_alive(one)}


@pytest.mark.long
def test_fleet_stop_ends_its_processes_and_no_other_ray_cluster(
    machine: Machine, foreign: tuple[int, subprocess.Popen[bytes]]
) -> None:
    port, others_ray = foreign
    of_others = set(psutil.Process(others_ray.pid).children(recursive=True))
    of_others |= {
        one
        for one in psutil.process_iter(["cmdline"])
        if f"--gcs_server_port={port}" in (one.info["cmdline"] or ())
    }
    before = processes_of(machine)
    names = [one.name() for one in before]
    assert names.count("raylet") == 2, names
    assert {"gcs_server", "chromium"} <= set(names), names
    assert machine.run("fleet", "stop") == {"ended": "node"}
    assert not [one for one in before | processes_of(machine) if is_alive(one)]
    assert other_ray.answers(f"127.0.0.1:{port}")
    assert others_ray.poll() is None
    assert all(one.is_running() for one in of_others), "the other Ray goes on"
    assert machine.run("fleet", "stop") == {"ended": "nothing"}
    assert other_ray.answers(f"127.0.0.1:{port}")


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def host_process(nodes: dict[str, dict[str, Any]], listen: str) -> int:
    """The process of a node's host, found by its client port."""
    port = next(
        node["url"].rpartition(":")[2] for node in nodes.values() if f"//{listen}:" in node["url"]
    )
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "cmdline").read_text()
            ports = (folder / "net/tcp").read_text() if "ray::HostActor" in name else ""
        except OSError:
            continue
        if ports and _listens(folder, int(port)):
            return int(folder.name)
    raise AssertionError(f"nobody listens on {port}")


def _listens(folder: Path, port: int) -> bool:
    inodes = {
        columns[9]
        for line in (folder / "net/tcp").read_text().splitlines()[1:]
        if (columns := line.split())[1].endswith(f":{port:04X}") and columns[3] == "0A"
    }
    for descriptor in (folder / "fd").iterdir():
        try:
            target = os.readlink(descriptor)
        except OSError:
            continue
        if target in {f"socket:[{inode}]" for inode in inodes}:
            return True
    return False

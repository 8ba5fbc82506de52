"""A host's behavior when browsers start slowly or not at all, and its warm pool."""

from __future__ import annotations

import json
import os
import shlex
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.eventually import eventually
from support.groups import browsers_of, running_in_group
from support.local_fleet import LocalFleet
from support.needs import needs, whole_chromium
from support.site import Site

from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, Proxy
from tabwarden.endpoints.configured import launch_options
from tabwarden.endpoints.finding import choose
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.errors import LaunchFailed
from tabwarden.fleet.client import use_coordinator
from tabwarden.fleet.coordinating import Coordinator
from tabwarden.fleet.hosting import Host, HostSettings
from tabwarden.fleet.hosting.hosted_task import TaskOver
from tabwarden.fleet.leasing.values import Heartbeat, Lease, LeaseRequest
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[LocalFleet]:
    """A fleet without nodes."""
    fleet = LocalFleet(tmp_path / "fleet.sqlite").start()
    yield fleet
    fleet.stop()


def connected(fleet: LocalFleet, task: str, timeout_ms: float = 15_000) -> Browser:
    return Browser.connect(
        f"fleet:?cluster={fleet.address}",
        task_id=task,
        config=BrowserConfig(),
        timeout_ms=timeout_ms,
    )


def warm_pids(host: Host) -> list[int]:
    return [browser.pid for browser in host._pool._warm]


def pid_of(host: Host, task: str) -> int:
    return host._tasks[task].browser.result().pid


@pytest.mark.threat
def test_host_kills_a_browser_that_starts_after_its_lease_expired(empty: LocalFleet) -> None:
    """By then the task can have another browser."""
    host = empty.add("n1")

    async def told_too_late() -> None:
        host._own("a1", 1, 0.0)  # by a heartbeat from before the current lease period
        with pytest.raises(TaskOver, match=r"could not be renewed|coordinator ended its lease"):
            await host._tasks["a1"].browser

    before = browsers_of(os.getpid())
    engine_loop().run_sync(told_too_late())
    assert eventually(lambda: browsers_of(os.getpid()) == before)


@pytest.mark.long
def test_heartbeats_renew_the_lease_of_a_browser_that_starts_slowly(
    empty: LocalFleet, tmp_path: Path
) -> None:
    """Heartbeats renew the lease in the meantime."""
    slow = tmp_path / "slow-browser"
    pause_s = empty.settings.lease_s + 1
    program = engine_loop().run_sync(chosen())
    slow.write_text(f'#!/bin/sh\nsleep {pause_s}\nexec {shlex.quote(program)} "$@"\n')
    slow.chmod(0o755)
    empty.add("n1", executable=slow)
    with connected(empty, "a1", 30_000) as browser:
        assert browser.evaluate("1 + 1").value == 2
        assert [task.generation for task in status(empty).tasks] == [1], "the first lease lasted"


@pytest.mark.long
def test_client_gets_a_warning_if_its_launch_options_differ_from_the_nodes_options(
    empty: LocalFleet, tmp_path: Path
) -> None:
    proxy = {"server": "http://proxy.example:3128", "password": "of the client"}
    client = {"proxy": proxy, "window_size": "900x700", "args": ["--kiosk"], "locale": "de-DE"}
    config = BrowserConfig(restore="kept", state_dir=tmp_path, **client)  # type: ignore[arg-type]
    theirs = config.model_copy(update={"args": [], "proxy": Proxy(server=proxy["server"])})
    empty.add("n1", launch=launch_options(theirs))
    sentences = []
    for _ in range(2):
        address = f"fleet:?cluster={empty.address}"
        with Browser.connect(address, task_id="a1", config=config) as browser:
            seen = browser.evaluate("[outerWidth, outerHeight, navigator.language]").value
            assert seen == [900, 700, "de-DE"]
            (told,) = browser.warnings
            assert told.endswith("with its own configuration: browser.args.")
            sentences.append(browser.restored)
            browser.cookies("set", name="login", value="1", domain="x.test", expires=4e9)
    assert sentences[1] == "Restored 'kept': 1 cookies, and the storage of 0 sites."
    with Browser.connect(address, config=theirs) as browser:
        assert browser.warnings == ()


async def chosen() -> str:
    return str((await choose(Budget(20_000))).path)


def test_launch_error_identifies_the_node_that_cannot_start_a_browser(empty: LocalFleet) -> None:
    empty.add("n1", executable="/bin/false")
    with pytest.raises(LaunchFailed, match="n1") as failed:
        connected(empty, "a1")
    assert failed.value.data["node"] == "n1"
    assert eventually(lambda: not status(empty).tasks), "its place is free"


class Slow:
    """A coordinator on a network so slow that a lease expires before its client receives it."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator
        self.leases: list[Lease] = []

    async def acquire(self, wanted: LeaseRequest) -> Lease:
        lease = await self._coordinator.acquire(wanted)
        self.leases.append(lease)
        await self._coordinator.moved(lease.task, lease.generation, 20)
        return lease

    def __getattr__(self, name: str) -> Any:
        return getattr(self._coordinator, name)


def test_launch_error_identifies_the_node_without_a_temporary_folder(
    empty: LocalFleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty.add("n1")
    monkeypatch.setattr(tempfile, "tempdir", "/proc/no-such-folder")
    with pytest.raises(LaunchFailed, match="n1"):
        connected(empty, "a1")
    assert eventually(lambda: not status(empty).tasks), "its place is free"


class OtherVersion:
    """A coordinator whose responses this host cannot decode."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.register = coordinator.register

    async def heartbeat(self, beat: Heartbeat) -> Any:
        return {"is_known": True}


def test_host_exits_after_an_internal_failure(empty: LocalFleet) -> None:
    """The node then gets another host. A host without heartbeats would prevent that."""
    host = Host(OtherVersion(empty.coordinator), HostSettings(node="n1", warm=0))
    engine_loop().run_sync(host.start())
    assert "it failed: AttributeError" in engine_loop().run_sync(host.run())


def test_late_client_gets_the_error_of_a_browser_that_did_not_start(
    empty: LocalFleet,
) -> None:
    empty.add("n1", executable="/bin/false")
    slow = Slow(empty.coordinator)
    use_coordinator(empty.address, slow)
    with pytest.raises(LaunchFailed, match=r"n1.* did not start") as failed:
        connected(empty, "a1")
    assert failed.value.data["node"] == "n1"
    assert len(slow.leases) == 1, "it did not try again and again"


def test_client_can_join_a_task_on_a_drained_node(empty: LocalFleet) -> None:
    """The lease stays valid until the client moves."""
    empty.add("n1")
    engine_loop().run_sync(empty.coordinator.acquire(LeaseRequest(task="a1")))
    engine_loop().run_sync(empty.coordinator.drain("n1"))
    connected(empty, "a1").close()


def test_first_call_of_a_task_uses_the_prelaunched_browser(empty: LocalFleet) -> None:
    host = empty.add("n1", warm=1)
    [ready] = eventually(lambda: warm_pids(host))
    with connected(empty, "a1") as browser:
        assert browser.evaluate("1 + 1").value == 2
        assert pid_of(host, "a1") == ready
        [next_one] = eventually(lambda: warm_pids(host))
        assert next_one != ready
    assert eventually(lambda: not running_in_group(ready)), "a browser serves one task only"
    assert warm_pids(host) == [next_one]


def test_host_replaces_a_prelaunched_browser_that_dies(empty: LocalFleet) -> None:
    host = empty.add("n1", warm=1)
    [ready] = eventually(lambda: warm_pids(host))
    os.killpg(ready, signal.SIGKILL)
    assert eventually(lambda: warm_pids(host) not in ([], [ready]))
    with connected(empty, "a1") as browser:
        assert browser.evaluate("1 + 1").value == 2


def test_host_kills_all_its_browsers_when_it_stops(empty: LocalFleet) -> None:
    host = empty.add("n1", warm=1)
    warm = eventually(lambda: warm_pids(host))
    browser = connected(empty, "a1")
    pids = {*warm, pid_of(host, "a1"), *eventually(lambda: warm_pids(host))}
    empty.end("n1")
    assert eventually(lambda: not any(running_in_group(pid) for pid in pids))
    browser.close()


def test_host_kills_its_browsers_and_exits_when_its_watchdog_dies(empty: LocalFleet) -> None:
    """Without a watchdog, a browser could outlive its lease."""
    host = empty.add("n1")
    empty.add("n2")
    empty.end("n2")
    browser = connected(empty, "a1")
    pid = pid_of(host, "a1")
    host._fence._watchdog.send_signal(signal.SIGKILL)
    assert eventually(lambda: empty._running["n1"].done())
    assert empty._running["n1"].result() == "the watchdog has exited"
    assert eventually(lambda: not running_in_group(pid))
    empty.hosts.pop("n1")
    browser.close()


def status(fleet: LocalFleet):
    return engine_loop().run_sync(fleet.coordinator.status())


@needs("chromium")  # a headless shell has no extensions
def test_node_loads_its_configured_extensions_into_its_browsers(
    empty: LocalFleet, site: Site, tmp_path: Path
) -> None:
    script = {"matches": ["<all_urls>"], "js": ["content.js"]}
    manifest = {"manifest_version": 3, "name": "M", "version": "1", "content_scripts": [script]}
    folder = tmp_path / "extension"
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "content.js").write_text("document.title = 'of the node'")
    launch = LaunchOptions(executable=whole_chromium(), extensions=(folder,))
    empty.add("n1", launch=launch)
    with connected(empty, "a1") as browser:
        browser.goto(site.page("/", ""))
        assert eventually(lambda: browser.evaluate("document.title").value == "of the node")


def test_client_gets_an_internal_launch_error_at_once(empty: LocalFleet) -> None:
    wrong: Any = ("a text where a path belongs",)
    empty.add("n1", launch=LaunchOptions(extensions=wrong))
    with pytest.raises(LaunchFailed, match="TypeError"):
        connected(empty, "a1")

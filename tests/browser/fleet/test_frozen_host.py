"""A host process that freezes or dies: its browsers end before their tasks start elsewhere."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.eventually import eventually
from support.groups import browsers_of, running_in_group
from support.host_process import serve, started
from support.local_fleet import LocalFleet
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone
from tabwarden.fleet.client import dialing, endpoint
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.fleet.leasing.values import LeaseRequest
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser


class Machines(NamedTuple):
    fleet: LocalFleet
    far: subprocess.Popen[bytes]
    """The host on the node "far"."""

    def state(self, name: str) -> str | None:
        """The state of a node in the coordinator's status, or None if there is no such node."""
        status = engine_loop().run_sync(self.fleet.coordinator.status())
        return next((node.state for node in status.nodes if node.node == name), None)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    terms = TableSettings(min_free_memory_mb=0, report_s=3.0)
    fleet = LocalFleet(tmp_path / "fleet.sqlite", terms).start()
    server = engine_loop().run_sync(serve(fleet.coordinator))
    machines = Machines(fleet, started("far", server.sockets[0].getsockname()[1]))
    try:
        assert eventually(lambda: machines.state("far"))
        yield machines
    finally:
        machines.far.send_signal(signal.SIGCONT)
        machines.far.communicate()
        fleet.stop()
        engine_loop().loop.call_soon_threadsafe(server.close)


def replaced(browser: Browser) -> dict[str, Any]:
    """Call until a call tells of another browser. A call that was on its way when the connection
    broke tells only that."""
    while True:
        with pytest.raises(BrowserGone) as told:
            browser.evaluate("document.title", timeout_ms=20_000)
        if "generation" in told.value.data:
            return told.value.data
        assert told.value.data["reconnecting"]


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_frozen_hosts_browser_dies_before_its_task_gets_another_browser(
    machines: Machines, site: Site, number: signal.Signals
) -> None:
    url = site.page("/1", "one", title="One")
    with Browser.connect(
        f"fleet:?cluster={machines.fleet.address}", task_id="a1", config=BrowserConfig()
    ) as browser:
        browser.goto(url)
        [old] = browsers_of(machines.far.pid)
        machines.fleet.add("near")
        machines.far.send_signal(number)
        told = replaced(browser)
        assert running_in_group(old) == []
        assert (told["previous_node"], told["node"], told["generation"]) == ("far", "near", 2)
        assert browser.goto(url).title == "One"


@pytest.mark.long
def test_resumed_host_serves_tasks_again_with_a_new_browser(machines: Machines, site: Site) -> None:
    address = f"fleet:?cluster={machines.fleet.address}"
    with Browser.connect(address, task_id="a1", config=BrowserConfig()) as browser:
        browser.goto(site.page("/1", "one"))
        machines.fleet.add("near")
        machines.far.send_signal(signal.SIGSTOP)
        assert replaced(browser)["node"] == "near"
        machines.fleet.end("near")
        machines.far.send_signal(signal.SIGCONT)
        told = replaced(browser)
        assert (told["node"], told["generation"]) == ("far", 3)
        assert browser.evaluate("1 + 1").value == 2
        assert len(browsers_of(machines.far.pid)) == 1


@pytest.mark.long
def test_resumed_host_forwards_no_requests_to_its_lost_browser(
    machines: Machines, site: Site
) -> None:
    url = site.page(
        "/", "<script>setInterval(() => fetch('/beat?' + performance.now()), 2)</script>"
    )
    address = f"fleet:?cluster={machines.fleet.address}"
    with Browser.connect(address, task_id="a1", config=BrowserConfig()) as browser:
        browser.goto(url)
        assert eventually(lambda: len(site.hits) > 20)
        machines.fleet.add("near")
        machines.far.send_signal(signal.SIGSTOP)
        assert replaced(browser)["node"] == "near"
        assert eventually(lambda: machines.state("far") != "up")
        before = len(site.hits)
        machines.far.send_signal(signal.SIGCONT)
        assert eventually(lambda: machines.state("far") == "up")
        assert browser.goto(site.page("/2", "two", title="Two")).title == "Two"
        assert [path for path in site.hits[before:] if path.startswith("/beat")] == []


@pytest.mark.long
def test_client_waiting_for_a_frozen_host_gets_a_browser_on_another_host(
    machines: Machines, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (dialing, endpoint):
        monkeypatch.setattr(module, "DIAL_S", 60.0, raising=False)
    address = f"fleet:?cluster={machines.fleet.address}"
    engine_loop().run_sync(machines.fleet.coordinator.acquire(LeaseRequest(task="a1")))
    machines.fleet.add("near")
    machines.far.send_signal(signal.SIGSTOP)  # it accepts connections and never responds
    with Browser.connect(
        address, task_id="a1", config=BrowserConfig(), timeout_ms=20_000
    ) as browser:
        assert browser.goto(site.page("/1", "one", title="One")).title == "One"

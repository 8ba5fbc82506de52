"""A browser on a fleet: the same API, and its behavior when its node or lease is lost."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import NamedTuple

import pytest
from support.eventually import eventually
from support.local_fleet import LocalFleet
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone, Capacity, InvalidArgument
from tabwarden.fleet import Fleet
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser

PAGE = """<title>Shop</title><h1>Shop</h1><input aria-label=Name>
<button onclick="document.title = 'bought'; alert('sure?')">Buy</button>
<input type=file aria-label=Picture onchange="this.files[0].text().then(t => document.title = t)">
<a href=/report.txt download>Report</a>"""


def connected(fleet: LocalFleet, task: str, options: str = "", **config: object) -> Browser:
    url = f"fleet:?cluster={fleet.address}{options}"
    return Browser.connect(url, task_id=task, config=BrowserConfig(**config))  # type: ignore[arg-type]


class Shop(NamedTuple):
    site: Site
    url: str


@pytest.fixture
def shop(site: Site) -> Shop:
    site.pages["/report.txt"] = "all is well"
    site.pages["/"] = PAGE
    return Shop(site, site.page("/other", "", title="Other").removesuffix("other"))


def test_fleet_browser_works_like_a_local_browser(fleet: LocalFleet, shop: Shop) -> None:
    with connected(fleet, "a1") as browser:
        browser.goto(shop.url)
        assert 'heading "Shop"' in browser.snapshot().text
        browser.type("Ada", ref="e1")
        assert browser.evaluate("document.querySelector('input').value").value == "Ada"
        bought = browser.click("e2")
        assert bought.status == "interrupted"
        assert bought.by is not None
        browser.dialog("accept")
        assert browser.evaluate("document.title").value == "bought"
        assert browser.is_launched
    assert eventually(lambda: not status(fleet).tasks)


def test_upload_and_download_transfer_files_between_client_and_node(
    fleet: LocalFleet, shop: Shop, tmp_path: Path
) -> None:
    (tmp_path / "up").mkdir()
    (tmp_path / "up" / "note.txt").write_text("hello from here")
    folders = {"upload_dir": tmp_path / "up", "download_dir": tmp_path / "down"}
    with connected(fleet, "a1", **folders) as browser:
        browser.goto(shop.url)
        browser.snapshot()
        browser.upload(["note.txt"], ref="e3")
        assert eventually(lambda: browser.evaluate("document.title").value == "hello from here")
        browser.click("e4")
        assert eventually(lambda: [d.status for d in browser.state.downloads] == ["completed"])
        stored = browser.state.downloads[0].path
        assert stored is not None
        assert Path(stored).is_relative_to(tmp_path / "down")
        assert Path(stored).read_text() == "all is well"


def test_node_enforces_the_clients_network_policy(fleet: LocalFleet, shop: Shop) -> None:
    """The client's policy decides, and a change applies at once."""
    with connected(fleet, "a1", blocked_origins=["localhost"]) as browser:
        browser.goto(shop.url)
        there = shop.url.replace("127.0.0.1", "localhost")
        shop.site.pages["/framing"] = f"<iframe src={there}></iframe>"
        browser.goto(shop.url + "framing")

        def refused() -> list[str | None]:
            failed = browser._task.state.failed_connections
            return [one.why for one in failed if one.place.host == "localhost"]

        assert eventually(refused)[-1] == "blocked_origin"
        browser.configure(BrowserConfig())
        browser.goto(there + "other")
        assert browser.evaluate("document.title").value == "Other"


def test_task_reports_a_lost_node_once_and_continues_on_another_node(
    fleet: LocalFleet, shop: Shop
) -> None:
    with connected(fleet, "a1") as browser:
        browser.goto(shop.url)
        [task] = status(fleet).tasks
        fleet.end(task.node)
        with pytest.raises(BrowserGone) as told:
            browser.click("e2", timeout_ms=10_000)
        assert told.value.data["previous_node"] == task.node
        assert told.value.data["node"] != task.node
        assert told.value.data["generation"] > task.generation
        assert browser.goto(shop.url).title == "Shop"
        assert shop.site.hits.count("/") == 2, "nothing was replayed"


def test_checkpoint_restores_logins_and_tabs_on_the_new_node(fleet: LocalFleet, shop: Shop) -> None:
    with connected(fleet, "a1", "&checkpoint_s=0.5") as browser:
        browser.goto(shop.url)
        browser.evaluate("document.cookie = 'user=ada; max-age=9999'; localStorage.cart = '3'")
        browser.tabs("open", url=shop.url + "report.txt")
        checkpoints = browser._task.checkpoints
        engine_loop().run_sync(checkpoints.take_now())
        [task] = status(fleet).tasks
        fleet.end(task.node)
        with pytest.raises(BrowserGone) as told:
            browser.snapshot(timeout_ms=10_000)
        assert "1 cookies" in told.value.message
        assert eventually(
            lambda: {tab.url for tab in browser.state.tabs} == {shop.url, shop.url + "report.txt"}
        )
        browser.goto(shop.url)
        kept = browser.evaluate("document.cookie + ' ' + localStorage.cart").value
        assert kept == "user=ada 3"


@pytest.mark.long
def test_drained_node_moves_its_idle_task_to_another_node(fleet: LocalFleet, shop: Shop) -> None:
    with connected(fleet, "a1") as browser:
        browser.goto(shop.url)
        [task] = status(fleet).tasks
        engine_loop().run_sync(fleet.coordinator.drain(task.node))
        assert eventually(lambda: browser._task.state.replacement is not None)
        with pytest.raises(BrowserGone) as told:
            browser.evaluate("1")
        assert told.value.data["planned"] is True
        assert "1 tabs" in told.value.message
        assert [one.node for one in status(fleet).tasks] != [task.node]
        assert eventually(lambda: browser.evaluate("document.title").value == "Shop")


@pytest.mark.long
def test_task_on_a_drained_node_keeps_its_browser_until_a_slot_is_free(
    fleet: LocalFleet, shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    fleet.end("n1")
    fleet.end("n2")
    fleet.add("n3", max_tasks=1)
    with connected(fleet, "a1") as browser:
        browser.goto(shop.url)
        browser.evaluate("window.here = 'still'")
        fleet.add("n4", max_tasks=1)
        with connected(fleet, "a2"):
            with caplog.at_level("WARNING", logger="tabwarden.fleet"):
                engine_loop().run_sync(fleet.coordinator.drain("n3"))
                assert eventually(lambda: "a1 stays on the node n3" in caplog.text)
            assert browser.evaluate("window.here").value == "still"
            assert {one.task: one.node for one in status(fleet).tasks} == {"a1": "n3", "a2": "n4"}
        assert eventually(lambda: browser._task.state.replacement is not None)
        with pytest.raises(BrowserGone) as told:
            browser.evaluate("1")
        assert told.value.data["planned"] is True
        assert told.value.data["node"] == "n4"
        assert eventually(lambda: browser.evaluate("document.title").value == "Shop")


@pytest.mark.long
def test_task_stays_on_its_node_if_the_drain_is_undone_in_time(
    fleet: LocalFleet, shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    fleet.end("n2")
    with connected(fleet, "a1") as browser:
        browser.goto(shop.url)
        with caplog.at_level("WARNING", logger="tabwarden.fleet"):
            engine_loop().run_sync(fleet.coordinator.drain("n1"))
            assert eventually(lambda: "a1 stays on the node n1" in caplog.text)
        engine_loop().run_sync(fleet.coordinator.undrain("n1"))
        assert eventually(lambda: fleet.coordinator._watching), "it waits for the end of its lease"
        fleet.add("n5")
        assert browser.evaluate("document.title").value == "Shop"
        assert [one.node for one in status(fleet).tasks] == ["n1"]


def test_dead_fleet_browser_raises_browser_gone(fleet: LocalFleet, shop: Shop) -> None:
    with connected(fleet, "a1") as browser:
        browser.goto(shop.url)
        os.killpg(browser_pid(fleet), signal.SIGKILL)
        assert eventually(lambda: browser.state.health.status == "gone")
        with pytest.raises(BrowserGone, match="exited on its own"):
            browser.evaluate("1")


@pytest.mark.long
def test_full_fleet_rejects_a_task_and_returns_a_retry_time(fleet: LocalFleet) -> None:
    fleet.end("n2")
    fleet.end("n1")
    fleet.add("n3", max_tasks=1)
    with connected(fleet, "a1"):
        with pytest.raises(Capacity) as full:
            Browser.connect(
                f"fleet:?cluster={fleet.address}",
                task_id="a2",
                config=BrowserConfig(),
                timeout_ms=500,
            )
        assert full.value.retry_after_s > 0
    with connected(fleet, "a2") as browser:
        assert browser.evaluate("1 + 1").value == 2


def test_fleet_limits_the_number_of_browsers_per_tenant(fleet: LocalFleet) -> None:
    async def open_two() -> None:
        mine = {"tenant": "acme", "max_tasks": 1, "config": BrowserConfig()}
        async with Fleet.connect(fleet.address) as programs, programs.browser("acme~1", **mine):
            with pytest.raises(Capacity):
                await programs.browser("acme~2", **mine, timeout_ms=500)
            mine["max_tasks"] = 2
            async with programs.browser("acme~2", **mine):
                assert [task.tenant for task in status(fleet).tasks] == ["acme", "acme"]

    asyncio.run(open_two())


@pytest.mark.long
def test_two_clients_of_one_task_share_its_browser(fleet: LocalFleet, shop: Shop) -> None:
    """As after a gateway restart: the second client finds the browser with its pages."""
    with connected(fleet, "a1") as browser:
        browser.goto(shop.url)
        other = engine_loop().run_sync(_second(fleet))
        assert other.generation == status(fleet).tasks[0].generation


async def _second(fleet: LocalFleet) -> object:
    from tabwarden.fleet.leasing.values import LeaseRequest

    return await fleet.coordinator.acquire(LeaseRequest(task="a1"))


@pytest.mark.parametrize(
    ("options", "named"), [("&what=1", "what"), ("&checkpoint_s=soon", "checkpoint_s")]
)
def test_fleet_address_error_identifies_the_invalid_option(options: str, named: str) -> None:
    with pytest.raises(InvalidArgument, match=named):
        Browser.connect(f"fleet:?cluster=x{options}", config=BrowserConfig())


def status(fleet: LocalFleet):
    return engine_loop().run_sync(fleet.coordinator.status())


def browser_pid(fleet: LocalFleet) -> int:
    """The process of the only browser."""
    [hosted] = [task for host in fleet.hosts.values() for task in host._tasks.values()]
    return hosted.browser.result().pid

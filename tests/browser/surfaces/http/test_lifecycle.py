"""Tasks and their browsers over HTTP: opened on demand, separate, closed without leftovers."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from browser.surfaces.http.client import Api, Serving, opened_socket, serving
from browser.surfaces.mcp.host import kill_browsers_of
from support.eventually import eventually
from support.pace import in_time, long_before
from support.site import Site

from tabwarden import Browser, Budget
from tabwarden.actions import Limits, Session, Tasks, Way
from tabwarden.errors import Capacity


@pytest.fixture
def folder() -> Iterator[Path]:
    """The temporary folder of a server's browsers; its path is short for Chromium's sockets."""
    with tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def browsers_in(folder: Path) -> list[int]:
    """The processes that use a profile in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str(folder).encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def test_each_task_has_its_own_browser(server: Serving, site: Site) -> None:
    url = site.page("/", "page")
    with Api(server.url, task="one") as one, Api(server.url, task="two") as two:
        one.post("/navigate", url=url)
        two.post("/navigate", url=url)
        one.value("document.cookie = 'who=one'")
        assert two.value("document.cookie") == ""
        assert {"one", "two"} <= {task["task"] for task in one.get("/")["tasks"]}
        assert one.post("/stop")["stopped"] is True
        assert one.get("/")["running"] is False
        assert two.value("1") == 1
        two.post("/stop")


@pytest.mark.long
def test_refs_are_not_reused_after_a_stop(server: Serving, site: Site) -> None:
    url = site.page("/", "<button>Go</button>")
    with Api(server.url, task="again") as api:
        api.post("/navigate", url=url)
        old = api.ref('"Go"')
        api.post("/stop")
        api.post("/start")
        api.post("/navigate", url=url)
        assert api.ref('"Go"') != old
        body = api.fail("/act", 500, kind="click", ref=old)
        assert body["tabwarden"]["code"] in ("stale_ref", "unknown_ref")
        api.post("/stop")


def test_stopping_a_task_cancels_its_calls(server: Serving) -> None:
    forever = '{"kind": "evaluate", "fn": "new Promise(() => {})", "timeoutMs": 60000}'
    with Api(server.url, task="ending") as api:
        api.post("/start")
        with opened_socket(server.url, "POST /act?task=ending", forever) as connection:
            while "tabwarden_calls_in_flight 0" in api.http.get("/metrics").text:
                pass
            assert api.post("/stop")["stopped"] is True
            connection.settimeout(10)
            assert b" 500 " in connection.recv(2000)


@pytest.mark.long
def test_server_rejects_a_second_task_at_the_task_limit() -> None:
    # Browsers are expensive, so the test reaches the task limit without them.
    async def met() -> None:
        async def launch(_: Way, budget: Budget) -> Browser:
            return await Browser.launch(timeout_ms=budget)

        tasks = Tasks(lambda _: Session(launch), lambda: Limits(max_tasks=1))
        budget = Budget(30_000)
        with tasks.call("one", budget, opens=True) as session:
            with (
                pytest.raises(Capacity) as caught,
                tasks.call("two", budget, opens=True),
            ):
                pass
            assert "one" not in caught.value.message  # another client's name
            await session.browser(may_open=True, budget=budget)
        with pytest.raises(Capacity), tasks.call("two", budget, opens=True):
            pass
        with tasks.call("one", budget, opens=True) as session:
            assert session.current is not None
        assert await tasks.stop("one") is True
        with tasks.call("two", budget, opens=True):
            pass
        await tasks.close()

    asyncio.run(met())


@pytest.mark.long
def test_server_reports_a_killed_browser_and_then_opens_a_new_one(site: Site) -> None:
    with serving() as server, Api(server.url) as api:
        api.post("/navigate", url=site.page("/", "page"))
        assert kill_browsers_of(server.process.pid)
        body = api.fail("/act", 500, kind="evaluate", fn="1", timeoutMs=10_000)
        assert body["tabwarden"]["code"] == "browser_gone"
        assert "POST /start" in body["error"]
        again = api.post("/navigate", url=site.page("/", "page"))
        assert "a new browser" in again["note"]
        assert api.value("1 + 1") == 2


@pytest.mark.long
def test_server_attaches_to_a_running_browser_and_keeps_it_running(port: int, site: Site) -> None:
    for _ in range(2):
        with serving("--endpoint", f"http://127.0.0.1:{port}") as server, Api(server.url) as api:
            api.post("/navigate", url=site.page("/", "page", title="Here"))
            assert api.value("document.title") == "Here"


@pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_the_server_and_leaves_nothing_behind(
    sig: int, folder: Path, site: Site
) -> None:
    with serving(TMPDIR=str(folder)) as server:
        for task in ("one", "two"):
            with Api(server.url, task=task) as api:
                api.post("/navigate", url=site.page("/", "page"))
        assert browsers_in(folder)
        loop = '{"kind": "evaluate", "fn": "while (true) {}", "timeoutMs": 60000}'
        with opened_socket(server.url, "POST /act?task=one", loop) as connection:
            with Api(server.url) as api:
                idle = "tabwarden_calls_in_flight 0"
                eventually(lambda: idle not in api.http.get("/metrics").text)
            with long_before(60):
                assert server.stop(sig) == 0
            assert b"the server stops" in connection.recv(4000)
    eventually(lambda: not browsers_in(folder))
    assert [entry.name for entry in folder.iterdir()] == []


@pytest.mark.long
def test_signal_during_browser_launch_leaves_no_processes_or_files(folder: Path) -> None:
    with serving(TMPDIR=str(folder)) as server, opened_socket(server.url, "POST /start", "{}"):
        eventually(lambda: browsers_in(folder))
        assert server.stop() == 0
    eventually(lambda: not browsers_in(folder))
    assert [entry.name for entry in folder.iterdir()] == []


@pytest.mark.long
def test_killed_server_leaves_no_browser_behind(folder: Path, site: Site) -> None:
    with serving(TMPDIR=str(folder)) as server, Api(server.url) as api:
        api.post("/navigate", url=site.page("/", "page"))
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(10)
        eventually(lambda: not browsers_in(folder))


def test_client_can_label_a_tab_and_use_the_label_as_its_id(api: Api, site: Site) -> None:
    url = site.page("/", "page", title="Labelled")
    opened = api.post("/tabs/open", label="work", url=url)
    assert (opened["label"], opened["suggestedTargetId"]) == ("work", "work")
    api.post("/tabs/open")
    assert api.value("document.title", targetId="work") == "Labelled"
    assert api.get("/snapshot", targetId="work")["tabId"] == opened["tabId"]
    step = {"kind": "evaluate", "fn": "1 + 1", "targetId": opened["tabId"]}
    assert api.act("batch", targetId="work", actions=[step])["results"][0]["result"] == 2
    for label in ("work", "t99", " ", opened["targetId"][:6].lower()):
        error = api.fail("/tabs/open", 400, label=label)["tabwarden"]
        assert error["data"]["field"] == "label"
    tabs = len(api.get("/tabs")["tabs"])
    api.delete("/tabs/work")
    assert len(api.get("/tabs")["tabs"]) == tabs - 1
    assert api.fail("/tabs/focus", 404, targetId="work")["tabwarden"]["data"]["field"] == "targetId"
    assert api.post("/tabs/open", label="work")["label"] == "work"


def test_stop_ends_a_call_on_a_hung_page_at_once(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "<button onclick='for (;;);'>Loop</button>"))
    fields = {"kind": "click", "ref": api.ref('"Loop"'), "timeoutMs": 20_000}
    with ThreadPoolExecutor() as pool:
        click = pool.submit(api.http.post, "/act", json=fields)
        time.sleep(0.3)  # the script loops
        with in_time(1.0):
            assert api.post("/stop")["stopped"]
            assert click.result().json()["ok"] is False

"""Who can reach a fleet's browser, and what a client can do on a node."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import ssl
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from support.eventually import eventually
from support.groups import is_running
from support.local_fleet import LocalFleet
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tabwarden.config import BrowserConfig
from tabwarden.errors import Denied, EndpointUnreachable
from tabwarden.fleet.client.dialing import LeaseRefused, dial
from tabwarden.fleet.client.endpoint import RelayFiles
from tabwarden.fleet.hosting.hosted_task import HostedTask
from tabwarden.fleet.leasing.values import Lease, LeaseRequest
from tabwarden.fleet.relaying.handshake import ticket_for
from tabwarden.fleet.relaying.transfers import TransferAnswer, TransferRequest
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser


def lease_of(fleet: LocalFleet, task: str) -> Lease:
    return engine_loop().run_sync(fleet.coordinator.acquire(LeaseRequest(task=task)))


async def refused(lease: Lease, kind: str = "browser") -> str:
    """The host's rejection of this lease."""
    try:
        connection = await dial(lease, kind, 10)
    except (EndpointUnreachable, LeaseRefused) as error:
        return str(error)
    await connection.close()
    raise AssertionError("the host let it in")


def changed(lease: Lease, **fields: object) -> Lease:
    return msgspec.structs.replace(lease, **fields)


@pytest.mark.threat
def test_ticket_is_valid_for_one_generation_of_one_task_on_one_host(fleet: LocalFleet) -> None:
    fleet.end("n2")
    own, other = lease_of(fleet, "acme~a1"), lease_of(fleet, "other~b1")
    key = fleet.hosts["n1"].ticket_key
    for wrong in (
        changed(own, ticket=""),
        changed(own, ticket="0" * 64),
        changed(own, ticket=other.ticket),
        changed(own, task="other~b1"),
        changed(own, generation=own.generation + 1),
        changed(own, ticket=ticket_for(b"another host's key", own.task, own.generation)),
    ):
        assert "ticket is not valid" in asyncio.run(refused(wrong)), wrong
        assert "ticket is not valid" in asyncio.run(refused(wrong, "files")), wrong
    older = changed(own, generation=0, ticket=ticket_for(key, own.task, 0))
    assert "belongs to another host" in asyncio.run(refused(older))


@pytest.mark.threat
def test_host_rejects_a_client_with_an_older_lease_generation(fleet: LocalFleet) -> None:
    """A second client still has the old lease: none of its messages passes."""
    fleet.end("n2")
    url = f"fleet:?cluster={fleet.address}"
    with Browser.connect(url, task_id="a1", config=BrowserConfig()):
        old = lease_of(fleet, "a1")
        second = engine_loop().run_sync(dial(old, "browser", 10))
        engine_loop().run_sync(_welcomed(second))
    assert engine_loop().run_sync(_closed(second)), "its connection ends with its lease"
    with Browser.connect(url, task_id="a1", config=BrowserConfig()) as browser:
        assert lease_of(fleet, "a1").generation > old.generation
        assert "over" in asyncio.run(refused(old)) or "lease" in asyncio.run(refused(old))
        assert browser.evaluate("1 + 1").value == 2


async def _welcomed(connection: ClientConnection) -> None:
    await connection.recv()
    await connection.send('{"id": 1, "method": "Browser.getVersion"}')
    assert '"product"' in await connection.recv()


async def _closed(connection: ClientConnection) -> bool:
    try:
        async with asyncio.timeout(60):
            while True:
                await connection.recv()
    except ConnectionClosed:
        return True


@pytest.mark.threat
def test_host_accepts_only_tls_and_client_connects_only_to_the_pinned_host(
    fleet: LocalFleet,
) -> None:
    lease = lease_of(fleet, "a1")
    [stranger] = [h for h in fleet.hosts.values() if h.host_id != lease.host_id]
    certificate = stranger._registered.certificate
    assert "not responding" in asyncio.run(refused(changed(lease, certificate=certificate)))

    async def plain() -> None:
        async with connect(lease.url.replace("wss:", "ws:"), open_timeout=5):
            pass

    with pytest.raises((InvalidMessage, InvalidStatus, EOFError, OSError)):
        asyncio.run(plain())

    async def unnamed() -> int:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        try:
            async with connect(f"{lease.url}/json/version", ssl=context, open_timeout=5):
                return 101
        except InvalidStatus as error:
            return error.response.status_code

    assert asyncio.run(unnamed()) == 403


@pytest.mark.threat
@pytest.mark.parametrize("name", ["../x", "/etc/x", "..", ".", "", "a/b", "a\0b", "x" * 300])
def test_host_rejects_an_upload_outside_the_tasks_folder(fleet: LocalFleet, name: str) -> None:
    answer = asyncio.run(_transferred(lease_of(fleet, "a1"), TransferRequest("put", name)))
    assert answer.error, answer


@pytest.mark.threat
@pytest.mark.parametrize("name", ["../uploads/x", "/etc/passwd", "..", "", "a/b", "a\0b", "link"])
def test_host_serves_only_downloads_from_the_same_task(fleet: LocalFleet, name: str) -> None:
    lease = lease_of(fleet, "a1")
    asyncio.run(_transferred(lease, TransferRequest("put", "x")))
    [hosted] = [task for host in fleet.hosts.values() for task in host._tasks.values()]
    (hosted.browser.result().download_dir / "link").symlink_to("/etc/passwd")
    answer = asyncio.run(_transferred(lease, TransferRequest("fetch", name)))
    assert answer.error, answer


async def _transferred(lease: Lease, request: TransferRequest) -> TransferAnswer:
    connection = await dial(lease, "files", 10)
    async with connection:
        await connection.send(msgspec.msgpack.encode(request))
        if request.kind == "put":
            await connection.send(b"data")
            await connection.send(b"")
        return msgspec.msgpack.decode(await connection.recv(), type=TransferAnswer)


@pytest.mark.threat
def test_node_deletes_the_files_of_a_finished_task(fleet: LocalFleet, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("private")
    url = f"fleet:?cluster={fleet.address}"
    with Browser.connect(url, task_id="a1", config=BrowserConfig()) as browser:
        files = browser._task.supervisor.opened.files
        assert isinstance(files, RelayFiles)
        placed = Path(engine_loop().run_sync(files.put(tmp_path / "note.txt")))
        assert placed.read_text() == "private"
        assert oct(placed.parent.stat().st_mode)[-3:] == "700"
        folder = placed.parents[2]
    assert eventually(lambda: not folder.exists())


@pytest.mark.threat
def test_fleet_never_logs_or_shows_a_ticket_or_key(
    fleet: LocalFleet, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "tabwarden")
    lease = lease_of(fleet, "a1")
    shown = [repr(lease), asyncio.run(refused(changed(lease, ticket="0" * 64)))]
    url = f"fleet:?cluster={fleet.address}"
    with Browser.connect(url, task_id="a1", config=BrowserConfig()) as browser:
        shown += [repr(browser), repr(browser._task.supervisor.endpoint)]
    shown += [repr(host._registered) for host in fleet.hosts.values()]
    for secret in (lease.ticket, *(host.ticket_key.hex() for host in fleet.hosts.values())):
        assert secret not in "".join(shown) + caplog.text


@pytest.mark.threat
def test_tenants_page_cannot_reach_host_ports_or_other_browsers(fleet: LocalFleet) -> None:
    """Browsers have no debugging port. Whatever the host listens on is closed to pages, though the
    caller names it."""
    fleet.end("n2")
    cluster = f"fleet:?cluster={fleet.address}"
    with (
        Browser.connect(cluster, task_id="acme~a1") as theirs,
        Browser.connect(cluster, task_id="other~b1") as ours,
    ):
        theirs.tabs("list")
        ours.tabs("list")
        hosted = [task.started for task in fleet.hosts["n1"]._tasks.values()]
        assert len(hosted) == 2
        for browser in hosted:
            assert browser is not None
            assert listening_ports(browser.pid) == []
        relay = int(fleet.hosts["n1"]._registered.url.rpartition(":")[2])
        ports = [relay, *(browser.egress.port for browser in hosted if browser)]
        assert set(ports) <= set(listening_ports(os.getpid()))
        for port in ports:
            for scheme in ("http", "https"):
                with pytest.raises(Denied):
                    ours.goto(f"{scheme}://127.0.0.1:{port}/json/list")


def listening_ports(pid: int) -> list[int]:
    """The TCP ports on which a process and its children are listening."""
    tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    connections = [one for process in tree for one in process.net_connections("tcp")]
    return sorted({one.laddr.port for one in connections if one.status == psutil.CONN_LISTEN})


@pytest.mark.threat
def test_two_clients_of_a_browser_can_use_only_their_own_cdp_sessions(fleet: LocalFleet) -> None:
    lease = lease_of(fleet, "acme~a1")

    async def talk() -> list[dict[str, Any]]:
        first, second = await opened(lease), await opened(lease)
        created = await asked(first, "Target.createTarget", url="about:blank")
        target = {"targetId": created["targetId"], "flatten": True}
        session = (await asked(first, "Target.attachToTarget", **target))["sessionId"]
        mine = await asked(first, "Runtime.evaluate", session, expression="1 + 1")
        refused = await asked(second, "Runtime.evaluate", session, expression="1 + 1")
        again = (await asked(second, "Target.attachToTarget", **target))["sessionId"]
        await first.close()
        alive = await asked(second, "Runtime.evaluate", again, expression="1 + 2")
        await second.close()
        third = await opened(lease)
        gone = await asked(third, "Runtime.evaluate", again, expression="1 + 1")
        await third.close()
        return [mine, refused, alive, gone]

    mine, refused, alive, gone = asyncio.run(talk())
    assert mine["result"]["value"] == 2
    assert alive["result"]["value"] == 3
    assert refused == gone == {"code": -32001, "message": "Session with given id not found."}


async def opened(lease: Lease) -> ClientConnection:
    connection = await dial(lease, "browser", 10)
    await connection.recv()  # the welcome
    return connection


async def asked(
    connection: ClientConnection, method: str, session: str = "", **params: object
) -> dict[str, Any]:
    """The result or the error of a command."""
    command: dict[str, object] = {"id": 1, "method": method, "params": params}
    await connection.send(json.dumps(command | ({"sessionId": session} if session else {})))
    async with asyncio.timeout(20):
        while True:
            answer = json.loads(await connection.recv())
            if answer.get("id") == 1:
                return dict(answer.get("result") or answer["error"])


@pytest.mark.threat
def test_host_reports_a_lease_as_ended_only_after_its_browser_process_died(
    fleet: LocalFleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After that report the task can start elsewhere at once."""
    fleet.end("n2")
    host = fleet.hosts["n1"]
    report, alive = host._report_end, []

    def told(hosted: HostedTask) -> None:
        assert hosted.started is not None
        alive.append(is_running(hosted.started.pid))
        report(hosted)

    monkeypatch.setattr(host, "_report_end", told)
    url = f"fleet:?cluster={fleet.address}"
    with Browser.connect(url, task_id="a1", config=BrowserConfig()) as browser:
        browser.tabs("list")
    assert eventually(lambda: alive == [False])

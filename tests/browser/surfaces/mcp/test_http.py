"""`tabwarden mcp --http`: many clients, each with its own browser, access and disconnects."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import anyio
import httpx2
import pytest
from browser.surfaces.http.client import TOKEN, Serving
from browser.surfaces.mcp.host import (
    Host,
    descendants,
    reaching,
    serving_mcp,
    wait_for_end,
)
from mcp import MCPError
from support.site import Site
from support.telling import THEN_HANG, tell_when_begun

pytestmark = pytest.mark.anyio

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPTED = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving_mcp() as server:
        yield server


def hello(server: Serving, headers: dict[str, str], query: str = "") -> httpx2.Response:
    shown = {**ACCEPTED, **headers}
    return httpx2.post(server.url + query, json=HELLO, headers=shown, trust_env=False)


def port_of(server: Serving) -> str:
    return server.url.rpartition(":")[2].partition("/")[0]


async def urls_of(host: Host) -> list[str]:
    _, data = await host.call("browser_tabs")
    return [tab["url"] for tab in data["value"]]


@pytest.mark.long
async def test_two_mcp_clients_have_separate_browsers(server: Serving, site: Site) -> None:
    one, two = site.page("/one", "one"), site.page("/two", "two")
    async with reaching(server.url) as first, reaching(server.url) as second:
        await first.call("browser_navigate", url=one)
        assert (await second.fail("browser_snapshot"))["code"] == "not_open"
        await second.call("browser_navigate", url=two)
        await first.call("browser_cookies", mode="set", name="who", value="first", url=one)
        assert (await second.call("browser_cookies", url=one))[1]["value"] == []
        assert await urls_of(first) == [one]
        assert await urls_of(second) == [two]
        await first.call("browser_close")
        assert await urls_of(second) == [two]
        below = descendants(server.process.pid)
        assert below
    # Both have ended their sessions.
    await anyio.to_thread.run_sync(wait_for_end, below)


@pytest.mark.long
async def test_two_mcp_clients_attached_to_one_browser_stay_separate(port: int, site: Site) -> None:
    one, two = site.page("/one", "one"), site.page("/two", "two")
    with serving_mcp("--endpoint", f"http://127.0.0.1:{port}") as server:
        async with reaching(server.url) as first, reaching(server.url) as second:
            await first.call("browser_navigate", url=one)
            await second.call("browser_navigate", url=two)
            await first.call("browser_cookies", mode="set", name="who", value="first", url=one)
            assert (await second.call("browser_cookies", url=one))[1]["value"] == []
            assert await urls_of(first) == [one]
            assert await urls_of(second) == [two]


@pytest.mark.long
async def test_clients_that_specify_the_same_task_share_its_browser(
    server: Serving, site: Site
) -> None:
    url = site.page("/", "kept")
    task = f"{server.url}?task=kept"
    async with reaching(task) as host:
        await host.call("browser_navigate", url=url)
    for mode in ("auto", "legacy"):
        async with reaching(task, mode=mode) as host:
            assert await urls_of(host) == [url]
    async with reaching(f"{server.url}?task=other") as host:
        assert (await host.fail("browser_snapshot"))["code"] == "not_open"
    async with reaching(task) as host:
        await host.call("browser_close")


async def test_error_for_a_request_without_session_or_task_says_how_to_specify_one(
    server: Serving,
) -> None:
    async with reaching(server.url, mode="2026-07-28") as host:
        with pytest.raises(
            MCPError, match=r"initialize first, or put a task's name into the URL"
        ) as caught:
            await host.client.list_tools()
        assert "2025-06-18" in caught.value.error.data["supported"]
    wrong = hello(server, {"Authorization": f"Bearer {TOKEN}"}, "?task=a/b")
    assert "'a/b' is not a valid task name" in wrong.text


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_mcp_http_client_can_cancel_a_call_and_receives_progress(
    mode: str, server: Serving, site: Site
) -> None:
    begun = threading.Event()
    tell_when_begun(site, begun.set)
    url = server.url if mode == "legacy" else f"{server.url}?task=cancels"
    async with reaching(url, mode=mode) as host:
        await host.call("browser_navigate", url=site.page("/", "page"))
        wait = partial(anyio.to_thread.run_sync, partial(begun.wait, 20))
        await host.cancelled("browser_evaluate", wait, script=THEN_HANG, timeout_ms=60_000)
        with anyio.fail_after(60):
            _, data = await host.call("browser_evaluate", script="1 + 1")
        assert data["value"] == 2
        told = anyio.Event()

        async def progress(done: float, total: float | None, message: str | None) -> None:
            assert 0 < done < 60_000 == total
            told.set()

        async def call() -> None:
            arguments = {"script": "new Promise(() => {})", "timeout_ms": 60_000}
            await host.client.call_tool("browser_evaluate", arguments, progress_callback=progress)

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            with anyio.fail_after(60):
                await told.wait()
            group.cancel_scope.cancel()
        await host.call("browser_close")


@pytest.mark.parametrize("shown", ["", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN])
@pytest.mark.threat
def test_mcp_server_rejects_every_request_without_the_token(shown: str, server: Serving) -> None:
    response = hello(server, {"Authorization": shown} if shown else {})
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    error = response.json()["error"]
    assert error["data"]["data"]["field"] == "Authorization"
    assert error["data"]["hint"] in error["message"]
    assert TOKEN not in response.text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Host", "evil.example:{port}"),
        ("Host", "localhost:1"),
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://127.0.0.1:1"),
    ],
)
@pytest.mark.threat
def test_mcp_server_rejects_foreign_host_and_origin_headers(
    name: str, value: str, server: Serving
) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", name: value.format(port=port_of(server))}
    response = hello(server, headers)
    assert response.status_code == 403
    assert response.json()["error"]["data"]["data"]["field"] == name
    assert hello(server, {"Authorization": f"Bearer {TOKEN}"}).status_code == 200


@pytest.mark.threat
def test_mcp_server_rejects_an_oversized_body(server: Serving) -> None:
    headers = {**ACCEPTED, "Authorization": f"Bearer {TOKEN}"}
    long = httpx2.post(
        server.url, content=b" " * 12_000_000, headers=headers, trust_env=False, timeout=30
    )
    assert long.status_code == 413
    assert hello(server, {"Authorization": f"Bearer {TOKEN}"}).status_code == 200


@pytest.mark.threat
def test_mcp_server_accepts_a_reopened_event_stream(server: Serving) -> None:
    """The server stores no events to resend, for this or any other session."""
    own = {**ACCEPTED, "Authorization": f"Bearer {TOKEN}"}
    session = {"Mcp-Session-Id": hello(server, own).headers["mcp-session-id"]}
    asked = httpx2.stream(
        "GET", server.url, headers={**own, **session, "Last-Event-ID": "1"}, trust_env=False
    )
    with asked as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/event-stream"
    httpx2.delete(server.url, headers={**own, **session}, trust_env=False)


@pytest.mark.threat
async def test_page_on_another_origin_cannot_read_from_the_mcp_server(
    server: Serving, host: Host, site: Site
) -> None:
    await host.call("browser_navigate", url=site.page("/", "page"))
    headers = {**ACCEPTED, "Authorization": f"Bearer {TOKEN}"}
    sent = f"{{method: 'POST', headers: {headers}, body: JSON.stringify({HELLO})}}"
    script = f"fetch('{server.url}', {sent}).then(() => 'read', () => 'refused')"
    assert (await host.call("browser_evaluate", script=script))[1]["value"] == "refused"


@pytest.mark.long
def test_unknown_path_error_suggests_the_mcp_path(server: Serving) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    response = httpx2.get(server.url + "/no", headers=headers, trust_env=False)
    assert response.status_code == 404
    assert "/mcp" in response.json()["error"]["message"]


@pytest.mark.long
async def test_mcp_server_closes_every_browser_when_it_stops(site: Site) -> None:
    url = site.page("/", "page")
    begun = threading.Event()
    tell_when_begun(site, begun.set)
    with serving_mcp() as server:

        async def stay(where: str, ready: anyio.Event) -> None:
            async with reaching(where) as host:
                await host.call("browser_navigate", url=url)
                ready.set()
                with contextlib.suppress(MCPError):  # its response may be lost
                    error = await host.fail("browser_evaluate", script=THEN_HANG, timeout_ms=60_000)
                    assert error["code"] == "cancelled"
                await anyio.sleep_forever()

        async with anyio.create_task_group() as group:
            for where in (server.url, f"{server.url}?task=two"):
                ready = anyio.Event()
                group.start_soon(stay, where, ready)
                await ready.wait()
            assert await anyio.to_thread.run_sync(begun.wait, 60)
            below = descendants(server.process.pid)
            assert await anyio.to_thread.run_sync(server.stop) == 0
            group.cancel_scope.cancel()
        assert below
        await anyio.to_thread.run_sync(wait_for_end, below)
        told = "".join(server.told)
        assert "Error" not in told
        assert "level=error" not in told


@pytest.mark.long
def test_mcp_server_prints_its_address_and_its_token_file_path(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path), "TABWARDEN_SERVER__TOKEN": ""}
    with serving_mcp(**environment) as server:
        assert server.url.endswith("/mcp")
        (line,) = server.told
        path = Path(line.partition("token: in ")[2].strip().rstrip(")"))
        assert path.is_relative_to(tmp_path)
        token = path.read_text().strip()
        assert hello(server, {"Authorization": f"Bearer {token}"}).status_code == 200
        server.stop()
        assert token not in "".join(server.told)


@pytest.mark.long
def test_mcp_server_rejects_sessions_beyond_the_limit_with_a_retry_time() -> None:
    with serving_mcp(TABWARDEN_SERVER__MAX_MCP_SESSIONS="1") as server:
        first, second = (hello(server, {"Authorization": f"Bearer {TOKEN}"}) for _ in range(2))
        assert (first.status_code, second.status_code) == (200, 503)
        assert second.headers["retry-after"] == "5"
        error = second.json()["error"]["data"]
        assert (error["code"], error["data"]) == ("capacity", {"retry_after_s": 5})
        assert "server.max_mcp_sessions" in error["message"]

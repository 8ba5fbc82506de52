"""Tenants of `tabwarden mcp --http`: their tasks, sessions and permitted tools."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from browser.surfaces.http.client import TOKEN, Serving
from browser.surfaces.mcp.host import reaching, serving_mcp
from browser.surfaces.mcp.test_http import ACCEPTED, HELLO
from support.eventually import eventually
from support.site import Site
from support.telling import THEN_HANG, tell_when_begun

from tabwarden.surfaces.guard.token_file import change_tokens, fresh_token

pytestmark = pytest.mark.anyio
NOW = datetime.now(UTC)
SECRET = "what-only-acme-may-see"


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tenants") / "tokens.json"


@pytest.fixture(scope="module")
def server(tokens: Path) -> Iterator[Serving]:
    with serving_mcp(TABWARDEN_SERVER__TOKENS_FILE=str(tokens)) as server:
        yield server


@pytest.fixture
def make(tokens: Path) -> Iterator[Any]:
    """Create tokens, and revoke them after the test."""
    made: list[str] = []

    def one(name: str, **about: Any) -> str:
        secret = fresh_token()
        change_tokens(tokens, lambda known: known.create(name, secret, NOW, **about))
        made.append(name)
        return secret

    yield one
    for name in made:
        change_tokens(tokens, lambda known, name=name: _without(known, name))


def _without(known: Any, name: str) -> Any:
    return known.revoke(name) if any(one.name == name for one in known.tokens) else known


@pytest.mark.threat
async def test_equal_task_names_of_two_tenants_refer_to_separate_tasks(
    server: Serving, site: Site, make: Any
) -> None:
    one, other = make("one"), make("other")
    url = site.page(f"/{SECRET}", "page")
    task = f"{server.url}?task=shared"
    async with (
        reaching(task, token=one) as first,
        reaching(task, token=other) as second,
        reaching(f"{server.url}?task=one~shared") as operator,
    ):
        text, _ = await first.call("browser_navigate", url=url)
        assert "one~" not in text
        assert (await second.fail("browser_snapshot"))["code"] == "not_open"
        state = await second.client.read_resource("tabwarden://state")
        assert SECRET not in str(state)
        _, data = await operator.call("browser_tabs")
        assert [tab["url"] for tab in data["value"]] == [url]
        await first.call("browser_close")
    shown = {**ACCEPTED, "Authorization": f"Bearer {other}"}
    url = f"{server.url}?task=one~shared"
    response = httpx2.post(url, json=HELLO, headers=shown, trust_env=False)
    assert "'one~shared' is not a valid task name" in response.text


def session_of(server: Serving, token: str) -> str:
    shown = {**ACCEPTED, "Authorization": f"Bearer {token}"}
    return httpx2.post(server.url, json=HELLO, headers=shown, trust_env=False).headers[
        "mcp-session-id"
    ]


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.threat
def test_mcp_session_of_another_tenant_is_unknown(method: str, server: Serving, make: Any) -> None:
    one, other = make("one"), make("other")
    session = session_of(server, one)
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}

    def asked(token: str, session: str) -> httpx2.Response:
        shown = {**ACCEPTED, "Authorization": f"Bearer {token}", "Mcp-Session-Id": session}
        return httpx2.request(
            method, server.url, json=listing, headers=shown, trust_env=False, timeout=20
        )

    theirs, none = asked(other, session), asked(other, "0" * 32)
    assert theirs.status_code == none.status_code == 404
    assert theirs.text == none.text
    assert asked(TOKEN, session).status_code == 404
    if method == "POST":
        assert asked(one, session).status_code == 200
    if method == "DELETE":
        assert asked(one, session).status_code == 200
        assert asked(one, session).status_code == 404


@pytest.mark.threat
def test_tenants_cannot_use_up_the_operators_session(tokens: Path, make: Any) -> None:
    limits = {"TABWARDEN_SERVER__MAX_MCP_SESSIONS": "8"}
    with serving_mcp(TABWARDEN_SERVER__TOKENS_FILE=str(tokens), **limits) as server:

        def begun(token: str) -> int:
            shown = {**ACCEPTED, "Authorization": f"Bearer {token}"}
            return httpx2.post(server.url, json=HELLO, headers=shown, trust_env=False).status_code

        assert [begun(make(f"t{n}")) for n in range(8)] == [200] * 7 + [503]
        assert [begun(TOKEN) for _ in range(2)] == [200, 503]


@pytest.mark.threat
async def test_model_sees_and_calls_only_the_tools_that_its_token_permits(
    server: Serving, site: Site, make: Any
) -> None:
    every = make("every", tenant="acme")
    reader = make("reader", tenant="acme", allow=["read"])
    task = f"{server.url}?task=mine"
    async with reaching(task, token=every) as host, reaching(task, token=reader) as limited:
        await host.call("browser_navigate", url=site.page("/", f"<h1>{SECRET}</h1>"))
        assert "browser_connect" not in await host.tools()
        assert "browser_evaluate" in await host.tools()
        listed = await limited.tools()
        assert "browser_snapshot" in listed
        assert listed.keys().isdisjoint(("browser_click", "browser_evaluate", "browser_upload"))
        assert SECRET in (await limited.call("browser_snapshot"))[0]
        for tool, permission, arguments in (
            ("browser_navigate", "act", {"url": "about:blank"}),
            ("browser_evaluate", "scripts", {"script": "1"}),
            ("browser_batch", "act", {"steps": ["reload"]}),
            ("browser_handoff", "act", {"reason": "please"}),
            ("browser_close", "act", {}),
        ):
            error = await limited.fail(tool, **arguments)
            assert (error["code"], error["data"]["permission"]) == ("denied", permission), tool
        assert SECRET in (await host.call("browser_snapshot"))[0]
        await host.call("browser_close")


@pytest.mark.long
async def test_token_limits_its_tenants_number_of_browsers(
    server: Serving, site: Site, make: Any
) -> None:
    token = make("small", max_tasks=1)
    url = site.page("/", "page")
    async with (
        reaching(f"{server.url}?task=one", token=token) as first,
        reaching(f"{server.url}?task=two", token=token) as second,
    ):
        await first.call("browser_navigate", url=url)
        assert (await second.fail("browser_navigate", url=url))["code"] == "capacity"
        await first.call("browser_close")
        await second.call("browser_navigate", url=url)
        await second.call("browser_close")


@pytest.mark.threat
async def test_revoking_a_token_cancels_its_calls(
    server: Serving, site: Site, make: Any, tokens: Path
) -> None:
    begun = threading.Event()
    tell_when_begun(site, begun.set)
    token, other = make("gone", tenant="acme"), make("stays", tenant="acme")
    task = f"{server.url}?task=gone"
    arguments = {"script": THEN_HANG, "timeout_ms": 90_000}
    call = {
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "browser_evaluate", "arguments": arguments},
    }  # fmt: skip
    shown = {
        **ACCEPTED,
        "Authorization": f"Bearer {token}",
        "Mcp-Session-Id": session_of(server, token),
    }
    answers: list[str] = []

    def hang() -> None:
        with contextlib.suppress(httpx2.TransportError):  # the connection may break
            sent = httpx2.post(task, json=call, headers=shown, trust_env=False, timeout=60)
            answers.append(sent.text)

    async with reaching(task, token=other) as stays:
        await stays.call("browser_navigate", url=site.page("/", "page"))
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, hang)
            assert await anyio.to_thread.run_sync(begun.wait, 60)
            change_tokens(tokens, lambda known: known.revoke("gone"))
        assert not any('"isError":false' in answer for answer in answers)
        _, data = await stays.call("browser_evaluate", script="1 + 1", timeout_ms=20_000)
        assert data["value"] == 2
        await stays.call("browser_close")
    response = httpx2.post(server.url, json=HELLO, headers=shown, trust_env=False)
    assert response.status_code == 401


@pytest.mark.threat
def test_revoking_a_token_closes_its_event_stream(server: Serving, make: Any, tokens: Path) -> None:
    token = make("streams")
    session = session_of(server, token)
    shown = {**ACCEPTED, "Authorization": f"Bearer {token}", "Mcp-Session-Id": session}
    with (
        httpx2.Client(trust_env=False, timeout=30) as client,
        client.stream("GET", server.url, headers=shown) as stream,
    ):
        assert stream.status_code == 200
        change_tokens(tokens, lambda known: known.revoke("streams"))
        with contextlib.suppress(httpx2.RemoteProtocolError):  # whether it ends or breaks
            for _ in stream.iter_text():
                pass
    eventually(lambda: httpx2.get(server.url, headers=shown, trust_env=False).status_code == 401)

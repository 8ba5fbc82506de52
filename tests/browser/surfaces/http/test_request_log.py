"""The server's log: each line belongs to a request, and contains no secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest
from browser.surfaces.http.client import TOKEN, Api, Serving, serving
from browser.surfaces.mcp.host import reaching, serving_mcp

LOGS = ("--log-level", "DEBUG", "--log-format", "json")


def lines_of(server: Serving) -> list[dict[str, Any]]:
    """Stop the server and return all its log lines."""
    server.stop()
    return [json.loads(line) for line in server.told if line.startswith("{")]


@pytest.fixture
def server() -> Iterator[Serving]:
    with serving(*LOGS) as server:
        yield server


@pytest.mark.long
def test_log_lines_contain_the_task_and_the_request_id(server: Serving) -> None:
    with Api(server.url, task="a3") as api:
        sent = {"json": {}, "headers": {"X-Request-Id": "opens-1"}}
        assert api.http.post("/start", **sent).headers["x-request-id"] == "opens-1"
        sent = {"json": {"url": "about:blank"}, "headers": {"X-Request-Id": "goes-2"}}
        api.http.post("/navigate", **sent)
        lost = api.http.post("/act", json={"kind": "no"}, headers={"X-Request-Id": "fails-3"})
        assert lost.status_code == 400
        api.post("/stop")
        api.post("/navigate", url="about:blank")  # the task's second browser
    lines = lines_of(server)
    assert {line["task_id"] for line in lines if "task_id" in line} == {"a3"}
    accesses = {line["request_id"]: line for line in lines if line["event"] == "request"}
    assert len(accesses) == 5
    for key, path, status in (
        ("opens-1", "/start", 200),
        ("goes-2", "/navigate", 200),
        ("fails-3", "/act", 400),
    ):
        line = accesses[key]
        assert (line["method"], line["path"], line["status"]) == ("POST", path, status)
        assert line["ms"] > 0
        assert (line["level"], line["logger"]) == ("info", "tabwarden.access")
    ended = [line for line in lines if line["event"] == "action_ended"]
    assert ended[0]["request_id"] == "goes-2"
    # Later browser events belong to no request, even if a request opened the browser.
    opened = [line for line in lines if line.get("request_id") == "opens-1"]
    assert [line["event"] for line in opened] == ["browser_opened", "request"]


@pytest.mark.threat
def test_request_log_contains_no_secrets_and_no_forged_lines(server: Serving) -> None:
    with Api(server.url) as api:
        for given in ("two words", "x" * 65, "{}", ""):
            answer = api.http.get("/tabs?password=hunter2", headers={"X-Request-Id": given})
            assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])
        api.http.get("/nope%0a%7B%22event%22:%22forged%22%7D?task=no%0aname")
        api.http.post("/act", json={"kind": "hunter2"})
        for probe in ("/healthz", "/readyz"):
            api.http.get(probe)
    httpx2.get(server.url, headers={"Authorization": "Bearer hunter2"}, trust_env=False)
    lines = lines_of(server)
    written = "".join(server.told)
    assert "hunter2" not in written
    assert TOKEN not in written
    accesses = [line for line in lines if line["event"] == "request"]
    assert len(accesses) == 7
    assert not any("forged" in line["event"] or "task_id" in line for line in lines)
    assert accesses[-1]["status"] == 401


@pytest.mark.anyio
@pytest.mark.long
async def test_each_call_in_an_mcp_session_has_its_own_request_id() -> None:
    with serving_mcp(*LOGS) as server:
        async with reaching(f"{server.url}?task=a3") as host:
            for _ in range(2):
                await host.call("browser_navigate", url="about:blank")
        lines = await anyio.to_thread.run_sync(lines_of, server)
    assert {line["task_id"] for line in lines if "task_id" in line} == {"a3"}
    accesses = {line["request_id"] for line in lines if line["event"] == "request"}
    ended = [line["request_id"] for line in lines if line["event"] == "action_ended"]
    assert len(set(ended)) == 2
    assert set(ended) <= accesses

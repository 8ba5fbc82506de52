"""The HTTP application without a server or a browser: limits and unexpected errors."""

from __future__ import annotations

import asyncio
from typing import Any, NoReturn

import httpx2

from tabwarden.actions import Limits, Session, Tasks
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, Config, ServerConfig
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.guard.tokens import Tokens
from tabwarden.surfaces.http.app import make_app
from tabwarden.surfaces.http.openapi import described
from tabwarden.surfaces.http.service import Service

TOKEN = "0123456789abcdef"


def asked(
    method: str,
    path: str,
    *,
    task_taken: bool = False,
    stopping: bool = False,
    server: ServerConfig | None = None,
    config: BrowserConfig | None = None,
) -> tuple[int, dict[str, Any], httpx2.Headers]:
    """Status, body and headers of a response by an application that cannot open browsers."""

    async def broken(way: object, budget: object) -> NoReturn:
        raise RuntimeError("a fault of ours")

    async def ask() -> httpx2.Response:
        given = Config(browser=config or BrowserConfig(), server=server or ServerConfig())
        live = LiveConfig(lambda: given, None)
        service = Service(live, Tasks(lambda _: Session(broken), lambda: Limits(max_tasks=1)))
        if stopping:
            service.let_go("the server stops")
        app = make_app(service, tokens=Tokens(TOKEN), host="127.0.0.1")
        transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:8414", headers=headers
        ) as client:
            with service.tasks.call("taken", Budget(1000), opens=task_taken):
                return await client.request(method, path)

    response = asyncio.run(ask())
    return response.status_code, response.json(), response.headers


def test_request_beyond_the_task_limit_gets_429_with_retry_after() -> None:
    status, body, headers = asked("POST", "/start?task=one", task_taken=True)
    assert (status, body["code"], headers["retry-after"]) == (429, "capacity", "5")
    assert body["tabwarden"]["data"] == {"retry_after_s": 5, "field": "task", "reason": "tasks"}
    assert "taken" not in body["error"]  # another client's task


def test_request_beyond_the_request_limit_gets_503_with_retry_after() -> None:
    status, body, headers = asked("GET", "/", server=ServerConfig.model_construct(max_requests=0))
    assert (status, body["code"], headers["retry-after"]) == (503, "capacity", "1")


def test_unexpected_exception_returns_500_without_its_message() -> None:
    status, body, _ = asked("POST", "/start")
    assert (status, body["tabwarden"]["code"]) == (500, "error")
    assert "RuntimeError" in body["error"]
    assert "a fault of ours" not in body["error"]


def test_disabled_browser_rejects_every_route_except_status_and_stop() -> None:
    off = BrowserConfig(enabled=False)
    always = {"GET /", "POST /stop", "GET /metrics", "GET /openapi.json"}
    for route in described():
        method, _, path = route.name.partition(" ")
        if route.name not in always:
            status, body, _ = asked(method, path.replace("{kind}", "local"), config=off)
            assert (status, body["code"]) == (403, "disabled"), route.name
    status, body, _ = asked("GET", "/", config=off)
    assert (status, body["enabled"]) == (200, False)


def test_openapi_description_omits_disabled_features() -> None:
    def told(config: BrowserConfig) -> tuple[set[str], dict[str, Any]]:
        _, body, _ = asked("GET", "/openapi.json", config=config)
        act = body["paths"]["/act"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        kinds = {kind["title"]: kind["properties"] for kind in act["oneOf"]}
        return set(body["paths"]), kinds

    paths, kinds = told(BrowserConfig())
    assert "/cdp" in paths
    assert "evaluate" in kinds
    assert "fn" in kinds["wait"]
    fewer, left = told(BrowserConfig(evaluate_enabled=False, cdp_enabled=False))
    assert paths - fewer == {"/cdp"}
    assert set(kinds) - set(left) == {"evaluate", "initScript"}
    assert set(kinds["wait"]) - set(left["wait"]) == {"fn"}


def test_healthz_and_readyz_answer_while_the_server_is_full_or_stopping() -> None:
    nobody = ServerConfig.model_construct(max_requests=0)
    assert asked("GET", "/healthz", server=nobody)[0] == 200
    assert asked("GET", "/readyz", server=nobody)[0] == 200
    status, body, headers = asked("GET", "/readyz", stopping=True)
    assert (status, body, headers["retry-after"]) == (503, {"ok": False, "reason": "stopping"}, "5")
    assert asked("GET", "/healthz", stopping=True)[0] == 200
    status, body, _ = asked("GET", "/readyz", config=BrowserConfig(enabled=False))
    assert (status, body["reason"]) == (503, "disabled")

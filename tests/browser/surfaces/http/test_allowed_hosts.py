"""Allowed host names, and the health probes, which accept any name."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from browser.surfaces.http.client import TOKEN, Api, Serving, failed, serving
from browser.surfaces.mcp.host import serving_mcp

ALLOWED = {"TABWARDEN_SERVER__ALLOWED_HOSTS": '["tabwarden.internal", "*.example.com:8414"]'}
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def named() -> Iterator[Serving]:
    """A server on all addresses, as in a container."""
    with serving("--host", "0.0.0.0", TABWARDEN_SERVER__MAX_TASKS="1", **ALLOWED) as server:
        yield server


def local(server: Serving) -> str:
    return f"http://127.0.0.1:{server.port}"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("tabwarden.internal", 200),
        ("Tabwarden.Internal:8414", 200),
        ("a.example.com:8414", 200),
        ("a.example.com", 403),
        ("example.com:8414", 403),
        ("tabwarden.internal.evil.example", 403),
    ],
)
@pytest.mark.threat
def test_server_accepts_only_host_names_that_the_operator_allows(
    host: str, status: int, named: Serving
) -> None:
    response = httpx2.get(local(named), headers={"Host": host, **BEARER}, trust_env=False)
    assert response.status_code == status
    if status == 403:
        body = failed(response, 403)
        assert body["tabwarden"]["data"]["field"] == "Host"
        assert "server.allowed_hosts" in body["error"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://tabwarden.internal", 200),
        ("https://tabwarden.internal", 200),  # a proxy speaks TLS
        ("https://tabwarden.internal:1", 403),
        ("https://a.example.com:8414", 403),  # allowed, but another one
        ("null", 403),
    ],
)
@pytest.mark.threat
def test_server_rejects_an_origin_that_differs_from_its_host_name(
    origin: str, status: int, named: Serving
) -> None:
    headers = {"Host": "tabwarden.internal", "Origin": origin, **BEARER}
    response = httpx2.get(local(named), headers=headers, trust_env=False)
    assert response.status_code == status


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_live_view_works_under_an_allowed_host_name(scheme: str, named: Serving) -> None:
    host = {"Host": "tabwarden.internal"}
    with httpx2.Client(base_url=local(named), trust_env=False) as client:
        link = client.post("/live/links", headers={**host, **BEARER}, json={}).json()["url"]
        assert link.startswith("http://tabwarden.internal/live/#")
        assert client.get("/live/", headers=host).status_code == 200
        enters = {**host, "Origin": f"{scheme}://tabwarden.internal"}
        entered = client.post("/live/enter", headers=enters, json={"token": link.split("#")[1]})
        assert entered.status_code == 200
        cookie = entered.headers["set-cookie"].lower()
        assert ("; secure" in cookie) == (scheme == "https")


@pytest.mark.threat
def test_health_probes_work_without_token_or_host_name_and_reveal_no_details(
    named: Serving,
) -> None:
    pod = {"Host": "10.1.2.3:8414"}
    with httpx2.Client(base_url=local(named), headers=pod, trust_env=False) as probe:
        for path in ("/healthz", "/readyz"):
            assert (probe.get(path).status_code, probe.get(path).json()) == (200, {"ok": True})
            assert probe.head(path).status_code == 200
            assert probe.post(path).status_code == 403
        assert probe.get("/healthz/x").status_code == 403
        with Api(local(named), task="secret-name") as api:
            api.post("/start")
            full = probe.get("/readyz")
            assert (full.status_code, full.headers["retry-after"]) == (503, "5")
            assert full.json() == {"ok": False, "reason": "tasks"}
            assert probe.get("/healthz").status_code == 200
            api.post("/stop")
        assert probe.get("/readyz").status_code == 200


@pytest.mark.long
def test_readyz_reports_low_memory_as_not_ready() -> None:
    with serving(TABWARDEN_SERVER__MIN_FREE_MEMORY_MB="1000000000") as server:
        full = httpx2.get(f"{server.url}/readyz", trust_env=False)
        assert (full.status_code, full.json()["reason"]) == (503, "memory")


@pytest.mark.long
def test_mcp_server_answers_health_probes_and_accepts_allowed_host_names() -> None:
    with serving_mcp(**ALLOWED) as server:
        base = server.url.removesuffix("/mcp")
        for path in ("/healthz", "/readyz"):
            probed = httpx2.get(base + path, headers={"Host": "10.1.2.3"}, trust_env=False)
            assert (probed.status_code, probed.json()) == (200, {"ok": True})
        for host, status in (("tabwarden.internal", 400), ("other.internal", 403)):
            headers = {"Host": host, "Accept": "application/json, text/event-stream", **BEARER}
            asked = httpx2.post(server.url, headers=headers, content=b"{}", trust_env=False)
            assert asked.status_code == status, asked.text

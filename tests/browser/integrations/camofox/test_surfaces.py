"""A host of a Camofox endpoint sees exactly the tools that the server supports."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest
from browser.surfaces.mcp.host import hosting
from browser.surfaces.mcp.test_changes import TOOLS, hearing
from support.camofox import CamofoxServer
from support.serving import TOKEN, running_server
from support.site import Site

from tabwarden.actions import session_of
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]


async def test_mcp_host_is_notified_that_the_tool_list_changed(
    stock: CamofoxServer, site: Site
) -> None:
    url = site.page("/", "<button>Go</button>", title="Camo")
    async with hearing(hosting, mode="legacy") as (host, heard):
        every = set(await host.tools())
        await host.call("browser_connect", url=f"camofox:{stock.url}")
        await heard(TOOLS)
        now = set(await host.tools())
        assert {"browser_dialog", "browser_cdp", "browser_network"} <= every - now
        assert {"browser_navigate", "browser_click", "browser_snapshot"} <= now
        await host.call("browser_navigate", url=url)
        text, data = await host.call("browser_snapshot")
        assert 'button "Go" [ref=e1]' in text
        assert "pending_dialogs" not in data
        await host.call("browser_close")
        await heard(TOOLS)
        assert set(await host.tools()) == every


async def test_control_api_status_lists_features_that_a_camofox_browser_lacks(
    stock: CamofoxServer, site: Site
) -> None:
    url = site.page("/", "Here")
    access = {"Authorization": f"Bearer {TOKEN}"}
    with (
        running_server("serve", TABWARDEN_BROWSER__ENDPOINT=f"camofox:{stock.url}") as server,
        httpx2.Client(base_url=server.url, headers=access, timeout=60) as client,
    ):
        assert client.get("/").json()["lacks"] == ["cdp"], "its dialogs are not known yet"
        assert client.post("/navigate", json={"url": url}).json()["ok"]
        assert client.get("/").json()["lacks"] == ["cdp", "dialogs"]


async def test_session_reports_that_camofox_cannot_restore_a_storage_state(
    stock: CamofoxServer,
) -> None:
    config = BrowserConfig(endpoint=f"camofox:{stock.url}", restore="shop")
    session = session_of(config)
    _, note = await session.browser(may_open=True, budget=Budget(30_000))
    assert "'shop' was not restored" in note
    await session.close()


async def test_doctor_checks_whether_the_camofox_server_is_responding(
    stock: CamofoxServer, tmp_path: Path
) -> None:
    from tabwarden.surfaces.doctor.checks.network import check_endpoint
    from tabwarden.surfaces.doctor.finding import Patient

    for endpoint, status in (
        (f"camofox:{stock.url}", "ok"),
        ("camofox:http://127.0.0.1:9", "problem"),
    ):
        path = tmp_path / "config.yaml"
        path.write_text(json.dumps({"browser": {"endpoint": endpoint}}))
        (found,) = await check_endpoint(Patient.of(path), Budget(10_000))
        assert found.status == status, found

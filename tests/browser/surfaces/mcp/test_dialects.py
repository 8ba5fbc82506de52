"""A host with another product's tools: `--dialect` over real stdio."""

from __future__ import annotations

import pytest
from browser.surfaces.mcp.host import hosting
from support.site import Site

pytestmark = [pytest.mark.anyio, pytest.mark.long]


async def test_operator_dialect_provides_one_browser_tool_and_requires_open(site: Site) -> None:
    url = site.page("/", "<button>Go</button>")
    async with hosting("--tools", "operator") as host:
        assert set(await host.tools()) == {"browser", "control_center"}
        error = await host.fail("browser", action="goto", url=url)
        assert error["code"] == "not_open"
        await host.call("browser", action="open")
        text, _ = await host.call("browser", action="goto", url=url)
        assert url in text


async def test_operator_dialect_lets_the_agent_change_its_settings(site: Site) -> None:
    url = site.page("/", "<p>plain")
    variables = {"TABWARDEN_BROWSER__BROWSER_USE_ENABLED": "false"}
    async with hosting("--dialect", "operator", env=variables) as host:

        async def set_to(key: str, value: object) -> None:
            await host.call("control_center", action="set", key=key, value=value)

        assert set(await host.tools()) == {"control_center"}
        error = await host.fail("browser", action="open")
        assert error["code"] == "disabled"
        assert "control_center(" in error["hint"]
        await set_to("browser_use_enabled", True)
        assert set(await host.tools()) == {"browser", "control_center"}
        await host.call("browser", action="open")
        await host.call("browser", action="goto", url=url)

        await set_to("default_timeout_ms", 1500)
        waits = "new Promise(() => {})"
        error = await host.fail("browser", action="script", script=waits)
        assert error["code"] == "budget_exceeded"
        assert error["data"]["timeout_ms"] == 1500, error

        error = await host.fail("control_center", action="set", key="allow_file_urls", value=True)
        assert error["code"] == "denied"
        assert "tabwarden config set browser.allow_file_urls VALUE" in error["hint"]
        await set_to("browser_use_enabled", False)
        assert set(await host.tools()) == {"control_center"}


async def test_hermes_dialect_provides_hermes_tools_and_result_formats(site: Site) -> None:
    url = site.page("/", "<button>Go</button>")
    async with hosting("--dialect", "hermes") as host:
        tools = set(await host.tools())
        assert {"browser_get_images", "browser_vision", "browser_connect"} <= tools
        _, data = await host.call("browser_navigate", url=url)
        assert data["success"] is True
        assert data["url"] == url
        assert 'button "Go"' in data["snapshot"]

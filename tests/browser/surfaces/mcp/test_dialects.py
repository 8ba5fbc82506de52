"""A host whose model speaks another design's language: `--dialect` over real stdio."""

from __future__ import annotations

import pytest
from browser.surfaces.mcp.host import hosting
from support.site import Site

pytestmark = pytest.mark.anyio


async def test_an_operator_agent_has_one_tool_and_opens_its_browser_itself(site: Site) -> None:
    url = site.page("/", "<button>Go</button>")
    async with hosting("--tools", "operator") as host:
        assert set(await host.tools()) == {"browser"}
        error = await host.fail("browser", action="goto", url=url)
        assert error["code"] == "not_open"
        await host.call("browser", action="open")
        text, _ = await host.call("browser", action="goto", url=url)
        assert url in text


async def test_a_hermes_agent_has_its_tools_and_its_answers(site: Site) -> None:
    url = site.page("/", "<button>Go</button>")
    async with hosting("--dialect", "hermes") as host:
        tools = set(await host.tools())
        assert {"browser_get_images", "browser_vision", "browser_connect"} <= tools
        _, data = await host.call("browser_navigate", url=url)
        assert data["success"] is True
        assert data["url"] == url
        assert 'button "Go"' in data["snapshot"]

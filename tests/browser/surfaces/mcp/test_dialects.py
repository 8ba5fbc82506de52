"""A host with another product's tools: `--dialect` over real stdio."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from browser.surfaces.mcp.host import Host, hosting, reaching, serving_mcp
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


VENDORS: dict[str, dict[str, tuple[str, Callable[[str], dict[str, Any]]]]] = {
    "claude-browser": {
        "open": ("navigate", lambda url: {"url": url}),
        "read": ("read_page", lambda _: {"filter": "all"}),
        "click": ("left_click", lambda ref: {"target": {"type": "ref", "ref": ref}}),
        "text": ("get_page_text", lambda _: {}),
        "screenshot": ("screenshot", lambda _: {}),
    },
    "openai-browser": {
        "open": ("browser_navigate", lambda url: {"url": url, "tab_id": None}),
        "read": ("browser_read_page", lambda _: {"filter": "all", "tab_id": None}),
        "click": ("browser_click", lambda ref: {"target": ref, "tab_id": None}),
        "text": ("browser_get_page_text", lambda _: {"tab_id": None}),
        "screenshot": ("browser_screenshot", lambda _: {}),
    },
}
"""By dialect: the tools and arguments of what the tests do."""


@pytest.mark.parametrize("http", [False, True], ids=["stdio", "http"])
@pytest.mark.parametrize("dialect", VENDORS)
async def test_vendors_dialect_lets_a_host_answer_a_confirm(
    dialect: str, http: bool, site: Site
) -> None:
    url = site.page("/", "<button onclick='o.textContent = confirm(1)'>Ask</button><p id=o>-</p>")
    tools = VENDORS[dialect]
    async with serving(dialect) if http else hosting("--dialect", dialect) as host:
        assert {*(name for name, _ in tools.values()), "browser_dialog"} <= set(await host.tools())

        async def do(what: str, value: str = "") -> str:
            name, arguments = tools[what]
            return (await host.call(name, **arguments(value)))[0]

        assert url in await do("open", url)
        ref = re.search(r'button "Ask" \[(?:ref=)?(\w+)\]', await do("read"))
        assert ref is not None
        clicked = await do("click", ref[1])
        assert clicked.startswith("Clicked. A dialog opened: d-1, confirm")
        assert "browser_dialog(" in clicked
        await host.call("browser_dialog", action="accept")
        assert "true" in await do("text")


@pytest.mark.parametrize("dialect", VENDORS)
async def test_vendors_dialect_answers_bad_input_with_its_own_names(
    dialect: str, site: Site
) -> None:
    url = site.page("/", "<button>Go</button>")
    tools = VENDORS[dialect]
    async with hosting("--dialect", dialect) as host:
        opening, arguments = tools["open"]
        await host.call(opening, **arguments(url))
        clicking, arguments = tools["click"]
        text, _, is_error = await host.raw(clicking, **arguments("e99"))
        assert is_error
        assert f"Call {tools['read'][0]} or" in text
        text, _, is_error = await host.raw(opening, uri=url)
        assert is_error
        assert "Did you mean url?" in text
        picture = await host.client.call_tool(tools["screenshot"][0], {})
        assert [part.mime_type for part in picture.content if part.type == "image"] == ["image/png"]


@asynccontextmanager
async def serving(dialect: str) -> AsyncIterator[Host]:
    """One client of `tabwarden mcp --http --dialect`."""
    with serving_mcp("--dialect", dialect) as server:
        async with reaching(server.url) as host:
            yield host


@pytest.mark.parametrize(
    ("dialect", "opening", "capture"),
    [
        ("hermes", ("browser_navigate", {"url": "data:,x"}), ("browser_vision", {"question": "?"})),
        ("operator", ("browser", {"action": "open"}), ("browser", {"action": "screenshot"})),
        ("openclaw", ("browser", {"action": "start"}), ("browser", {"action": "screenshot"})),
        ("claude-browser", ("navigate", {"url": "data:,x"}), ("screenshot", {})),
        ("openai-browser", ("browser_navigate", {"url": "data:,x"}), ("browser_screenshot", {})),
    ],
)
async def test_host_gets_a_dialects_picture_with_full_structured_content(
    dialect: str, opening: tuple[str, dict[str, Any]], capture: tuple[str, dict[str, Any]]
) -> None:
    """The official client refuses a result without structured content if the tool declares a
    schema."""
    async with hosting("--dialect", dialect, "--structured", "full") as host:
        await host.tools()
        await host.call(opening[0], **opening[1])
        result = await host.client.call_tool(*capture)
        assert [part.type for part in result.content] == ["text", "image"]

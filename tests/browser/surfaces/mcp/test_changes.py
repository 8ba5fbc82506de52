"""Notifications to a host: changed tool lists and changed resources."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from browser.surfaces.mcp.host import Host, hosting, kill_browsers_of_servers, reaching, serving_mcp
from support.site import Site

pytestmark = [
    pytest.mark.anyio,
    # Clients of protocol versions before 2026-07-28 are tested too.
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]

STATE = "tabwarden://state"
SCREENSHOT = "tabwarden://screenshot"
TOOLS = "notifications/tools/list_changed"
UPDATED = "notifications/resources/updated"

Heard = Callable[[str], Awaitable[None]]


@asynccontextmanager
async def hearing(
    connect: Any, *arguments: str, mode: str, **env: str
) -> AsyncIterator[tuple[Host, Heard]]:
    """A host with a given protocol version, and a function that waits for a notification."""
    told: dict[str, anyio.Event] = {}

    def tell(what: str) -> None:
        told.setdefault(what, anyio.Event()).set()

    async def heard(what: str) -> None:
        with anyio.fail_after(60):
            await told.setdefault(what, anyio.Event()).wait()
        del told[what]

    async def handler(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            tell(TOOLS)
        elif isinstance(message, types.ResourceUpdatedNotification):
            tell(str(message.params.uri))

    async with connect(*arguments, mode=mode, message_handler=handler, **env) as host:
        is_modern = host.client.session.protocol_version == "2026-07-28"
        assert is_modern is (mode != "legacy")
        if mode == "legacy":
            for uri in (STATE, SCREENSHOT):
                await host.client.subscribe_resource(uri)
            yield host, heard
        else:
            uris = [STATE, SCREENSHOT]
            async with (
                host.client.listen(tools_list_changed=True, resource_subscriptions=uris) as events,
                anyio.create_task_group() as group,
            ):

                async def listen() -> None:
                    async for event in events:
                        tell(getattr(event, "uri", TOOLS))

                group.start_soon(listen)
                yield host, heard
                group.cancel_scope.cancel()


@pytest.fixture
def way(request: pytest.FixtureRequest) -> tuple[Any, str]:
    """The transports and protocol versions of a host."""
    over, era = request.param.split()
    mode = "legacy" if era == "legacy" else "auto"
    if over == "stdio":
        return hosting, mode

    @asynccontextmanager
    async def connect(*arguments: str, **client: Any) -> AsyncIterator[Host]:
        task = "" if era == "legacy" else "?task=one"
        with serving_mcp(*arguments) as server:
            async with reaching(server.url + task, **client) as host:
                yield host

    return connect, mode


@pytest.mark.parametrize("way", ["stdio legacy", "http modern"], indirect=True)
async def test_tool_list_follows_the_configuration(
    way: tuple[Any, str], site: Site, tmp_path: Path
) -> None:
    config = tmp_path / "config.yaml"

    def configure(**browser: Any) -> None:
        fresh = config.with_suffix(".new")
        fresh.write_text(json.dumps({"browser": browser}))
        fresh.replace(config)

    configure(headless=True)
    connect, mode = way
    async with hearing(connect, "--config", str(config), mode=mode) as (host, heard):
        assert host.client.server_capabilities.tools.list_changed is True
        every = set(await host.tools())
        await host.call("browser_navigate", url=site.page("/", "page"))
        configure(evaluate_enabled=False, dialog_policy="auto_accept")
        await heard(TOOLS)
        assert every - set(await host.tools()) == {"browser_evaluate", "browser_init_script"}
        assert (await host.fail("browser_evaluate", script="1"))["code"] == "disabled"
        # An open browser applies all settings that can change while it runs.
        await host.call("browser_navigate", url=site.page("/2", "<script>alert(1)</script>"))
        _, data = await host.call("browser_snapshot")
        with anyio.fail_after(60):
            while not data["recent_dialogs"]:  # its response is on the way
                _, data = await host.call("browser_snapshot")
        assert data["recent_dialogs"][0]["closed_by"] == "auto_policy"
        configure(enabled=False)
        await heard(TOOLS)
        assert await host.tools() == {}
        assert (await host.fail("browser_snapshot"))["code"] == "disabled"
        configure(headless=True)
        await heard(TOOLS)
        assert set(await host.tools()) == every


@pytest.mark.long
async def test_tool_list_drops_browser_tools_when_the_browser_is_lost(site: Site) -> None:
    async with hearing(hosting, mode="legacy") as (host, heard):
        every = set(await host.tools())
        await host.call("browser_navigate", url=site.page("/", "page"))
        assert kill_browsers_of_servers()
        await heard(TOOLS)
        assert every - set(await host.tools()) == {"browser_cdp", "browser_dialog"}
        await host.call("browser_navigate", url=site.page("/", "page"))
        await heard(TOOLS)
        assert set(await host.tools()) == every


async def read(host: Host, uri: str) -> list[Any]:
    return list((await host.client.read_resource(uri)).contents)


@pytest.mark.parametrize("way", ["stdio modern", "http legacy"], indirect=True)
@pytest.mark.long
async def test_resources_contain_the_state_and_the_last_screenshot(
    way: tuple[Any, str], site: Site
) -> None:
    connect, mode = way
    async with hearing(connect, mode=mode) as (host, heard):
        listed = (await host.client.list_resources()).resources
        assert {str(one.uri) for one in listed} == {STATE, SCREENSHOT}
        state, line = await read(host, STATE)
        assert json.loads(state.text) == {"open": False, "message": ""}
        assert line.text == "[Browser: not open]"
        for wrong, words in ((SCREENSHOT, "browser_screenshot"), ("tabwarden://no", STATE)):
            with pytest.raises(Exception, match=words):
                await read(host, wrong)
        ask = "<script>setTimeout(() => confirm('Sure?'), 0)</script>"
        url = site.page("/", ask)
        first, _ = await host.call("browser_navigate", url=url)
        while not json.loads((await read(host, STATE))[0].text)["pending_dialogs"]:
            await heard(STATE)
        state, line = await read(host, STATE)
        told = json.loads(state.text)
        assert told["tabs"][0]["url"] == url
        assert told["pending_dialogs"][0]["message"] == "Sure?"
        assert line.text == told["message"]
        assert "1 dialog waiting" in line.text
        text, _ = await host.call("browser_dialog", action="accept")
        assert ("[Browser: " in text) == ("1 dialog waiting" in first), "only what changed"
        taken = await host.client.call_tool("browser_screenshot", {"format": "jpeg"})
        await heard(SCREENSHOT)
        (picture,) = await read(host, SCREENSHOT)
        assert picture.mime_type == "image/jpeg"
        (image,) = [part for part in taken.content if part.type == "image"]
        assert base64.b64decode(picture.blob) == base64.b64decode(image.data)

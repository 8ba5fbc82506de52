"""The live view inside a chat: the resource that a host reads, and its page."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest
from browser.surfaces.mcp.host import Host, hosting
from browser.surfaces.mcp.test_elicitation import Person, chatting
from mcp.client.extension import advertise
from support.eventually import eventually
from support.site import Site

from tabwarden.actions import DEFAULT_TASK
from tabwarden.sync import Browser

pytestmark = pytest.mark.anyio

APP = "ui://tabwarden/live"
MOVES = "<p id=p></p><script>setInterval(() => (p.textContent = Date.now()), 20)</script>"
MIME = "text/html;profile=mcp-app"
UI = advertise("io.modelcontextprotocol/ui", {"mimeTypes": [MIME]})


async def read(host: Host, uri: str) -> Any:
    (contents,) = (await host.client.read_resource(uri)).contents
    return contents


async def live(host: Host) -> dict[str, Any]:
    now: dict[str, Any] = json.loads((await read(host, "tabwarden://live")).text)
    return now


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.long
async def test_mcp_host_with_app_support_gets_the_live_view(mode: str, site: Site) -> None:
    async with hosting(mode=mode, extensions=[UI]) as host:
        tools = await host.tools()
        assert tools["browser_handoff"].meta["ui"]["resourceUri"] == APP
        assert tools["browser_click"].meta is None
        listed = (await host.client.list_resources()).resources
        assert APP in [str(one.uri) for one in listed]
        page = await read(host, APP)
        assert page.mime_type == MIME
        assert (await live(host))["open"] is False
        await host.call("browser_navigate", url=site.page("/", "Hello", title="Shop"))
        await host.call("browser_handoff", reason="Log in", timeout_ms=100)
        now = await live(host)
        assert (now["title"], now["holder"], now["asks"]) == ("Shop", None, "Log in")
        while "picture" not in now:
            now = await live(host)
        assert now["picture"].startswith("data:image/jpeg;base64,")


@pytest.mark.threat
async def test_live_view_resource_has_no_image_while_a_person_has_control(site: Site) -> None:
    """A host may let its model read the resource, and a page can show a typed password."""
    async with chatting(Person(action="cancel"), extensions=[UI]) as (host, clients):
        await host.call("browser_navigate", url=site.page("/", MOVES, title="Shop"))
        browser = clients.of(DEFAULT_TASK).session.current
        assert browser is not None
        while "picture" not in await live(host):
            pass
        browser.control.take("Ann")
        for _ in range(20):
            now = await live(host)
            assert (now["holder"], "picture" in now) == ("Ann", False)
            await anyio.sleep(0.05)
        browser.control.release()
        while "picture" not in await live(host):
            pass


@pytest.mark.long
async def test_mcp_host_without_app_support_gets_no_live_view(host: Host) -> None:
    assert (await host.tools())["browser_handoff"].meta is None
    listed = (await host.client.list_resources()).resources
    assert APP not in [str(one.uri) for one in listed]


HOST = """
<iframe sandbox="allow-scripts" srcdoc="{page}" style="width: 500px; height: 400px"></iframe>
<script>
  const now = {now};
  const heard = [];
  addEventListener("message", ({{ source, data }}) => {{
    heard.push(data.method);
    const answer = (result) => source.postMessage({{ jsonrpc: "2.0", id: data.id, result }}, "*");
    if (data.method === "ui/initialize") answer({{ hostContext: {{ theme: "dark" }} }});
    if (data.method === "resources/read") {{
      answer({{ contents: [{{ uri: data.params.uri, text: JSON.stringify(now) }}] }});
    }}
  }});
</script>
"""


@pytest.mark.threat
def test_live_view_app_shows_a_hostile_title_as_text(browser: Browser, site: Site) -> None:
    from html import escape
    from importlib import resources

    page = (resources.files("tabwarden.surfaces.mcp") / "live.html").read_text("utf-8")
    now = {
        "open": True,
        "title": "<img src=x onerror=alert(1)>",
        "url": "https://shop.test/",
        "holder": None,
        "asks": "<b>Log in</b>",
    }
    browser.goto(site.page("/", HOST.format(page=escape(page), now=json.dumps(now))))
    eventually(lambda: "<b>Log in</b>" in browser.scrape(format="text").value["text"])
    text = browser.scrape(format="text").value["text"]
    assert "<img src=x onerror=alert(1)>" in text
    assert browser.state.pending_dialogs == ()
    assert "ui/notifications/initialized" in browser.evaluate("heard").value

"""Every tool's results match its schema; read-only tools change nothing."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.mcp.host import Host, inside
from jsonschema import Draft202012Validator
from support.site import Site

from tabwarden.config import BrowserConfig

pytestmark = pytest.mark.anyio

PAGE = """<h1>Shop</h1><input aria-label=Name><input type=checkbox aria-label=Agree>
<select aria-label=Size><option>S<option>M</select>
<button id=card draggable=true>Card</button><button id=bin>Bin</button><input type=file
aria-label=File><button onclick="confirm('Sure?')">Ask</button><div style="height:3000px"></div>
<script>console.warn('careful'); bin.ondragover = (e) => e.preventDefault();
bin.ondrop = (e) => e.preventDefault()</script>"""
LOOK = """JSON.stringify([location.href, document.body.innerHTML, scrollX, scrollY, innerWidth,
document.cookie, {...localStorage}, document.activeElement.tagName, history.length])"""


NOTHING = {"type": "null"}


class Checked:
    """A host that checks each result against the listed schema."""

    def __init__(self, host: Host, tools: dict[str, Any]) -> None:
        self.host, self.tools = host, tools
        self.went_well: set[str] = set()

    async def __call__(self, name: str, /, **arguments: Any) -> Any:
        tool = self.tools[f"browser_{name}"]
        reads = tool.annotations.read_only_hint
        before = await self.look() if reads else None
        result = await self.host.client.call_tool(tool.name, arguments)
        assert not result.is_error, result.content
        if result.structured_content is None:  # so that each host shows the image
            assert (name, tool.output_schema) == ("screenshot", None)
            self.went_well.add(tool.name)
            return None
        Draft202012Validator(tool.output_schema).validate(result.structured_content)
        assert before is None or before == await self.look(), f"{name} changed the page"
        self.went_well.add(tool.name)
        data = result.structured_content
        promised = tool.output_schema["$defs"].get("ActionResult", {}).get("properties", {})
        if promised.get("value", NOTHING) != NOTHING and data.get("status") == "ok":
            assert data["value"] is not None, f"{name} has a value"
        return data

    async def look(self) -> str:
        _, data = await self.host.call("browser_evaluate", script=LOOK)
        return str(data["value"])

    async def fails(self, name: str, /, **arguments: Any) -> None:
        tool = self.tools[f"browser_{name}"]
        result = await self.host.client.call_tool(tool.name, arguments)
        assert result.is_error
        Draft202012Validator(tool.output_schema).validate(result.structured_content)


def ask_for_a_password(request: BaseHTTPRequestHandler) -> None:
    known = "Authorization" in request.headers
    request.send_response(200 if known else 401)
    if not known:
        request.send_header("WWW-Authenticate", 'Basic realm="Staff"')
    request.send_header("Content-Length", "2")
    request.end_headers()
    request.wfile.write(b"ok")


async def test_every_tool_result_matches_its_output_schema(
    site: Site, port: int, tmp_path: Path
) -> None:
    url = site.page("/", PAGE)
    site.pages["/staff"] = ask_for_a_password
    (tmp_path / "note.txt").write_text("hello")
    config = BrowserConfig(upload_dir=tmp_path, download_dir=tmp_path, state_dir=tmp_path)
    async with inside(config) as (host, _):
        call = Checked(host, await host.tools())
        await call.fails("snapshot")
        await call("navigate", url=url, snapshot="full")
        shown = await call("snapshot")
        ref = {e["name"]: ref for ref, e in shown["refs"].items()}
        await call.fails("click", ref="e999999")
        await call("screenshot")
        await call("find", text="Card")
        await call("handoff", reason="Log in", timeout_ms=50)
        await call("batch", steps=[{"tool": "find", "text": "Card"}])
        await call("wait", selector="h1")
        await call("scrape")
        await call("network")
        await call("console")
        await call("hover", ref=ref["Card"])
        await call("inspect", ref=ref["Card"])
        await call("focus", ref=ref["Name"])
        await call("check", ref=ref["Agree"])
        await call("uncheck", ref=ref["Agree"])
        await call("drop", ref=ref["Bin"], data={"text/plain": "words"})
        await call("mouse", mode="wheel", delta_y=10)
        await call("touch", mode="tap", ref=ref["Bin"])
        await call("type", ref=ref["Name"], text="Ann")
        await call("press", key="Home")
        await call("scroll", amount=100)
        await call("drag", from_ref=ref["Card"], to_ref=ref["Bin"])
        await call("select", ref=ref["Size"], labels=["M"])
        await call("fill_form", fields=[{"ref": ref["Name"], "value": "Bo"}], snapshot="diff")
        await call("resize", width=800, height=600)
        await call("highlight", ref=ref["Bin"])
        await call("evaluate", script="({a: [1, null]})")
        added = await call("init_script", script="1")
        await call("init_script", mode="remove", script_id=added["value"]["id"])
        await call("page_tool")
        await call("cdp", method="Browser.getVersion")
        await call("cookies", mode="set", name="k", value="v", url=url)
        await call("cookies", mode="delete", name="k")
        await call("storage", mode="set", key="k", value="v")
        await call("storage")
        await call("storage_state", mode="save", filename="s.json")
        await call("storage_state", mode="load", filename="s.json")
        await call("clipboard", mode="write", text="x")
        await call("clipboard")
        await call("emulate", locale="de-DE", color_scheme="dark")
        await call("route", url="**/x", abort="failed")
        await call("route", mode="list")
        await call("memory", filename="x")
        await call("coverage", mode="start")
        await call("coverage", mode="stop")
        await call("performance", mode="start")
        await call("performance", mode="stop")
        await call("route", mode="remove")
        await call("permission", name="geolocation")
        await call("download", url=f"{site.here}/")
        await call("pdf")
        await call("trace")
        await call("upload", ref=ref["File"], filenames=["note.txt"])
        asked = await call("click", ref=ref["Ask"])
        assert asked["status"] == "interrupted"
        await call.fails("press", key="Tab")
        await call("dialog", action="accept")
        requests = (await call("network"))["value"]["requests"]
        await call("reload")
        if requests:
            await call("network", request_id=requests[-1]["id"])
        asked = await call("navigate", url=f"{site.here}/staff")
        assert asked["by"]["kind"] == "auth"
        await call("auth", username="u", password="p")
        await call.fails("choose", cancel=True)
        await call("back")
        await call("forward")
        await call("tabs", mode="open")
        await call("close")
        await call("open")
        await call("connect", url=str(port))
        await call("disconnect")
        # Devices to choose from: tests/browser/page/prompts/test_device_choosers.py
        # axe-core, which is not part of Tabwarden: tests/browser/page/devtools/test_audit.py
        assert call.went_well == set(call.tools) - {"browser_choose", "browser_audit"}

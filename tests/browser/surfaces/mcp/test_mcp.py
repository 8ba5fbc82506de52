"""`tabwarden mcp` over real stdio with the official client."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler

import anyio
import pytest
from browser.surfaces.mcp.host import Host, hosting, kill_browsers_of_servers
from support.pace import in_time
from support.site import Site

pytestmark = pytest.mark.anyio

BUTTON = '<button onclick="{}">Go</button>'
TOOLS = {
    "browser_navigate": {"url"},
    "browser_snapshot": {"full", "frame_id", "diff", "max_chars"},
    "browser_click": {"ref", "x", "y", "button", "count", "modifiers"},
    "browser_type": {"ref", "x", "y", "text", "clear", "press_enter"},
    "browser_press": {"key", "times"},
    "browser_evaluate": {"script", "ref", "frame_id"},
    "browser_screenshot": {"ref", "full_page", "annotate", "format"},
    "browser_scrape": {"format", "frame_id", "selector", "max_chars", "offset"},
    "browser_download": {"url", "filename", "overwrite"},
    "browser_pdf": {"filename", "paper", "landscape", "scale", "page_ranges"},
    "browser_dialog": {"action", "prompt_text", "dialog_id"},
    "browser_tabs": {"mode", "tab_index", "tab_id", "url"},
    "browser_console": {"clear", "level"},
    "browser_cdp": {"method", "params", "frame_id", "target_id"},
    "browser_close": set(),
}


async def test_mcp_server_lists_the_tools_with_their_parameters(host: Host) -> None:
    tools = await host.tools()
    assert set(TOOLS) <= set(tools)
    for name, parameters in TOOLS.items():
        schema = tools[name].input_schema
        assert parameters | {"timeout_ms"} <= set(schema["properties"]), name
        assert tools[name].description


async def test_agent_sees_and_answers_every_kind_of_dialog(host: Host, site: Site) -> None:
    click = BUTTON.format("document.title = confirm('Really?')")
    await host.call("browser_navigate", url=site.page("/", click))
    text, data = await host.call("browser_click", ref=await host.ref('"Go"'))
    assert data["status"] == "interrupted"
    assert data["by"]["dialog"]["message"] == "Really?"
    assert "browser_dialog" in text
    text, data = await host.call("browser_snapshot")
    assert 'Dialog d-1 is waiting in tab t1: confirm "Really?"' in text
    assert data["pending_dialogs"][0]["id"] == "d-1"
    assert data["stale"] is False
    assert 'button "Go"' in text
    error = await host.fail("browser_press", key="Tab")
    assert error["code"] == "dialog_pending"
    assert error["data"]["dialog"]["id"] == "d-1"
    await host.call("browser_dialog", action="accept")
    _, data = await host.call("browser_evaluate", script="document.title")
    assert data["value"] == "true"
    assert (await host.fail("browser_dialog", action="accept"))["code"] == "no_dialog"

    await host.call("browser_navigate", url=site.page("/load", "<script>alert('on load')</script>"))
    _, data = await host.call("browser_snapshot")
    assert data["pending_dialogs"][0]["message"] == "on load"
    await host.call("browser_dialog", action="accept")

    script = "setTimeout(() => { window.got = prompt('Name?', 'nobody') }, 0)"
    await host.call("browser_evaluate", script=script)
    while not (await host.call("browser_snapshot"))[1]["pending_dialogs"]:
        pass
    await host.call("browser_dialog", action="accept", prompt_text="Ada")
    assert (await host.call("browser_evaluate", script="got"))[1]["value"] == "Ada"


async def test_clicks_and_typing_reach_a_frame_two_deep(host: Host, site: Site) -> None:
    site.page("/in", "<input aria-label=Card oninput='window.typed = value'>" + BUTTON.format(
        "confirm('pay?')"))  # fmt: skip
    site.page("/mid", f'<iframe src="{site.here}/in"></iframe>')
    await host.call("browser_navigate", url=site.page("/", f'<iframe src="{site.there}/mid">'))
    _, data = await host.call("browser_type", ref=await host.ref('"Card"'), text="42")
    assert data["value"] == {"value": "42"}
    _, data = await host.call("browser_click", ref=await host.ref('"Go"'))
    assert data["by"]["dialog"]["message"] == "pay?"
    await host.call("browser_dialog", action="dismiss")


@pytest.mark.parametrize("script", ["while (true) {}", "new Promise(() => {})"])
async def test_evaluate_stops_an_endless_script_at_its_budget(
    script: str, host: Host, site: Site
) -> None:
    await host.call("browser_navigate", url=site.page("/", "page"))
    with in_time(1.5):
        error = await host.fail("browser_evaluate", script=script, timeout_ms=1500)
    assert error["code"] == "budget_exceeded"
    assert error["hint"]
    assert (await host.call("browser_evaluate", script="1 + 1"))[1]["value"] == 2


async def test_mcp_server_reports_a_killed_browser_and_then_opens_a_new_one(
    host: Host, site: Site
) -> None:
    url = site.page("/", BUTTON.format(""))
    await host.call("browser_navigate", url=url)
    old = await host.ref('"Go"')
    assert kill_browsers_of_servers()
    error = await host.fail("browser_evaluate", script="1", timeout_ms=5000)
    assert error["code"] == "browser_gone"
    assert "browser_open" in error["hint"]
    text, _ = await host.call("browser_navigate", url=url)
    assert "a new browser" in text
    assert (await host.fail("browser_click", ref=old))["code"] in ("unknown_ref", "stale_ref")
    fresh = await host.ref('"Go"')
    assert int(fresh[1:]) > int(old[1:])
    await host.call("browser_click", ref=fresh)


async def test_screenshot_tool_returns_an_image(host: Host, site: Site) -> None:
    await host.call("browser_navigate", url=site.page("/", BUTTON.format("")))
    for annotate in (False, True):
        result = await host.client.call_tool("browser_screenshot", {"annotate": annotate})
        (picture,) = [part for part in result.content if part.type == "image"]
        assert picture.mime_type == "image/png"
        assert picture.data.startswith("iVBOR")
    assert (await host.call("browser_evaluate", script="document.body.innerHTML"))[1][
        "value"
    ] == BUTTON.format("")


WRONG = [
    ("browser_navigate", {}, "url"),
    ("browser_navigate", {"url": "gopher://x"}, "url"),
    ("browser_navigate", {"url": "javascript:alert(1)"}, "url"),
    ("browser_navigate", {"url": "file:///etc/passwd"}, "url"),
    ("browser_click", {}, "ref"),
    ("browser_click", {"ref": "#buy"}, "ref"),
    ("browser_click", {"ref": 12}, "ref"),
    ("browser_click", {"ref": "e1", "x": 1, "y": 1}, "ref"),
    ("browser_click", {"x": "left", "y": 3}, "x"),
    ("browser_click", {"x": 5}, "y"),
    ("browser_click", {"x": 1, "y": 1, "button": "upper"}, "button"),
    ("browser_click", {"reff": "e1"}, "reff"),
    ("browser_type", {"ref": "e1"}, "text"),
    ("browser_press", {"key": "Entr"}, "key"),
    ("browser_press", {"key": "a", "times": 51}, "times"),
    ("browser_dialog", {"action": "maybe"}, "action"),
    ("browser_evaluate", {"script": 5}, "script"),
    ("browser_evaluate", {"script": "1", "timeout_ms": -1}, "timeout_ms"),
    ("browser_evaluate", {"script": "1", "timeout_ms": "soon"}, "timeout_ms"),
    ("browser_snapshot", {"max_chars": 3}, "max_chars"),
    ("browser_snapshot", {"tab_id": "t99"}, "tab_id"),
    ("browser_tabs", {"mode": "shuffle"}, "mode"),
    ("browser_tabs", {"mode": "switch", "tab_index": 99}, "tab_index"),
    ("browser_cdp", {"method": "Nope.nope"}, None),
    ("browser_cdp", {"method": "Page"}, "method"),
    ("browser_nope", {}, "tool"),
]


async def test_tool_error_identifies_the_invalid_field_and_the_page_stays_usable(
    host: Host, site: Site
) -> None:
    await host.call("browser_navigate", url=site.page("/", BUTTON.format("document.title = 'hit'")))
    ref = await host.ref('"Go"')
    for tool, arguments, field in WRONG:
        error = await host.fail(tool, **arguments)
        assert error["hint"], (tool, arguments)
        if field is not None:
            assert error["code"] in ("invalid_argument", "denied"), (tool, arguments, error)
            assert error["data"].get("field") == field, (tool, arguments, error)
    assert (await host.fail("browser_click", ref="e12345"))["code"] == "unknown_ref"
    assert (await host.fail("browser_evaluate", script="(", frame_id="no id"))["code"] == (
        "frame_not_found"
    )
    assert (await host.fail("browser_evaluate", script="nope()"))["code"] == "js_error"
    await host.call("browser_click", ref=ref)
    assert (await host.call("browser_evaluate", script="document.title"))[1]["value"] == "hit"


async def test_tools_report_how_they_corrected_nearly_valid_arguments(
    host: Host, site: Site
) -> None:
    await host.call("browser_navigate", url=site.page("/", BUTTON.format("")), timeout_ms="20000")
    text, _ = await host.call("browser_click", x="20", y="20", ref="null", modifiers='["Shift"]')
    assert "was read as" in text


async def test_dialog_tool_requires_an_id_if_two_dialogs_are_open(host: Host, site: Site) -> None:
    await host.call("browser_navigate", url=site.page("/", "<script>alert('one')</script>"))
    await host.call(
        "browser_tabs", mode="open", url=site.page("/2", "<script>alert('two')</script>")
    )
    error = await host.fail("browser_dialog", action="accept")
    assert error["code"] == "ambiguous_dialog"
    assert "d-1" in str(error)
    await host.call("browser_dialog", action="accept", dialog_id="d-1")
    assert (await host.fail("browser_dialog", action="accept", dialog_id="d-9"))[
        "code"
    ] == "no_dialog"
    await host.call("browser_dialog", action="accept")


@pytest.mark.long
async def test_tools_that_need_a_browser_fail_until_one_is_open(host: Host) -> None:
    assert (await host.fail("browser_snapshot"))["code"] == "not_open"
    assert (await host.fail("browser_close"))["code"] == "not_open"
    await host.call("browser_navigate", url="about:blank")
    await host.call("browser_close")
    assert (await host.fail("browser_snapshot"))["code"] == "not_open"
    await host.call("browser_navigate", url="about:blank")


@pytest.mark.long
async def test_mcp_server_attaches_to_a_running_browser_and_keeps_it_running(
    port: int, site: Site
) -> None:
    for _ in range(2):
        async with hosting("--endpoint", f"http://127.0.0.1:{port}") as host:
            await host.call("browser_navigate", url=site.page("/", BUTTON.format("alert('hi')")))
            _, data = await host.call("browser_click", ref=await host.ref('"Go"'))
            assert data["by"]["dialog"]["message"] == "hi"
            await host.call("browser_dialog", action="accept")
            await host.call("browser_close")


@pytest.mark.long
async def test_mcp_server_reports_a_dead_endpoint_and_an_invalid_executable() -> None:
    async with hosting("--endpoint", "http://127.0.0.1:9") as host:
        error = await host.fail("browser_navigate", url="about:blank")
        assert error["code"] == "endpoint_unreachable"
    async with hosting("--executable", "/nowhere/chrome") as host:
        error = await host.fail("browser_navigate", url="about:blank")
        assert error["code"] in ("launch_failed", "invalid_argument")
        assert "/nowhere/chrome" in error["message"]


async def test_slow_call_does_not_delay_other_mcp_calls(host: Host, site: Site) -> None:
    go_on = threading.Event()

    def late(request: BaseHTTPRequestHandler) -> None:
        go_on.wait(60)
        request.send_error(404)

    site.pages["/late"] = late
    await host.call("browser_navigate", url=site.page("/", "one"))
    await host.call("browser_tabs", mode="open", url=site.page("/2", "two"))
    done: list[str] = []

    async def slow() -> None:
        script = "fetch('/late').then(() => 1)"
        await host.call("browser_evaluate", script=script, tab_id="t1", timeout_ms=60_000)
        done.append("slow")

    async with anyio.create_task_group() as group:
        group.start_soon(slow)
        await host.call("browser_evaluate", script="1", tab_id="t2")
        await host.call("browser_evaluate", script="1", tab_id="t1")
        done.append("quick")
        go_on.set()
    assert done == ["quick", "slow"]


@pytest.mark.threat
async def test_mcp_server_survives_a_lone_surrogate_in_a_value(host: Host) -> None:
    await host.call("browser_open")
    script = "new Map([['\\ud800', {'\\udfff': 1}]])"
    text, _ = await host.call("browser_evaluate", script=script)
    assert "\ufffd" in text
    assert (await host.call("browser_evaluate", script="1 + 1"))[1]["value"] == 2


@pytest.mark.long
async def test_network_tool_lists_requests_from_the_start(site: Site) -> None:
    async with hosting("--tools", "logs") as host:
        await host.call("browser_navigate", url=site.page("/", "<h1>Shop"))
        text, _ = await host.call("browser_network")
        assert site.here in text

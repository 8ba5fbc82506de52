"""Each adapter's guarantees, with its framework's own fake model and a real browser."""

from __future__ import annotations

import asyncio
import importlib

import pytest
from browser.surfaces.frameworks.runs.told import Run
from browser.tools.shop import HANG, IN_ORDER, Shop

from tabwarden.sync import Browser
from tabwarden.tools import Tools
from tabwarden.tools.sync import Tools as SyncTools

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["pydantic_ai", "openai_agents", "langchain"])
def run(request: pytest.FixtureRequest) -> Run:
    made: Run = importlib.import_module(f"browser.surfaces.frameworks.runs.{request.param}").run
    return made


async def test_adapter_sends_the_state_line_each_turn_and_the_history_omits_it(
    run: Run, tools: Tools, shop: Shop
) -> None:
    told = await run(tools, [[("browser_navigate", {"url": shop.url})], [("browser_snapshot", {})]])
    assert len(told.last) >= 3
    assert "| about:blank |" in told.last[0]
    assert all(last.startswith("[Browser: ") for last in told.last)
    assert all("| Shop |" in last for last in told.last[1:])
    assert all(sent.count("[Browser: ") == 1 for sent in told.sent)
    assert "goto: ok" in told.kept
    assert "[Browser: " not in told.kept
    assert '"Buy" [ref=' in told.results[1].text


async def test_adapter_runs_the_tool_calls_of_a_reply_in_order(run: Run, tools: Tools) -> None:
    told = await run(tools, [IN_ORDER])
    assert 'value: "One two"' in told.results[2].text


async def test_adapter_returns_screenshots_as_images_and_errors_as_text(
    run: Run, tools: Tools
) -> None:
    told = await run(tools, [[("browser_screenshot", {})], [("browser_click", {"ref": "e999999"})]])
    shown, failed = told.results
    assert shown.pictures == ["image/png"]
    assert "screenshot: ok" in shown.text
    assert "unknown_ref" in failed.text


VENDORS = {
    "claude-browser": ("navigate", "read_page", "screenshot", 'button "Buy" [ref_'),
    "openai-browser": (
        "browser_navigate", "browser_read_page", "browser_screenshot", 'button "Buy" [ref=e',
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("dialect", VENDORS)
async def test_adapter_runs_the_tools_of_a_vendors_dialect(
    run: Run, browser: Browser, shop: Shop, dialect: str
) -> None:
    opening, reading, capturing, line = VENDORS[dialect]
    tools = Tools(browser, toolset=dialect)
    told = await run(tools, [[(opening, {"url": shop.url})], [(reading, {})], [(capturing, {})]])
    assert {opening, "browser_dialog"} <= told.offered[0]
    assert line in told.results[1].text
    assert told.results[2].pictures == ["image/png"]


async def test_adapter_removes_a_disabled_tool_on_the_next_turn(
    run: Run, browser: Browser, tools: Tools
) -> None:
    off = browser.config.model_copy(update={"evaluate_enabled": False})
    before = {tool.name for tool in tools.offered()}
    told = await run(tools, [[("browser_snapshot", {})]], meanwhile=lambda: browser.configure(off))
    assert before - told.offered[1] == {"browser_evaluate"}


async def test_canceling_an_agent_run_stops_its_script_in_the_page(
    run: Run, tools: Tools, shop: Shop
) -> None:
    replies = [[("browser_navigate", {"url": shop.url})], [("browser_evaluate", {"script": HANG})]]
    running = asyncio.ensure_future(run(tools, replies))
    await shop.hung()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await tools.call("browser_evaluate", {"script": "6 * 7"})).data["value"] == 42


@pytest.mark.long
def test_langchain_adapter_works_without_an_event_loop(browser: Browser, shop: Shop) -> None:
    from browser.surfaces.frameworks.runs.langchain import run_sync

    told = run_sync(SyncTools(browser), [[("browser_navigate", {"url": shop.url})]])
    assert "| Shop |" in told.last[1]
    assert "[Browser: " not in told.kept


@pytest.mark.parametrize("name", ["config", "run_manager", "callbacks", "self", "x"])
def test_langchain_adapter_reports_unknown_arguments_with_any_name(
    browser: Browser, name: str
) -> None:
    from tabwarden.surfaces.frameworks.langchain import structured_tools

    (snapshot,) = (t for t in structured_tools(SyncTools(browser)) if t.name == "browser_snapshot")
    told = snapshot.invoke({"type": "tool_call", "id": "1", "name": "x", "args": {name: 1}})
    assert told.status == "error"
    assert f"no parameter {name!r}" in told.content


def test_openai_agents_adapter_passes_schemas_unchanged(tools: Tools) -> None:
    from tabwarden.surfaces.frameworks.openai_agents import function_tools

    (click,) = (tool for tool in function_tools(tools) if tool.name == "browser_click")
    (plain,) = (tool for tool in tools.definitions() if tool["name"] == "browser_click")
    assert click.params_json_schema == plain["parameters"]
    assert not click.strict_json_schema

"""The OpenAI Agents SDK with its own scripted model: what it sees each turn, and what is kept."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from agents import Agent, RunConfig, Runner, SQLiteSession
from agents.run import CallModelData, ModelInputData
from agents.testing import ScriptedModel, assistant_message, function_call
from frameworks.shop import HANG, IN_ORDER, Shop

from tabwarden.surfaces.frameworks.openai_agents import function_tools, state_filter
from tabwarden.sync import Browser
from tabwarden.tools import Tools

pytestmark = pytest.mark.anyio


def scripted(*replies: list[tuple[str, dict[str, Any]]]) -> ScriptedModel:
    """Makes these calls, one reply a turn, and ends."""
    turns = [
        [function_call(name, arguments, call_id=f"{turn}-{place}")
         for place, (name, arguments) in enumerate(calls)]
        for turn, calls in enumerate(replies)
    ]  # fmt: skip
    return ScriptedModel([*turns, [assistant_message("Done.")]])


def config(tools: Tools, **more: Any) -> RunConfig:
    return RunConfig(call_model_input_filter=state_filter(tools, **more), tracing_disabled=True)


def outputs(items: list[Any]) -> list[Any]:
    return [item["output"] for item in items if item.get("type") == "function_call_output"]


async def test_the_model_sees_the_state_on_each_turn_and_neither_result_nor_session_holds_it(
    tools: Tools, shop: Shop
) -> None:
    model = scripted([("browser_navigate", {"url": shop.url})], [("browser_snapshot", {})])
    agent = Agent(name="buyer", model=model, tools=function_tools(tools))
    session = SQLiteSession("s")
    result = await Runner.run(agent, "Buy it.", run_config=config(tools), session=session)
    seen = [call.input for call in model.calls]
    lines = [sent[-1]["content"] for sent in seen]
    assert len(lines) == 3
    assert "about:blank" in lines[0]
    assert all("| Shop |" in line for line in lines[1:])
    assert all(str(sent).count("[Browser: ") == 1 for sent in seen)
    assert "[Browser: " not in str(result.to_input_list())
    assert "[Browser: " not in str(await session.get_items())
    assert '"Buy" [ref=' in outputs(result.to_input_list())[1]
    session.close()


async def test_the_calls_of_a_reply_run_in_the_models_order(tools: Tools) -> None:
    model = scripted(IN_ORDER)
    agent = Agent(name="buyer", model=model, tools=function_tools(tools))
    result = await Runner.run(agent, "Buy it.", run_config=config(tools))
    assert 'value: "One two"' in outputs(result.to_input_list())[2]


async def test_pictures_come_as_pictures_and_errors_are_told(tools: Tools) -> None:
    model = scripted([("browser_screenshot", {})], [("browser_click", {"ref": "e999"})])
    agent = Agent(name="buyer", model=model, tools=function_tools(tools))
    result = await Runner.run(agent, "Look.", run_config=config(tools))
    shown, failed = outputs(result.to_input_list())
    assert [part["type"] for part in shown] == ["input_text", "input_image"]
    assert shown[1]["image_url"].startswith("data:image/png;base64,")
    assert "unknown_ref" in failed


async def test_a_tool_that_is_switched_off_is_gone_on_the_next_turn(
    browser: Browser, tools: Tools
) -> None:
    def switching(data: CallModelData[Any]) -> ModelInputData:
        browser.configure(browser.config.model_copy(update={"evaluate_enabled": False}))
        return data.model_data

    model = scripted([("browser_snapshot", {})])
    agent = Agent(name="buyer", model=model, tools=function_tools(tools))
    await Runner.run(agent, "Look.", run_config=config(tools, before=switching))
    before, after = ({tool.name for tool in call.tools} for call in model.calls)
    assert before - after == {"browser_evaluate"}


async def test_another_filter_is_applied_first(tools: Tools) -> None:
    async def short(data: CallModelData[Any]) -> ModelInputData:
        return ModelInputData(input=[], instructions="Be short.")

    model = scripted()
    agent = Agent(name="buyer", model=model)
    await Runner.run(agent, "Hello", run_config=config(tools, before=short))
    (call,) = model.calls
    assert call.system_instructions == "Be short."
    assert len(call.input) == 1


async def test_cancelling_the_run_stops_the_pages_script(tools: Tools, shop: Shop) -> None:
    model = scripted(
        [("browser_navigate", {"url": shop.url})], [("browser_evaluate", {"script": HANG})]
    )
    agent = Agent(name="buyer", model=model, tools=function_tools(tools))
    run = asyncio.create_task(Runner.run(agent, "Hang.", run_config=config(tools)))
    await shop.hung()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert (await tools.call("browser_evaluate", {"script": "6 * 7"})).data["value"] == 42


def test_schemas_are_sent_as_they_are(tools: Tools) -> None:
    (click,) = (tool for tool in function_tools(tools) if tool.name == "browser_click")
    (plain,) = (tool for tool in tools.definitions() if tool["name"] == "browser_click")
    assert json.dumps(click.params_json_schema) == json.dumps(plain["parameters"])
    assert not click.strict_json_schema

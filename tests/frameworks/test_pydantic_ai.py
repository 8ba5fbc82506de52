"""pydantic-ai with its own function model: what it sees each turn, and what is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from frameworks.shop import HANG, IN_ORDER, Shop
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tabwarden.surfaces.frameworks.pydantic_ai import BrowserCapability, BrowserToolset
from tabwarden.sync import Browser
from tabwarden.tools import Tools

pytestmark = pytest.mark.anyio


class Scripted:
    """Makes the calls that it was told to, one reply a turn, and remembers what it saw."""

    def __init__(self, *replies: list[tuple[str, dict[str, Any]]]) -> None:
        self._replies = iter(replies)
        self.seen: list[list[ModelMessage]] = []
        self.offered: list[set[str]] = []
        self.instructions = ""
        self.model = FunctionModel(self._reply)

    def _reply(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.seen.append(messages)
        self.offered.append({tool.name for tool in info.function_tools})
        self.instructions = info.instructions or ""
        calls = next(self._replies, [])
        return ModelResponse([ToolCallPart(*call) for call in calls] or [TextPart("Done.")])

    def lines(self) -> list[str]:
        """What stood last in what it was sent, turn by turn."""
        said = []
        for messages in self.seen:
            last = messages[-1]
            assert isinstance(last, ModelRequest)
            assert isinstance(last.parts[-1], UserPromptPart)
            said.append(str(last.parts[-1].content))
        return said


def returns(messages: list[ModelMessage]) -> list[ToolReturnPart]:
    parts = [part for message in messages for part in message.parts]
    return [part for part in parts if isinstance(part, ToolReturnPart)]


async def test_the_model_sees_the_state_on_each_turn_and_the_history_holds_none(
    tools: Tools, shop: Shop
) -> None:
    scripted = Scripted([("browser_navigate", {"url": shop.url})], [("browser_snapshot", {})])
    agent = Agent(scripted.model, capabilities=[BrowserCapability(tools)])
    first = await agent.run("Buy it.")
    second = await agent.run("Go on.", message_history=first.all_messages())
    lines = scripted.lines()
    assert len(lines) == 4
    assert all(line.startswith("[Browser: ") for line in lines)
    assert "about:blank" in lines[0]
    assert all("| Shop |" in line for line in lines[1:])
    assert all(str(messages).count("[Browser: ") == 1 for messages in scripted.seen)
    assert "[Browser: " not in str(second.all_messages())
    assert '"Buy" [ref=' in str(returns(second.all_messages())[1].content)
    assert "browser_navigate" in scripted.instructions


async def test_the_calls_of_a_reply_run_in_the_models_order(tools: Tools) -> None:
    scripted = Scripted(IN_ORDER)
    done = await Agent(scripted.model, toolsets=[BrowserToolset(tools)]).run("Buy it.")
    assert 'value: "One two"' in str(returns(done.all_messages())[2].content)


async def test_pictures_come_as_pictures_and_errors_as_failures(tools: Tools) -> None:
    scripted = Scripted([("browser_screenshot", {})], [("browser_click", {"ref": "e999"})])
    agent = Agent(scripted.model, capabilities=[BrowserCapability(tools)])
    shown, failed = returns((await agent.run("Look.")).all_messages())
    pictures = [part for part in shown.content if isinstance(part, BinaryContent)]
    assert [picture.media_type for picture in pictures] == ["image/png"]
    assert failed.outcome == "failed"
    assert "unknown_ref" in str(failed.content)


async def test_a_tool_that_is_switched_off_is_gone_on_the_next_turn(
    browser: Browser, tools: Tools
) -> None:
    scripted = Scripted([("browser_snapshot", {})])

    class Switching(BrowserCapability):
        async def after_tool_execute(self, *args: Any, **kwargs: Any) -> Any:
            off = browser.config.model_copy(update={"evaluate_enabled": False})
            browser.configure(off)
            return await super().after_tool_execute(*args, **kwargs)

    await Agent(scripted.model, capabilities=[Switching(tools)]).run("Look.")
    before, after = scripted.offered
    assert before - after == {"browser_evaluate"}


async def test_cancelling_the_run_stops_the_pages_script(tools: Tools, shop: Shop) -> None:
    scripted = Scripted(
        [("browser_navigate", {"url": shop.url})], [("browser_evaluate", {"script": HANG})]
    )
    agent = Agent(scripted.model, capabilities=[BrowserCapability(tools)])
    run = asyncio.create_task(agent.run("Hang."))
    await shop.hung()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert (await tools.call("browser_evaluate", {"script": "6 * 7"})).data["value"] == 42

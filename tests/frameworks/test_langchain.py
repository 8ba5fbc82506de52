"""LangChain with its own fake model: what it sees each turn, and what is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from frameworks.shop import HANG, IN_ORDER, Shop
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import Field

from tabwarden.surfaces.frameworks.langchain import BrowserMiddleware, structured_tools
from tabwarden.sync import Browser
from tabwarden.tools import Tools
from tabwarden.tools.sync import Tools as SyncTools

ASKED: Any = {"messages": [{"role": "user", "content": "Buy it."}]}


class Scripted(GenericFakeChatModel):
    """LangChain's fake model, which remembers what it saw and takes tools."""

    seen: list[list[BaseMessage]] = Field(default_factory=list)
    offered: list[set[str]] = Field(default_factory=list)

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        self.offered.append({convert_to_openai_tool(tool)["function"]["name"] for tool in tools})
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Any:
        self.seen.append(messages)
        return super()._generate(messages, *args, **kwargs)

    def lines(self) -> list[str]:
        """What stood last in what it was sent, turn by turn."""
        return [str(messages[-1].content) for messages in self.seen]


def scripted(*replies: list[tuple[str, dict[str, Any]]]) -> Scripted:
    """Makes these calls, one reply a turn, and ends."""
    turns = [
        AIMessage("", tool_calls=[
            {"name": name, "args": arguments, "id": f"{turn}-{place}"}
            for place, (name, arguments) in enumerate(calls)
        ])
        for turn, calls in enumerate(replies)
    ]  # fmt: skip
    return Scripted(messages=iter([*turns, AIMessage("Done.")]))


def results(state: dict[str, Any]) -> list[ToolMessage]:
    return [message for message in state["messages"] if isinstance(message, ToolMessage)]


def test_the_model_sees_the_state_on_each_turn_and_no_checkpoint_holds_it(
    browser: Browser, shop: Shop
) -> None:
    tools = SyncTools(browser)
    model = scripted([("browser_navigate", {"url": shop.url})], [("browser_snapshot", {})])
    saver = InMemorySaver()
    agent = create_agent(model, middleware=[BrowserMiddleware(tools)], checkpointer=saver)
    thread: Any = {"configurable": {"thread_id": "1"}}
    done = agent.invoke(ASKED, thread)
    lines = model.lines()
    assert len(lines) == 3
    assert "about:blank" in lines[0]
    assert all("| Shop |" in line for line in lines[1:])
    assert all(str(messages).count("[Browser: ") == 1 for messages in model.seen)
    assert "[Browser: " not in str(done)
    assert "[Browser: " not in str(list(saver.list(thread)))
    assert '"Buy" [ref=' in results(done)[1].content


@pytest.mark.anyio
async def test_the_same_without_blocking_the_loop(tools: Tools, shop: Shop) -> None:
    model = scripted([("browser_navigate", {"url": shop.url})])
    agent = create_agent(model, middleware=[BrowserMiddleware(tools)])
    done = await agent.ainvoke(ASKED)
    assert "| Shop |" in model.lines()[-1]
    assert "[Browser: " not in str(done)


@pytest.mark.anyio
async def test_the_calls_of_a_reply_run_in_the_models_order(tools: Tools) -> None:
    model = scripted(IN_ORDER)
    done = await create_agent(model, structured_tools(tools)).ainvoke(ASKED)
    assert 'value: "One two"' in results(done)[2].content


def test_pictures_come_as_pictures_and_errors_as_failures(browser: Browser) -> None:
    model = scripted([("browser_screenshot", {})], [("browser_click", {"ref": "e999"})])
    done = create_agent(model, structured_tools(SyncTools(browser))).invoke(ASKED)
    shown, failed = results(done)
    assert [block["type"] for block in shown.content_blocks] == ["text", "image"]
    assert shown.content_blocks[1]["mime_type"] == "image/png"  # type: ignore[typeddict-item]
    assert failed.status == "error"
    assert "unknown_ref" in failed.content


@pytest.mark.parametrize("name", ["config", "run_manager", "callbacks", "self", "x"])
def test_arguments_that_a_model_made_up_are_told_whatever_their_names(
    browser: Browser, name: str
) -> None:
    (snapshot,) = (t for t in structured_tools(SyncTools(browser)) if t.name == "browser_snapshot")
    call = {"type": "tool_call", "id": "1", "name": snapshot.name, "args": {name: 1}}
    told = snapshot.invoke(call)
    assert told.status == "error"
    assert f"no parameter {name!r}" in told.content


def test_a_tool_that_is_switched_off_is_gone_on_the_next_turn(browser: Browser) -> None:
    tools = SyncTools(browser)

    class Switching(BrowserMiddleware):
        def after_model(self, *args: Any) -> None:
            browser.configure(browser.config.model_copy(update={"evaluate_enabled": False}))

    model = scripted([("browser_snapshot", {})])
    create_agent(model, middleware=[Switching(tools)]).invoke(ASKED)
    before, after = model.offered
    assert before - after == {"browser_evaluate"}


@pytest.mark.anyio
async def test_cancelling_the_run_stops_the_pages_script(tools: Tools, shop: Shop) -> None:
    model = scripted(
        [("browser_navigate", {"url": shop.url})], [("browser_evaluate", {"script": HANG})]
    )
    agent = create_agent(model, middleware=[BrowserMiddleware(tools)])
    run = asyncio.create_task(agent.ainvoke(ASKED))
    await shop.hung()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert (await tools.call("browser_evaluate", {"script": "6 * 7"})).data["value"] == 42

"""LangChain with its generic fake model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.surfaces.frameworks.runs.told import Replies, Result, Told
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver

from tabwarden.surfaces.frameworks.langchain import BrowserMiddleware
from tabwarden.tools import Tools

__all__ = ["run", "run_sync"]

ASKED: Any = {"messages": [{"role": "user", "content": "Buy it."}]}
THREAD: Any = {"configurable": {"thread_id": "1"}}


class _Model(GenericFakeChatModel):
    """LangChain's fake model, which accepts tools and records its input."""

    told: Any
    meanwhile: Any

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        names = {convert_to_openai_tool(tool)["function"]["name"] for tool in tools}
        self.told.offered.append(names)
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Any:
        self.told.sent.append(str(messages))
        self.told.last.append(str(messages[-1].content))
        self.meanwhile()
        return super()._generate(messages, *args, **kwargs)


async def run(
    tools: Tools, replies: Replies, *, meanwhile: Callable[[], object] = lambda: None
) -> Told:
    """See ``Run``; it stores its state and its checkpoints."""
    told, saver = Told(), InMemorySaver()
    agent = _agent(tools, replies, told, meanwhile, saver)
    return _kept(told, await agent.ainvoke(ASKED, THREAD), saver)


def run_sync(tools: Any, replies: Replies) -> Told:
    """The same run without an event loop."""
    told, saver = Told(), InMemorySaver()
    agent = _agent(tools, replies, told, lambda: None, saver)
    return _kept(told, agent.invoke(ASKED, THREAD), saver)


def _agent(
    tools: Any, replies: Replies, told: Told, meanwhile: Callable[[], object], saver: InMemorySaver
) -> Any:
    scripted = [
        AIMessage("", tool_calls=[
            {"name": name, "args": arguments, "id": f"{turn}-{place}"}
            for place, (name, arguments) in enumerate(calls)
        ])
        for turn, calls in enumerate(replies)
    ]  # fmt: skip
    messages = iter([*scripted, AIMessage("Done.")])
    model = _Model(messages=messages, told=told, meanwhile=meanwhile)
    return create_agent(model, middleware=[BrowserMiddleware(tools)], checkpointer=saver)


def _kept(told: Told, state: dict[str, Any], saver: InMemorySaver) -> Told:
    told.kept = f"{state} {list(saver.list(THREAD))}"
    messages = [message for message in state["messages"] if isinstance(message, ToolMessage)]
    told.results = [_result(message) for message in messages]
    return told


def _result(message: ToolMessage) -> Result:
    text = message.text
    assert (message.status == "error") == text.startswith("error ")
    blocks: list[Any] = [block for block in message.content_blocks if block["type"] == "image"]
    return Result(text, [block["mime_type"] for block in blocks])

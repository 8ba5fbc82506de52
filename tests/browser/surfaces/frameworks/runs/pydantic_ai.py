"""pydantic-ai with its function model."""

from __future__ import annotations

from collections.abc import Callable

from browser.surfaces.frameworks.runs.told import Replies, Result, Told
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

from tabwarden.surfaces.frameworks.pydantic_ai import BrowserCapability
from tabwarden.tools import Tools

__all__ = ["run"]


async def run(
    tools: Tools, replies: Replies, *, meanwhile: Callable[[], object] = lambda: None
) -> Told:
    """See ``Run``; it stores its history, and continues with it once."""
    told, turns = Told(), iter(replies)

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        request = messages[-1]
        assert isinstance(request, ModelRequest)
        assert isinstance(request.parts[-1], UserPromptPart)
        assert tools.instructions in (info.instructions or "")
        told.sent.append(str(messages).replace(info.instructions or "", ""))
        told.last.append(str(request.parts[-1].content))
        told.offered.append({tool.name for tool in info.function_tools})
        meanwhile()
        calls = [ToolCallPart(name, arguments) for name, arguments in next(turns, ())]
        return ModelResponse(calls or [TextPart("Done.")])

    agent = Agent(FunctionModel(reply), capabilities=[BrowserCapability(tools)])
    first = await agent.run("Buy it.")
    second = await agent.run("Go on.", message_history=first.all_messages())
    told.kept = str(second.all_messages()).replace(tools.instructions, "")
    told.results = [
        _result(part)
        for message in first.all_messages()
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]
    return told


def _result(part: ToolReturnPart) -> Result:
    content = part.content if isinstance(part.content, list) else [part.content]
    pictures = [one.media_type for one in content if isinstance(one, BinaryContent)]
    text = "".join(one for one in content if isinstance(one, str))
    assert (part.outcome == "failed") == text.startswith("error ")
    return Result(text, pictures)

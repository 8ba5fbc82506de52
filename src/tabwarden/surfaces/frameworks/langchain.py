"""Tabwarden in LangChain: structured tools, and a middleware that also shows the state line.

All you need is ``create_agent(model, middleware=[BrowserMiddleware(tools)])``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tabwarden.actions import Answer, Tool
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.forms import base64_of
from tabwarden.tools.offer import CallQueue, Offer

with needs("langchain", "langchain"):
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
with needs("langchain", "langchain_core"):
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.tools import BaseTool, StructuredTool, ToolException

__all__ = ["BrowserMiddleware", "structured_tools"]

Content = str | list[str | dict[str, Any]]


def structured_tools(tools: Offer) -> list[BaseTool]:
    """Return Tabwarden's tools for ``bind_tools``, a ``ToolNode`` or ``create_agent``.

    Args:
        tools: ``tabwarden.tools.Tools``, or its sync twin. The creator of ``tools`` must close it.

    Returns:
        All tools, each with ``invoke`` and ``ainvoke``. ``BrowserMiddleware`` shows only the tools
        that currently work. An error becomes a ``ToolMessage`` with status ``error``. Canceling
        ``ainvoke`` also stops the action in the page. A screenshot becomes an image block after the
        text. LangChain starts the calls in one reply concurrently, but these tools run one call at
        a time.
    """
    turns = CallQueue()
    return [_structured_tool(tools, tool, turns) for tool in tools.known()]


class BrowserMiddleware(AgentMiddleware[Any, Any, Any]):
    """A browser for an agent. Adds the tools (see ``structured_tools``) and the state line. The
    agent sees the state line on each turn, but the conversation never stores it.
    """

    def __init__(self, tools: Offer) -> None:
        super().__init__()
        self.tools: Sequence[BaseTool] = structured_tools(tools)
        self._tools = tools
        self._ours = {tool.name for tool in self.tools}

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | AIMessage:
        return handler(self._with_state(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | AIMessage:
        return await handler(self._with_state(request))

    def _with_state(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        hidden = self._ours - {tool.name for tool in self._tools.offered()}
        line = HumanMessage(self._tools.state_message())
        return request.override(
            messages=[*request.messages, line],
            tools=[tool for tool in request.tools if _name(tool) not in hidden],
        )


class _BrowserTool(StructuredTool):
    """Passes the arguments as one object, because LangChain would misinterpret an argument named
    ``config``.
    """

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        _ = tool_call_id
        return (tool_input,), {}


def _structured_tool(tools: Offer, tool: Tool, turns: CallQueue) -> BaseTool:
    def call(arguments: dict[str, Any]) -> Content:
        return _content(tools.call_sync(tool.name, arguments, turns=turns))

    async def call_async(arguments: dict[str, Any]) -> Content:
        return _content(await tools.call_async(tool.name, arguments, turns=turns))

    return _BrowserTool(
        name=tool.name,
        description=tool.description,
        args_schema=tool.input_schema,
        func=call,
        coroutine=call_async,
        handle_tool_error=True,
    )


def _content(answer: Answer) -> Content:
    if answer.is_error:
        raise ToolException(answer.text)
    if answer.picture is None:
        return answer.text
    return [
        {"type": "text", "text": answer.text},
        {
            "type": "image",
            "base64": base64_of(answer.picture),
            "mime_type": answer.picture.media_type,
        },
    ]


def _name(tool: BaseTool | dict[str, Any]) -> Any:
    return tool.name if isinstance(tool, BaseTool) else tool.get("name")

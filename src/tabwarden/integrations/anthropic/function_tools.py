"""Our function tools in the form of Anthropic's SDK, for ``tools=`` beside a toolset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabwarden.actions import Answer, Tool
from tabwarden.integrations.members import MemberTools
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.offer import Offer

with needs("anthropic", "anthropic", at_least="1.12"):
    from anthropic import beta_async_tool, beta_tool
    from anthropic.lib.tools import ToolError

__all__ = ["async_function_tools", "sync_function_tools"]


def sync_function_tools(tools: Offer, toolset: MemberTools) -> list[Any]:
    """Return the function tools for the SDK's sync runner."""

    def function(name: str) -> Callable[..., str]:
        return lambda **arguments: _text(tools.call_sync(name, arguments))

    return [_made(beta_tool, function, tool) for tool in toolset.offer_function_tools(tools)]


def async_function_tools(tools: Offer, toolset: MemberTools) -> list[Any]:
    """Return the function tools for the SDK's async runner."""

    def function(name: str) -> Callable[..., Any]:
        async def call(**arguments: Any) -> str:
            return _text(await tools.call_async(name, arguments))

        return call

    return [_made(beta_async_tool, function, tool) for tool in toolset.offer_function_tools(tools)]


def _made(
    make: Callable[..., Any], function: Callable[[str], Callable[..., Any]], tool: Tool
) -> Any:
    call = function(tool.name)
    call.__name__ = tool.name
    return make(call, name=tool.name, description=tool.description, input_schema=tool.input_schema)


def _text(answer: Answer) -> str:
    if answer.is_error:
        raise ToolError(answer.text)
    return answer.text

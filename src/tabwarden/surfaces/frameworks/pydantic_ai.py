"""Tabwarden in pydantic-ai: a toolset, and a capability that also shows the state line.

All you need is ``Agent(model, capabilities=[BrowserCapability(tools)])``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.offer import Offer

with needs("pydantic-ai", "pydantic_ai"):
    from pydantic_ai import AbstractToolset, BinaryContent, RunContext, ToolDefinition, ToolFailed
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import (
        InstructionPart,
        ModelMessage,
        ModelRequest,
        UserContent,
        UserPromptPart,
    )
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.toolsets import ToolsetTool
from pydantic_core import SchemaValidator, core_schema

__all__ = ["BrowserCapability", "BrowserToolset"]

_ANYTHING = SchemaValidator(core_schema.any_schema())
"""Accepts all arguments, because the tool's own validation corrects common mistakes and reports
invalid fields.
"""


class BrowserToolset(AbstractToolset[Any]):
    """Tabwarden's tools. On each turn, the model gets only the tools that currently work.

    Args:
        tools: ``tabwarden.tools.Tools``, or its sync twin. Its creator must close it.
        id: the toolset's name, for an agent with several browsers.
    """

    def __init__(self, tools: Offer, *, id: str = "tabwarden") -> None:  # noqa: A002
        self._tools = tools
        self._id = id

    @property
    def id(self) -> str:
        return self._id

    async def get_instructions(self, ctx: RunContext[Any]) -> InstructionPart:
        """Return the model's instructions for the tools. The instructions never change."""
        _ = ctx
        return InstructionPart(self._tools.instructions)

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        _ = ctx
        return {
            tool.name: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=tool.name,
                    description=tool.description,
                    parameters_json_schema=tool.input_schema,
                    # For example, a click must run before the typing that follows it.
                    sequential=True,
                ),
                max_retries=1,
                args_validator=_ANYTHING,
            )
            for tool in self._tools.offered()
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> str | Sequence[UserContent]:
        """Run a tool. Canceling the run also stops the action in the page.

        Raises:
            ToolFailed: the tool failed. The model sees the error, and the run continues.
        """
        _ = ctx, tool
        answer = await self._tools.call_async(name, tool_args)
        if answer.is_error:
            raise ToolFailed(answer.text)
        if answer.picture is None:
            return answer.text
        picture = BinaryContent(answer.picture.data, media_type=answer.picture.media_type)
        return [answer.text, picture]


@dataclass
class BrowserCapability(AbstractCapability[Any]):
    """A browser for an agent. Adds the tools, and shows the state line without storing it."""

    tools: Offer
    """``tabwarden.tools.Tools``, or its sync twin. Its creator must close it."""

    def get_toolset(self) -> BrowserToolset:
        return BrowserToolset(self.tools, id=self.id or "tabwarden")

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Add the state line to the request, but not to the stored messages."""
        _ = ctx
        sent = _with_line(request_context.messages, self.tools.state_message())
        return replace(request_context, messages=sent)


def _with_line(messages: Sequence[ModelMessage], line: str) -> list[ModelMessage]:
    part = UserPromptPart(line)
    last = messages[-1] if messages else None
    if not isinstance(last, ModelRequest):
        return [*messages, ModelRequest([part])]
    # The history shares these message parts, so add the state line to a copy.
    return [*messages[:-1], replace(last, parts=[*last.parts, part])]

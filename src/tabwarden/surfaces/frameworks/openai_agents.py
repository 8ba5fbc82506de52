"""Tabwarden in the OpenAI Agents SDK: function tools, and a filter that shows the state line."""

from __future__ import annotations

import inspect
from typing import Any

from tabwarden.actions import Answer, Tool
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.forms.base import data_url
from tabwarden.tools.offer import Offer
from tabwarden.tools.turns import Turns

with needs("openai-agents", "agents"):
    from agents import (
        AgentBase,
        FunctionTool,
        RunContextWrapper,
        ToolOutputImage,
        ToolOutputText,
    )
    from agents.run import CallModelData, CallModelInputFilter, ModelInputData
    from agents.tool_context import ToolContext

__all__ = ["function_tools", "state_filter"]


def function_tools(tools: Offer) -> list[FunctionTool]:
    """Tabwarden's tools for ``Agent(tools=...)``.

    All of them: the SDK asks of each on each turn whether it works as things stand.

    Args:
        tools: ``tabwarden.tools.Tools``, or its sync twin. Who made it closes it.

    Returns:
        A tool each. Errors are told to the model; cancelling the run reaches the page. The calls
        of one reply, which the SDK starts side by side, run in the model's order.
    """
    turns = Turns()
    return [_function_tool(tools, tool, turns) for tool in tools.known()]


def state_filter(
    tools: Offer, *, before: CallModelInputFilter | None = None
) -> CallModelInputFilter:
    """Shows the model the state line on each turn: ``RunConfig(call_model_input_filter=...)``.

    Args:
        tools: as for ``function_tools``.
        before: another such filter, which is applied first.

    Returns:
        The filter. What it adds is in no result's ``to_input_list()`` and in no session.
    """

    async def filtered(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        if before is not None:
            made = before(data)
            given = await made if inspect.isawaitable(made) else made
        return ModelInputData(
            input=tools.with_state(given.input, "openai-responses"),
            instructions=given.instructions,
        )

    return filtered


def _function_tool(tools: Offer, tool: Tool, turns: Turns) -> FunctionTool:
    async def invoke(context: ToolContext[Any], arguments: str) -> Any:
        _ = context
        return _output(await tools.call_async(tool.name, arguments, turns=turns))

    def works(context: RunContextWrapper[Any], agent: AgentBase) -> bool:
        _ = context, agent
        return tools.is_offered(tool.name)

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.input_schema,
        on_invoke_tool=invoke,
        strict_json_schema=False,  # strict ones may have no optional parameter
        is_enabled=works,
    )


def _output(answer: Answer) -> str | list[ToolOutputText | ToolOutputImage]:
    if answer.picture is None:
        return answer.text
    image = ToolOutputImage(image_url=data_url(answer.picture), detail="auto")
    return [ToolOutputText(text=answer.text), image]

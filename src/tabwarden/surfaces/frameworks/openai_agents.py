"""Tabwarden in the OpenAI Agents SDK: function tools, and a filter that shows the state line."""

from __future__ import annotations

import inspect
from typing import Any

from tabwarden.actions import Answer, Tool
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.forms import data_url
from tabwarden.tools.offer import CallQueue, Offer

with needs("openai-agents", "agents"):
    from agents import AgentBase, FunctionTool, RunContextWrapper, ToolOutputImage, ToolOutputText
    from agents import Tool as AgentTool
    from agents.run import CallModelData, CallModelInputFilter, ModelInputData
    from agents.tool_context import ToolContext

__all__ = ["function_tools", "state_filter"]


def function_tools(tools: Offer) -> list[AgentTool]:
    """Return Tabwarden's tools for ``Agent(tools=...)``.

    Args:
        tools: ``tabwarden.tools.Tools``, or its sync twin. Its creator must close it.

    Returns:
        All tools. On every turn, the SDK checks whether each tool currently works. The model sees a
        tool's errors. Canceling the run also stops the action in the page. The SDK starts the
        calls in one reply concurrently, but these tools run the calls one at a time, in the model's
        order.
    """
    turns = CallQueue()
    return [_function_tool(tools, tool, turns) for tool in tools.known()]


def state_filter(
    tools: Offer, *, before: CallModelInputFilter | None = None
) -> CallModelInputFilter:
    """Return a filter that shows the model the state line on each turn.

    Use it as ``RunConfig(call_model_input_filter=...)``. Neither a session nor a result's
    ``to_input_list()`` ever contains the state line.

    Args:
        tools: see ``function_tools``.
        before: a filter to apply first.
    """

    async def filtered(data: CallModelData[Any]) -> ModelInputData:
        model_input = data.model_data
        if before is not None:
            made = before(data)
            model_input = await made if inspect.isawaitable(made) else made
        return ModelInputData(
            input=tools.with_state(model_input.input, "openai-responses"),
            instructions=model_input.instructions,
        )

    return filtered


def _function_tool(tools: Offer, tool: Tool, turns: CallQueue) -> FunctionTool:
    async def invoke(_: ToolContext[Any], arguments: str) -> Any:
        return _output(await tools.call_async(tool.name, arguments, turns=turns))

    def works(_: RunContextWrapper[Any], __: AgentBase) -> bool:
        return tools.is_offered(tool.name)

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.input_schema,
        on_invoke_tool=invoke,
        strict_json_schema=False,  # strict schemas don't allow optional parameters
        is_enabled=works,
    )


def _output(answer: Answer) -> str | list[ToolOutputText | ToolOutputImage]:
    if answer.picture is None:
        return answer.text
    image = ToolOutputImage(image_url=data_url(answer.picture), detail="auto")
    return [ToolOutputText(text=answer.text), image]

"""The OpenAI Agents SDK with its scripted model."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agents import Agent, RunConfig, Runner, SQLiteSession
from agents.run import CallModelData, ModelInputData
from agents.testing import ScriptedModel, assistant_message, function_call
from browser.surfaces.frameworks.runs.told import Replies, Result, Told

from tabwarden.surfaces.frameworks.openai_agents import function_tools, state_filter
from tabwarden.tools import Tools

__all__ = ["run"]


async def run(
    tools: Tools, replies: Replies, *, meanwhile: Callable[[], object] = lambda: None
) -> Told:
    """See ``Run``; it stores its session and the input for the next run."""

    async def before(data: CallModelData[Any]) -> ModelInputData:
        meanwhile()
        return ModelInputData(input=data.model_data.input, instructions="Changed before.")

    scripted = [
        [function_call(name, arguments, call_id=f"{turn}-{place}")
         for place, (name, arguments) in enumerate(calls)]
        for turn, calls in enumerate(replies)
    ]  # fmt: skip
    model = ScriptedModel([*scripted, [assistant_message("Done.")]])
    agent = Agent(name="buyer", model=model, tools=function_tools(tools))
    session = SQLiteSession("s")
    config = RunConfig(
        call_model_input_filter=state_filter(tools, before=before), tracing_disabled=True
    )
    try:
        result = await Runner.run(agent, "Buy it.", run_config=config, session=session)
        items = result.to_input_list()
        kept = f"{items} {await session.get_items()}"
    finally:
        session.close()
    assert all(call.system_instructions == "Changed before." for call in model.calls)
    return Told(
        sent=[str(call.input) for call in model.calls],
        last=[call.input[-1]["content"] for call in model.calls],
        offered=[{tool.name for tool in call.tools} for call in model.calls],
        results=[_result(item["output"]) for item in items
                 if item.get("type") == "function_call_output"],
        kept=kept,
    )  # fmt: skip


def _result(output: str | list[dict[str, Any]]) -> Result:
    if isinstance(output, str):
        return Result(output)
    images = [part["image_url"] for part in output if part["type"] == "input_image"]
    return Result(output[0]["text"], [re.findall("data:(.*);", image)[0] for image in images])

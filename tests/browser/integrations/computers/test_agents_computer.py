"""``Computer`` of openai-agents over one tab, in runs of the framework with its scripted model."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from support.needs import require
from support.stage import BUTTONS, FIELD, accept_point, log, shows_dialog

from tabwarden.sync import Browser

require("vendor-sdks")
pytest.importorskip("agents")

from agents import Agent, ComputerTool, RunConfig, Runner  # noqa: E402
from agents.testing import ScriptedModel, assistant_message  # noqa: E402
from openai.types.responses import ResponseComputerToolCall  # noqa: E402

from tabwarden.integrations.openai import AgentsComputer, AsyncAgentsComputer  # noqa: E402


def computer_call(number: int, *actions: dict[str, Any]) -> ResponseComputerToolCall:
    return ResponseComputerToolCall.model_validate(
        {
            "type": "computer_call",
            "id": f"cu_{number}",
            "call_id": f"call_{number}",
            "status": "completed",
            "pending_safety_checks": [],
            "actions": list(actions),
        }
    )


async def run(computer: Any, *calls: list[dict[str, Any]]) -> list[bytes]:
    """Run an agent whose model makes these calls, and return the pictures that it gets."""
    replies: list[Any] = [[computer_call(n, *actions)] for n, actions in enumerate(calls)]
    model = ScriptedModel([*replies, [assistant_message("Done.")]])
    agent = Agent(
        name="user", model=model, tools=[ComputerTool(computer), *computer.function_tools]
    )
    result = await Runner.run(agent, "Go.", run_config=RunConfig(tracing_disabled=True))
    urls = [
        item["output"]["image_url"]
        for item in result.to_input_list()
        if item.get("type") == "computer_call_output"
    ]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def click(point: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"type": "click", "button": "left", "x": point[0], "y": point[1], **more}


SCRIPT = (
    [
        click(FIELD),
        {"type": "type", "text": "Hello"},
        {"type": "keypress", "keys": ["CTRL", "A"]},
        {"type": "move", "x": 500, "y": 500},
        {"type": "double_click", "x": 600, "y": 600},
        {"type": "drag", "path": [{"x": 300, "y": 300}, {"x": 400, "y": 400}]},
        {"type": "scroll", "x": 600, "y": 400, "scroll_x": 0, "scroll_y": 200},
        {"type": "wait"},
        {"type": "scroll", "x": 600, "y": 400, "scroll_x": 0, "scroll_y": -200},
        click((600, 600), keys=["SHIFT"]),
    ],
    [click(BUTTONS["confirm"])],
    [click(accept_point("confirm"))],
)


def check(pictures: list[bytes], screen: Browser) -> None:
    assert [shows_dialog(picture) for picture in pictures] == [False, True, False]
    assert screen.evaluate("field.value").value == "Hello"
    notes = log(screen)
    assert "dblclick 0 600 600 2" in notes
    assert "mouseup 0 600 600 1 shift" in notes
    assert "confirm true" in notes


def test_async_computer_runs_an_agent(screen: Browser) -> None:
    async def main() -> list[bytes]:
        async with AsyncAgentsComputer(screen) as computer:
            assert (computer.environment, computer.dimensions) == ("browser", (1280, 720))
            assert "browser_dialog" in {tool.name for tool in computer.function_tools}
            return await run(computer, *SCRIPT)

    check(asyncio.run(main()), screen)


def test_sync_computer_runs_an_agent(screen: Browser) -> None:
    with AgentsComputer(screen) as computer:
        check(asyncio.run(run(computer, *SCRIPT)), screen)


def test_point_outside_the_screen_is_refused_with_its_size(screen: Browser) -> None:
    with AgentsComputer(screen) as computer:
        computer.screenshot()
        with pytest.raises(RuntimeError, match="1280 x 720"):
            computer.click(1280, 5, "left")

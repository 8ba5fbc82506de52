"""Run Operator-Use's own agent with a scripted model on Tabwarden's plugin.

Run it with a Python (3.12) that has both: ``pip install operator-use==0.2.9 .`` It prints one line
per check and ends with an error if one fails.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from operator_use.agent import Agent
from operator_use.messages import HumanMessage
from operator_use.providers.events import LLMEvent, LLMEventType, ToolCall

from tabwarden.config import BrowserConfig
from tabwarden.integrations.operator_use.plugin import TabwardenPlugin

PAGE = (
    "data:text/html,<title>Shop</title>"
    "<button onclick=\"document.title=confirm('Sure?')\">Buy</button> "
    "<button onclick=\"window.open('about:blank')\">Pop</button> "
    '<button onclick="for(;;);">Hang</button>'
)
Step = dict[str, Any] | Callable[[str], dict[str, Any]]


def _center_of(name: str) -> Callable[[str], dict[str, Any]]:
    def step(state: str) -> dict[str, Any]:
        ref = re.search(rf'button "{name}".*?\[ref=(e\d+)', state)
        assert ref is not None, state
        at = re.search(rf"\b{ref[1]} \((\d+), (\d+)\)", state)
        assert at is not None, state
        return {"action": "click", "x": int(at[1]), "y": int(at[2]), "timeout_ms": 4_000}

    return step


STEPS: list[Step] = [
    {"action": "open", "headless": True},
    {"action": "goto", "url": PAGE},
    _center_of("Buy"),
    _center_of("Pop"),
    {"action": "tab", "tab_mode": "close", "tab_index": 1},
    _center_of("Hang"),
    {"action": "script", "script": "document.title"},
    {"action": "scroll", "tab_id": "t1"},
    {"action": "close"},
]


class ScriptedModel:
    """Makes the calls in ``STEPS`` in order, and stores the messages that it received."""

    model_name = provider = "scripted"

    def __init__(self) -> None:
        self.sent: list[list[str]] = []

    async def ainvoke(self, messages: list[Any], tools: list[Any], **_: Any) -> LLMEvent:
        self.sent.append([str(message.content) for message in messages])
        turn = len(self.sent) - 1
        if turn == len(STEPS):
            return LLMEvent(type=LLMEventType.TEXT, content="done")
        assert "browser" in [tool.json_schema["name"] for tool in tools]
        step = STEPS[turn]
        call = step(self.sent[-1][-1]) if callable(step) else step
        tool_call = ToolCall(id=f"c{turn}", name="browser", params=call)
        return LLMEvent(type=LLMEventType.TOOL_CALL, tool_call=tool_call)


def _check(what: str, holds: object) -> None:
    print(f"{'ok' if holds else 'FAILED'}: {what}")
    if not holds:
        raise SystemExit(1)


async def main() -> None:
    model = ScriptedModel()
    plugin = TabwardenPlugin(enabled=True, config=BrowserConfig(headless=True))
    with tempfile.TemporaryDirectory() as folder:
        agent = Agent(llm=model, workspace=Path(folder), plugins=[plugin])
        began = time.monotonic()
        try:
            answer = await agent.run(HumanMessage(content="Shop"), session_id="s")
        finally:
            await plugin.close()
        took_s = time.monotonic() - began
        session = agent.sessions.get_or_create(session_id="s")
        kept = [str(message.content) for message in session.get_history()]
    told = "\n".join(kept)
    states = [sent[-1] for sent in model.sent[1:-1]]
    _check("the agent ends", answer.content == "done")
    _check("each call has the state line", all(s.startswith("[Browser: chrome") for s in states))
    _check("no state is in the history", "[Browser: " not in told and "Centers: " not in told)
    _check("one state per call", all("\n".join(m).count("Centers: ") <= 1 for m in model.sent))
    _check("the dialog is answered and told", "Sure?" in told and "| true |" in states[2])
    _check("the popup is told", "opened by t1" in told or "2 tab(s)" in states[3])
    _check("the page works after a hang", "Script result:" in told)
    _check("a wrong field is named", "There is no parameter 'tab_id'" in told)
    _check(f"nothing waits long ({took_s:.1f} s)", took_s < 60)

    for setting in (None, False, True):
        plugin = TabwardenPlugin(config=BrowserConfig(browser_use_enabled=setting))
        with tempfile.TemporaryDirectory() as folder:
            agent = Agent(llm=model, workspace=Path(folder), plugins=[plugin])
            has = agent.tool_register.get("browser") is not None
        _check(f"browser_use_enabled={setting} decides", has is bool(setting))

    off = TabwardenPlugin(enabled=False)
    with tempfile.TemporaryDirectory() as folder:
        agent = Agent(llm=model, workspace=Path(folder), plugins=[off])
        _check("a disabled plugin has no tool", agent.tool_register.get("browser") is None)
        await off.enable()
        _check("enable() adds it", agent.tool_register.get("browser") is not None)
        await off.disable()
        _check("disable() removes it", agent.tool_register.get("browser") is None)


if __name__ == "__main__":
    asyncio.run(main())

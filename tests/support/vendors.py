"""Calls of the vendors' browser toolsets, as a model makes them, and what the model reads."""

from __future__ import annotations

import base64
import json
from typing import Any, NamedTuple

from anthropic.types.beta import BetaToolUseBlock
from openai.lib.browser import _MEMBERS
from openai.types.responses import ResponseFunctionToolCall

from support.toolset_rules import AnthropicRules, OpenAIRules

__all__ = ["ClaudeCalls", "OpenAICalls", "Reply", "at", "ref"]


class Reply(NamedTuple):
    """What a model reads after a call."""

    text: str
    is_error: bool
    state: dict[str, Any]
    image: bytes = b""

    @property
    def tabs(self) -> list[dict[str, Any]]:
        return list(self.state["tabs"])

    @property
    def changes(self) -> list[dict[str, Any]]:
        observation = self.state.get("observation")
        return list(observation["changes"] if observation else self.state.get("state_changes", ()))


class ClaudeCalls:
    """Calls of a driver for Anthropic's SDK."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.rules = AnthropicRules()
        self._count = 0

    def __call__(self, member: str, /, **fields: Any) -> Reply:
        """Make a call, and return what the model reads."""
        block = self.block(member, fields)
        result = self.driver.tool_result(block)
        breaches = self.rules.breaches(block.model_dump(), result)
        assert not breaches, breaches
        return claude_reply(result)

    def block(self, member: str, fields: dict[str, Any]) -> BetaToolUseBlock:
        self._count += 1
        return BetaToolUseBlock(
            type="tool_use",
            id=f"toolu_{self._count}",
            name=member,
            input=fields,
            toolset_name="browser",
        )


def claude_reply(result: Any) -> Reply:
    """Return what a model reads from a ``tool_result``."""
    content = result.get("content") or []
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    images = [block["source"]["data"] for block in blocks if block["type"] == "image"]
    states = [block for block in blocks if block["type"] == "browser_state"]
    is_error = bool(result.get("is_error"))
    return Reply(
        "\n".join(texts),
        is_error,
        states[0] if states else {"tabs": []},
        base64.b64decode(images[0]) if images else b"",
    )


class OpenAICalls:
    """Calls of a toolset of OpenAI's SDK."""

    def __init__(self, toolset: Any) -> None:
        self.toolset = toolset
        self.rules = OpenAIRules()
        self._count = 0

    def __call__(self, member: str, /, **fields: Any) -> Reply:
        """Make a call, and return what the model reads. Fields that are not given are null."""
        block = self.block(member, fields)
        output = self.toolset.execute(block)
        breaches = self.rules.breaches(block.model_dump(), output)
        assert not breaches, breaches
        return openai_reply(output)

    def block(self, member: str, fields: dict[str, Any]) -> ResponseFunctionToolCall:
        self._count += 1
        nulls: dict[str, Any] = dict.fromkeys(_MEMBERS[member][1]) if member in _MEMBERS else {}
        return ResponseFunctionToolCall(
            type="function_call",
            call_id=f"call_{self._count}",
            name=f"browser_{member}",
            arguments=json.dumps({**nulls, **fields}),
        )


def openai_reply(output: Any) -> Reply:
    """Return what a model reads from a ``function_call_output``."""
    first, *rest = output["output"]
    body = json.loads(first["text"])
    read = body.get("error", body.get("result"))
    data = rest[0]["image_url"].partition(",")[2] if rest else ""
    text = read if isinstance(read, str) else json.dumps(read)
    return Reply(text, not body["ok"], body["state"], base64.b64decode(data))


def ref(name: str) -> dict[str, Any]:
    return {"type": "ref", "ref": name}


def at(x: int, y: int) -> dict[str, Any]:
    return {"type": "coordinate", "x": x, "y": y}

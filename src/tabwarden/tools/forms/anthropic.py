"""Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabwarden.actions import Answer, Tool
from tabwarden.tools.calls import ToolCall, field_of
from tabwarden.tools.forms.base import Answered, base64_of


class Anthropic:
    """``{name, description, input_schema}``. Results are blocks of one user message."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
            for tool in tools
        ]

    def calls(self, reply: Any) -> list[ToolCall]:
        """See ``Form.calls``. Takes a message."""
        content = field_of(reply, "content")
        return [
            ToolCall(
                id=field_of(block, "id") or "",
                name=field_of(block, "name"),
                arguments=field_of(block, "input"),
            )
            for block in (content if isinstance(content, list) else ())
            if field_of(block, "type") == "tool_use"
        ]

    def results(self, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        """See ``Form.results``. The one message after a reply must contain all results."""
        blocks = [
            {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": _content(answer),
                "is_error": answer.is_error,
            }
            for call, answer in answered
        ]
        return [{"role": "user", "content": blocks}] if blocks else []


def _content(answer: Answer) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = [{"type": "text", "text": answer.words}]
    if answer.picture is not None:
        source = {
            "type": "base64",
            "media_type": answer.picture.media_type,
            "data": base64_of(answer.picture),
        }
        content.append({"type": "image", "source": source})
    return content

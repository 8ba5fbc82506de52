"""OpenAI's Chat Completions. Many other servers support this API too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabwarden.actions import Tool
from tabwarden.tools.calls import ToolCall, field_of
from tabwarden.tools.forms.base import Answered, data_url


class OpenAIChat:
    """``{"type": "function", "function": {...}}``. Results are ``tool`` messages."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        return [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.input_schema,
                },
            }
            for tool in tools
        ]

    def calls(self, reply: Any) -> list[ToolCall]:
        """See ``Form.calls``. Takes a message, or the whole completion."""
        choices = field_of(reply, "choices")
        message = field_of(choices[0], "message") if choices else reply
        return [
            ToolCall(
                id=field_of(call, "id") or "",
                name=field_of(field_of(call, "function"), "name"),
                arguments=field_of(field_of(call, "function"), "arguments"),
            )
            for call in field_of(message, "tool_calls") or ()
            if field_of(call, "function") is not None
        ]

    def results(self, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        """See ``Form.results``.

        A ``tool`` message can contain only text, and the ``tool`` messages of one reply must be
        consecutive. So all pictures go into a user message after the ``tool`` messages.
        """
        told: list[dict[str, Any]] = [
            {"role": "tool", "tool_call_id": call.id, "content": answer.words}
            for call, answer in answered
        ]
        pictures: list[dict[str, Any]] = []
        for call, answer in answered:
            if answer.picture is not None:
                pictures += [
                    {"type": "text", "text": f"Picture from {call.name} ({call.id}):"},
                    {"type": "image_url", "image_url": {"url": data_url(answer.picture)}},
                ]
        return [*told, {"role": "user", "content": pictures}] if pictures else told

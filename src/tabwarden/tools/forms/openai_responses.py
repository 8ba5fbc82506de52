"""OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabwarden.actions import Answer, Tool
from tabwarden.tools.calls import ToolCall, field_of
from tabwarden.tools.forms.base import Answered, data_url


class OpenAIResponses:
    """``{"type": "function", "name": ...}``. Results are ``function_call_output`` items."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        return [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.input_schema,
                # The API's default is true, but strict schemas don't allow optional parameters.
                "strict": False,
            }
            for tool in tools
        ]

    def calls(self, reply: Any) -> list[ToolCall]:
        """See ``Form.calls``. Takes a response, or a list of its output items."""
        items = reply if isinstance(reply, list) else field_of(reply, "output") or ()
        return [
            ToolCall(
                id=field_of(item, "call_id") or "",
                name=field_of(item, "name"),
                arguments=field_of(item, "arguments"),
            )
            for item in items
            if field_of(item, "type") == "function_call"
        ]

    def results(self, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        return [
            {"type": "function_call_output", "call_id": call.id, "output": _output(answer)}
            for call, answer in answered
        ]


def _output(answer: Answer) -> str | list[dict[str, Any]]:
    if answer.picture is None:
        return answer.words
    return [
        {"type": "input_text", "text": answer.words},
        {"type": "input_image", "image_url": data_url(answer.picture), "detail": "auto"},
    ]

"""The plain form: JSON Schema and generic messages, for programs with their own API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabwarden.actions import Tool
from tabwarden.tools.calls import ToolCall, field_of
from tabwarden.tools.forms.base import Answered, base64_of


class Plain:
    """``{name, description, parameters}``. Calls are ``{id, name, arguments}``."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        return [
            {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
            for tool in tools
        ]

    def calls(self, reply: Any) -> list[ToolCall]:
        """See ``Form.calls``. Reads the calls from ``tool_calls``."""
        return [
            ToolCall(
                id=str(field_of(call, "id") or ""),
                name=field_of(call, "name"),
                arguments=field_of(call, "arguments"),
            )
            for call in field_of(reply, "tool_calls") or ()
        ]

    def results(self, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        return [
            {
                "role": "tool",
                "id": call.id,
                "name": call.name,
                "content": answer.words,
                "is_error": answer.is_error,
                "images": [
                    {"media_type": picture.media_type, "base64": base64_of(picture)}
                    for picture in (answer.picture,)
                    if picture is not None
                ],
            }
            for call, answer in answered
        ]

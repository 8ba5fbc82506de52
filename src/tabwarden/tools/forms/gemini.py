"""Google's Gemini API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabwarden.actions import Answer, Tool
from tabwarden.tools.calls import ToolCall, field_of
from tabwarden.tools.forms.base import Answered, base64_of


class Gemini:
    """One list of function declarations. Results are parts of one user turn."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        declared = [
            {
                "name": tool.name,
                "description": tool.description,
                "parametersJsonSchema": tool.input_schema,
            }
            for tool in tools
        ]
        return [{"functionDeclarations": declared}] if declared else []

    def calls(self, reply: Any) -> list[ToolCall]:
        """See ``Form.calls``. Takes a response, or the ``content`` of a candidate."""
        candidates = field_of(reply, "candidates")
        content = field_of(candidates[0], "content") if candidates else reply
        asked = [
            # The REST API uses camelCase. Google's SDK uses snake_case.
            field_of(part, "functionCall") or field_of(part, "function_call")
            for part in field_of(content, "parts") or ()
        ]
        return [
            ToolCall(
                id=field_of(call, "id") or "",
                name=field_of(call, "name"),
                arguments=field_of(call, "args"),
            )
            for call in asked
            if call is not None
        ]

    def results(self, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = []
        for call, answer in answered:
            named = {"id": call.id} if call.id else {}
            parts.append(
                {"functionResponse": {**named, "name": call.name, "response": _response(answer)}}
            )
        parts += [
            {"inlineData": {"mimeType": picture.media_type, "data": base64_of(picture)}}
            for picture in (answer.picture for _, answer in answered)
            if picture is not None
        ]
        return [{"role": "user", "parts": parts}] if parts else []


def _response(answer: Answer) -> dict[str, str]:
    return {"error" if answer.is_error else "output": answer.words}

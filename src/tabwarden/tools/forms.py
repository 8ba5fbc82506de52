"""The formats in which the LLM APIs represent tools, calls and results."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from tabwarden.actions import Answer, Tool
from tabwarden.errors import InvalidArgument
from tabwarden.page import Screenshot
from tabwarden.similar import get_close_matches

Arguments = Mapping[str, Any] | str | None
"""A call's arguments: an object, its JSON text, or nothing."""


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """A model's tool call."""

    id: str
    """The API's id for the call, which the result must repeat; "" if the API uses no ids."""
    name: str
    arguments: Arguments = None


def arguments_of(arguments: Arguments) -> dict[str, Any]:
    """Return the arguments as an object. Raise InvalidArgument if they are not a JSON object."""
    read: Any = arguments
    if isinstance(arguments, str):
        try:
            read = json.loads(arguments) if arguments.strip() else {}
        except ValueError as error:
            raise InvalidArgument(
                f"The arguments are not valid JSON: {error}.",
                "Call the tool again with a JSON object.",
                field="arguments",
            ) from None
    if read is None:
        return {}
    if not isinstance(read, Mapping):
        raise InvalidArgument(
            f"The arguments must be a JSON object, not {type(read).__name__}.",
            'Call the tool again with a JSON object, such as {"url": "https://example.com"}.',
            field="arguments",
        )
    return dict(read)


def field_of(record: Any, name: str, default: Any = None) -> Any:
    """Return a field of an API's reply, which may be a dictionary or an SDK object."""
    if isinstance(record, Mapping):
        return record.get(name, default)
    return getattr(record, name, default)


FormName = Literal["plain", "openai", "openai-responses", "anthropic", "gemini"]

Answered = tuple[ToolCall, Answer]
"""A call and its result."""


class Form(Protocol):
    """How an LLM API represents tools, calls and results, all without the state line."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        """Return the API's list of tools."""
        ...

    def calls(self, reply: Any) -> list[ToolCall]:
        """Return the calls in a model's reply, which may be a dictionary or the SDK's object."""
        ...

    def results(self, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        """Return messages with the results of a model's calls, including images."""
        ...


def base64_of(picture: Screenshot) -> str:
    return base64.b64encode(picture.data).decode("ascii")


def data_url(picture: Screenshot) -> str:
    return f"data:{picture.media_type};base64,{base64_of(picture)}"


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
        """See ``Form.calls``. Accepts a message, or the whole completion."""
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
        consecutive. Therefore, all images are put into a user message after the ``tool`` messages.
        """
        messages: list[dict[str, Any]] = [
            {"role": "tool", "tool_call_id": call.id, "content": answer.words}
            for call, answer in answered
        ]
        pictures: list[dict[str, Any]] = []
        for call, answer in answered:
            if answer.picture is not None:
                pictures += [
                    {"type": "text", "text": f"Image from {call.name} ({call.id}):"},
                    {"type": "image_url", "image_url": {"url": data_url(answer.picture)}},
                ]
        return [*messages, {"role": "user", "content": pictures}] if pictures else messages


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
        """See ``Form.calls``. Accepts a response, or a list of its output items."""
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
        *([{"type": "input_text", "text": answer.words}] if answer.words else []),
        {"type": "input_image", "image_url": data_url(answer.picture), "detail": "auto"},
    ]


class Anthropic:
    """``{name, description, input_schema}``. Results are blocks of one user message."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
            for tool in tools
        ]

    def calls(self, reply: Any) -> list[ToolCall]:
        """See ``Form.calls``. Accepts a message.

        Skips the calls of a toolset that Anthropic defines: their results must repeat
        ``toolset_name`` and come from the toolset's driver, such as ``ClaudeBrowser``.
        """
        content = field_of(reply, "content")
        return [
            ToolCall(
                id=field_of(block, "id") or "",
                name=field_of(block, "name"),
                arguments=field_of(block, "input"),
            )
            for block in (content if isinstance(content, list) else ())
            if field_of(block, "type") == "tool_use" and field_of(block, "toolset_name") is None
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
    """Return the blocks of a result. The API refuses a text block without text."""
    content: list[dict[str, Any]] = [{"type": "text", "text": answer.words}] if answer.words else []
    if answer.picture is not None:
        source = {
            "type": "base64",
            "media_type": answer.picture.media_type,
            "data": base64_of(answer.picture),
        }
        content.append({"type": "image", "source": source})
    return content


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
        """See ``Form.calls``. Accepts a response, or a candidate's ``content``."""
        candidates = field_of(reply, "candidates")
        content = field_of(candidates[0], "content") if candidates else reply
        parts = [
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
            for call in parts
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


FORMS: dict[str, Form] = {
    "plain": Plain(),
    "openai": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "anthropic": Anthropic(),
    "gemini": Gemini(),
}


def form_named(name: str) -> Form:
    """Return the form with this name. The error for an unknown name lists the available forms."""
    if name not in FORMS:
        near = get_close_matches(name, FORMS, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise InvalidArgument(
            f"{name!r} is not a supported LLM API format.",
            f"{hint}Supported formats: {', '.join(FORMS)}.",
            field="form",
        )
    return FORMS[name]

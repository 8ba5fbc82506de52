"""Form: how an LLM API represents tools, calls and results."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Literal, Protocol

from tabwarden.actions import Answer, Tool
from tabwarden.page import Screenshot
from tabwarden.tools.calls import ToolCall

FormName = Literal["plain", "openai", "openai-responses", "anthropic", "gemini"]

Answered = tuple[ToolCall, Answer]
"""A call and its answer."""


class Form(Protocol):
    """How an LLM API represents tools, calls and results, all without the state line."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        """Return the API's list of tools."""
        ...

    def calls(self, reply: Any) -> list[ToolCall]:
        """Return the calls in a model's reply, which may be a dictionary or the SDK's object."""
        ...

    def results(self, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        """Return messages with the results of a model's calls, including pictures."""
        ...


def base64_of(picture: Screenshot) -> str:
    return base64.b64encode(picture.data).decode("ascii")


def data_url(picture: Screenshot) -> str:
    return f"data:{picture.media_type};base64,{base64_of(picture)}"

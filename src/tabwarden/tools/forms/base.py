"""Form: how an LLM API says tools, calls and results."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Literal, Protocol

from tabwarden.actions import Answer, Tool
from tabwarden.page import Screenshot
from tabwarden.tools.calls import Call

__all__ = ["Answered", "Form", "FormName", "base64_of", "data_url"]

FormName = Literal["plain", "openai", "openai-responses", "anthropic", "gemini"]

Answered = tuple[Call, Answer]
"""A call and what came of it."""


class Form(Protocol):
    """How an LLM API says tools, calls and results. The state line is in none of them."""

    def definitions(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        """The list that the API takes as its tools."""
        ...

    def calls(self, reply: Any) -> list[Call]:
        """The calls in a model's reply: a dictionary, or the SDK's object."""
        ...

    def results(self, answered: Sequence[Answered]) -> list[dict[str, Any]]:
        """The messages that tell a model what came of its calls, pictures included."""
        ...


def base64_of(picture: Screenshot) -> str:
    """A picture as base64."""
    return base64.b64encode(picture.data).decode("ascii")


def data_url(picture: Screenshot) -> str:
    """A picture as a ``data:`` URL."""
    return f"data:{picture.media_type};base64,{base64_of(picture)}"

"""The state line. The model sees it on each turn, but the conversation must not store it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tabwarden.tools.forms import FormName, form_named

_LINE = re.compile(r"\[Browser: [^\[\]\n]*\]")


def is_state_line(text: Any) -> bool:
    """Whether ``text`` is exactly a state line (``Browser.state_message``)."""
    return isinstance(text, str) and _LINE.fullmatch(text.strip()) is not None


def without_state(messages: Sequence[Any]) -> list[Any]:
    """Return a new list of the messages, without the messages that are only a state line.

    Args:
        messages: the messages in an LLM API's form. This never removes SDK objects, because they
            are not mappings.
    """
    return [message for message in messages if not _is_state(message)]


def with_state(messages: Sequence[Any], line: str, form: FormName = "plain") -> list[Any]:
    """Return the messages to send on this turn: the conversation plus the state line.

    Send the new list, but keep the original list, because the next turn has a new state line. The
    line is a user message, not a system message, because it contains a page's title.

    Args:
        messages: the conversation, in an LLM API's form. It does not change.
        line: ``Browser.state_message()`` or ``Tools.state_message()``.
        form: the API; see ``Tools.definitions``.

    Returns:
        A new list that ends with the state line. It contains no old state lines.

    Raises:
        InvalidArgument: ``form`` is unknown.
    """
    form_named(form)
    said = {"parts": [{"text": line}]} if form == "gemini" else {"content": line}
    return [*without_state(messages), {"role": "user", **said}]


def _is_state(message: Any) -> bool:
    if not isinstance(message, Mapping) or message.get("role") != "user":
        return False
    said = message.get("content", message.get("parts"))
    if isinstance(said, Sequence) and not isinstance(said, str) and len(said) == 1:
        said = said[0].get("text") if isinstance(said[0], Mapping) else None
    return is_state_line(said)

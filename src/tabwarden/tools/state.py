"""The ephemeral state: one line that a model sees on each turn, and no conversation keeps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tabwarden.tools.forms import FormName, form_named

__all__ = ["is_state_line", "with_state", "without_state"]

_LINE = re.compile(r"\[Browser: [^\[\]\n]*\]")


def is_state_line(text: Any) -> bool:
    """Whether ``text`` is a state line (``Browser.state_message``) and nothing else."""
    return isinstance(text, str) and _LINE.fullmatch(text.strip()) is not None


def without_state(messages: Sequence[Any]) -> list[Any]:
    """A new list without the messages that are a state line and nothing else.

    Args:
        messages: as an LLM API takes them. What is no mapping (an SDK's object) is kept.

    Returns:
        A list of the same messages; the one that was given is not touched.
    """
    return [message for message in messages if not _is_state(message)]


def with_state(messages: Sequence[Any], line: str, form: FormName = "plain") -> list[Any]:
    """What to send on this turn: the messages, and the state line after them.

    Send it and keep the original: the next turn has another line. The line is a user's message,
    not the system's, as a page's title stands in it.

    Args:
        messages: the conversation, as an LLM API takes it; stale state lines in it are left out.
        line: ``Browser.state_message()`` or ``Tools.state_message()``.
        form: the API's, as for ``Tools.definitions``.

    Returns:
        A new list; the one that was given is not touched.

    Raises:
        InvalidArgument: no such form.
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

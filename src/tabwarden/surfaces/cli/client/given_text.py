"""Texts that a person or a file gives to a command."""

from __future__ import annotations

import json
import sys

from tabwarden.errors import InvalidArgument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def text_from_stdin(field: str) -> str:
    """Return all of standard input.

    Raises:
        InvalidArgument: it can't be read, or is not UTF-8 text.
    """
    try:
        return sys.stdin.read()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InvalidArgument(
            f"Standard input can't be read: {why}.", "Send UTF-8 text.", field=field
        ) from None


def parsed_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: it is not JSON, or nested too deeply.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None

"""Read values in the notation of OpenClaw's clients: refs as digits, numbers as digits only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.errors import InvalidArgument

_REFS = ("ref", "startRef", "endRef", "inputRef")
_DIGITS_ONLY = ("timeoutMs", "maxChars", "timeMs", "delayMs")
"""The pattern for numbers: digits only. In another notation, such as ``1e3``, the client might mean
a different number.
"""


def as_sent(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request, with each ref in its full form: ``12`` means ``e12``.

    Raises:
        InvalidArgument: a number is a string with characters other than digits.
    """
    for name in _DIGITS_ONLY:
        value = given.get(name)
        if isinstance(value, str) and not (value.isascii() and value.strip().isdigit()):
            raise InvalidArgument(
                f"{name} must be a positive integer.",
                f"Send a number, or a string of digits, not {value[:40]!r}.",
                field=name,
            )
    return {name: _ref(value) if name in _REFS else value for name, value in given.items()}


def _ref(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"e{value}"
    if isinstance(value, str) and value.isascii() and value.strip().isdigit():
        return f"e{value.strip()}"
    return value

"""Reads values as OpenClaw's clients send them: refs as digits, numbers in digits only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.errors import InvalidArgument

_REFS = ("ref", "startRef", "endRef", "inputRef")
_DIGITS_ONLY = ("timeoutMs", "maxChars", "timeMs", "delayMs")
"""Numbers that have one notation. In another (``1e3``), a client may mean another number."""


def as_sent(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request, with each ref in its full form: ``12`` means ``e12``.

    Raises:
        InvalidArgument: a number is text, but not in digits.
    """
    for name in _DIGITS_ONLY:
        value = given.get(name)
        if isinstance(value, str) and not (value.isascii() and value.strip().isdigit()):
            raise InvalidArgument(
                f"{name} must be a positive integer.",
                f"{value[:40]!r} is not one: write a number, or only digits.",
                field=name,
            )
    return {name: _ref(value) if name in _REFS else value for name, value in given.items()}


def _ref(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"e{value}"
    if isinstance(value, str) and value.isascii() and value.strip().isdigit():
        return f"e{value.strip()}"
    return value

"""Shorten large results, so that a journal uses little memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

CHARS = 20_000
"""The maximum number of characters kept per result."""
ITEMS = 500
"""The maximum number of values kept per result."""


def brief(result: Any) -> Any:
    """Return a result in the same structure, with at most ``CHARS`` characters and ``ITEMS``
    values.

    A small result is returned unchanged. The data of images and files is omitted.
    """
    if isinstance(result, msgspec.Struct):
        return _brief_struct(result)
    return _Shortening().of(result)


def _brief_struct(result: msgspec.Struct) -> Any:
    """Shorten the fields of an action's result that can be large."""
    shortening = _Shortening()
    changed: dict[str, Any] = {}
    for field in ("value", "text", "data", "snapshot"):
        value = getattr(result, field, None)
        if value is None or isinstance(value, bool | int | float):
            continue
        short = brief(value) if field == "snapshot" else shortening.of(value)
        if short is not value:
            changed[field] = short
    if getattr(result, "refs", None):
        changed["refs"] = {}
    return msgspec.structs.replace(result, **changed) if changed else result


class _Shortening:
    """Copies a value up to the limits. Returns the same object if it fits completely."""

    def __init__(self) -> None:
        self._chars = CHARS
        self._items = ITEMS

    def of(self, value: Any, depth: int = 0) -> Any:
        self._items -= 1
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, bytes | bytearray):
            return value if not value else b""
        if depth > 20:
            return "…"
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        if isinstance(value, list | tuple):
            return self._list(value, depth)
        if isinstance(value, msgspec.Struct):
            return self._struct(value, depth)
        return self._text(str(value))

    def _struct(self, value: msgspec.Struct, depth: int) -> Any:
        try:
            plain = msgspec.to_builtins(value, enc_hook=str, str_keys=True)
        except (TypeError, ValueError, RecursionError):  # not plain data
            return type(value).__name__
        return self.of(plain, depth)

    def _text(self, text: str) -> str:
        room, self._chars = self._chars, max(0, self._chars - len(text))
        return text if len(text) <= room else f"{text[:room]}…"

    def _mapping(self, value: Mapping[Any, Any], depth: int) -> Any:
        made: dict[str, Any] = {}
        is_same = True
        for key, one in value.items():
            if self._items <= 0:
                made["…"] = f"{len(value) - len(made)} more"
                return made
            short = self.of(one, depth + 1)
            is_same = is_same and short is one
            made[str(key)] = short
        return value if is_same else made

    def _list(self, value: list[Any] | tuple[Any, ...], depth: int) -> Any:
        made: list[Any] = []
        is_same = True
        for one in value:
            if self._items <= 0:
                return [*made, f"… {len(value) - len(made)} more"]
            short = self.of(one, depth + 1)
            is_same = is_same and short is one
            made.append(short)
        return value if is_same else made

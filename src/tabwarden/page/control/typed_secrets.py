"""TypedSecrets: what people typed into secret fields while they had control. No answer has it.

The values stay in memory, only for this comparison. They go when the browser closes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tabwarden.hints import Hint

HIDDEN = "(typed by a person, hidden)"
_SHORTEST = 4
"""Shorter texts are too common to be hidden everywhere: "12" is part of many numbers."""
_MOST = 50


class TypedSecrets:
    def __init__(self) -> None:
        self.worlds: dict[str, str] = {}
        """The session of each world whose document has a secret field that a person typed in."""
        self._values: dict[str, None] = {}
        """The newest is the last."""

    def typed_in(self, world: str, session_id: str) -> None:
        self.worlds[world] = session_id

    def add(self, values: Iterable[Any]) -> None:
        for value in values:
            if isinstance(value, str) and len(value) >= _SHORTEST:
                self._values.pop(value, None)
                self._values[value] = None
        while len(self._values) > _MOST:
            del self._values[next(iter(self._values))]

    def forget(self) -> None:
        self.worlds.clear()
        self._values.clear()

    def __bool__(self) -> bool:
        return bool(self._values)

    def hide(self, value: Any) -> Any:
        """Return the value with every secret in its texts replaced."""
        if not self._values or value is None:
            return value
        if isinstance(value, str):
            return self._hide_in(value)
        if isinstance(value, msgspec.Struct):
            fields = {name: self.hide(getattr(value, name)) for name in value.__struct_fields__}
            return msgspec.structs.replace(value, **fields)
        if isinstance(value, dict):
            return {self.hide(key): self.hide(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(map(self.hide, value)) if type(value) in (list, tuple) else value
        return value

    def _hide_in(self, text: str) -> str:
        if isinstance(text, Hint):
            parts = (self._hide_in(one) if type(one) is str else one for one in text.parts)
            return Hint(*parts)
        for secret in sorted(self._values, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return text

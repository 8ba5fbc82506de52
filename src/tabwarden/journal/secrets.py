"""Secrets: texts that must not be shown, and how to take them out of a value."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

import msgspec

from tabwarden.hints import Hint

SECRET = "(secret)"
"""Recordings have this text where the secret was."""
SHORTEST = 4
"""A shorter text is hidden only in its own place: it would also hide parts of many words."""
_KEPT = 1_000
"""How many forms of texts are kept; the oldest are dropped."""


class Secrets:
    """The secrets of one task. They stay in memory only. Any thread may use it.

    Args:
        replacement: the text that replaces a secret.
    """

    def __init__(self, replacement: str = SECRET) -> None:
        self._replacement = replacement
        self._lock = threading.Lock()
        self._learned: dict[str, None] = {}
        """The forms of the texts; the newest is the last."""
        self._configured: dict[str, str] = {}
        """The forms of the configuration's secrets, each with the text that replaces it."""
        self._pattern: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        return bool(self._learned or self._configured)

    def add(self, texts: Iterable[Any]) -> None:
        """Hide these texts from now on, in all that ``hide`` gets."""
        forms = {form for text in texts for form in _forms(text)}
        if not forms:
            return
        with self._lock:
            if not forms <= self._learned.keys():
                self._pattern = None
            older = [form for form in self._learned if form not in forms]
            self._learned = dict.fromkeys([*older, *forms][-_KEPT:])

    def configure(self, named: Mapping[str, str], unnamed: Iterable[str]) -> None:
        """Hide the secrets of the configuration. The named ones are shown by their names."""
        with self._lock:
            self._configured = dict.fromkeys(
                (form for text in unnamed for form in _forms(text)), self._replacement
            )
            for name, text in named.items():
                self._configured |= dict.fromkeys(_forms(text), f"(secret {name})")
            self._pattern = None

    def forget(self) -> None:
        """Forget the texts, but not the configuration's secrets."""
        with self._lock:
            self._learned = {}
            self._pattern = None

    def hide(self, value: Any) -> Any:
        """Return a value without the secrets: text, or a struct, mapping or list that has some."""
        if not self:
            return value
        with self._lock:
            pattern = self._pattern = self._pattern or self._compiled()
        return self._hidden(pattern, value)

    def _compiled(self) -> re.Pattern[str]:
        longest_first = sorted({**self._learned, **self._configured}, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)))

    def _hidden(self, pattern: re.Pattern[str], value: Any) -> Any:
        if isinstance(value, str):
            return self._hidden_text(pattern, value)
        if isinstance(value, msgspec.Struct):
            fields = {
                name: self._hidden(pattern, getattr(value, name))
                for name in value.__struct_fields__
            }
            return msgspec.structs.replace(value, **fields)
        if isinstance(value, Mapping):
            return {
                self._hidden(pattern, key): self._hidden(pattern, one) for key, one in value.items()
            }
        if type(value) in (list, tuple):
            return type(value)(self._hidden(pattern, one) for one in value)
        return value

    def _hidden_text(self, pattern: re.Pattern[str], text: str) -> str:
        if isinstance(text, Hint):
            return Hint(
                *(pattern.sub(self._shown, one) if type(one) is str else one for one in text.parts)
            )
        return pattern.sub(self._shown, text)

    def _shown(self, found: re.Match[str]) -> str:
        return self._configured.get(found[0], self._replacement)


def _forms(text: Any) -> set[str]:
    """Return a text as it may stand in JSON, in URLs and in HTML."""
    if not isinstance(text, str) or len(text) < SHORTEST:
        return set()
    return {
        text,
        json.dumps(text)[1:-1],
        json.dumps(text, ensure_ascii=False)[1:-1],
        quote(text, safe="", errors="replace"),
        quote(text, safe="!'()*", errors="replace"),  # as encodeURIComponent does
        quote_plus(text, errors="replace"),
        html.escape(text),
        html.escape(text, quote=False),
    }

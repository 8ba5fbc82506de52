"""Secrets: texts that no recording and no person may see, and how to take them out of a value."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

SECRET = "(secret)"
"""What stands in the place of a secret."""
SHORTEST = 4
"""A shorter text is hidden only in its own place: it would also hide parts of many words."""
_KEPT = 1_000
"""How many texts are kept; the oldest are dropped."""


class Secrets:
    """The secrets of one task. Any thread may use it."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}
        self._named: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def add(self, texts: Iterable[Any]) -> None:
        """Hide these texts from now on, in all that ``hide`` gets."""
        self._learn({one: SECRET for text in texts for one in _forms(text)})

    def name(self, named: Mapping[str, str]) -> None:
        """Hide these secrets of the configuration, by name. A name that starts with "#" is no
        name: the secret was given as text."""
        words: dict[str, str] = {}
        for name, text in named.items():
            shown = SECRET if name.startswith("#") else f"(secret {name})"
            words |= dict.fromkeys(_forms(text), shown)
        self._named = words
        self._pattern = None

    def hide(self, value: Any) -> Any:
        """Return a JSON-like value without the secrets."""
        pattern = self._pattern or self._compile()
        return value if pattern is None else self._hidden(pattern, value)

    def _learn(self, words: Mapping[str, str]) -> None:
        if words.keys() <= self._words.keys():
            return
        known = {**self._words, **words}
        for old in list(known)[: max(0, len(known) - _KEPT)]:
            del known[old]
        self._words = known
        self._pattern = None

    def _compile(self) -> re.Pattern[str] | None:
        words = self._words.keys() | self._named.keys()
        if not words:
            return None
        longest_first = sorted(words, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        return self._pattern

    def _hidden(self, pattern: re.Pattern[str], value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(self._shown, value)
        if isinstance(value, Mapping):
            return {
                self._hidden(pattern, key): self._hidden(pattern, one) for key, one in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._hidden(pattern, one) for one in value]
        return value

    def _shown(self, found: re.Match[str]) -> str:
        return self._named.get(found[0]) or self._words.get(found[0], SECRET)


def _forms(text: Any) -> set[str]:
    """Return a text as it may stand in JSON, in URLs and in HTML."""
    if not isinstance(text, str) or len(text) < SHORTEST:
        return set()
    return {
        text,
        json.dumps(text)[1:-1],
        json.dumps(text, ensure_ascii=False)[1:-1],
        quote(text, safe="", errors="replace"),
        quote_plus(text, errors="replace"),
        html.escape(text),
    }

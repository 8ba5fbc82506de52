"""Secrets: texts that must not be shown, and how to take them out of a value."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote, quote_plus

import msgspec

from tabwarden.hints import Hint, Next
from tabwarden.journal.forms import Finder, pattern_of
from tabwarden.journal.keys import masked

SECRET = "(secret)"
"""Recordings have this text where the secret was."""
SHORTEST = 4
"""A shorter text is hidden only in its own place: it would also hide parts of many words."""
_NO_COUNT = 100_000
"""A smaller number is not hidden: it may be a size or a count."""
_KEPT = 1_000
"""How many forms of texts are kept; the oldest are dropped."""

_CODES = 20
"""How many one-time codes are kept; the oldest are dropped."""

Finders: TypeAlias = tuple[Finder, Finder, Finder]
T = TypeVar("T")


class Secrets:
    """The secrets of one task. They stay in memory only. Any thread may use it.

    Args:
        replacement: the text that replaces a secret.
        others: other secrets, which ``hide`` hides too.
    """

    def __init__(self, replacement: str = SECRET, others: Secrets | None = None) -> None:
        self._others = others
        self._replacement = replacement
        self._lock = threading.Lock()
        self._learned: dict[str, str] = {}
        """The forms of the texts, each with the text that replaces it; the newest is the last."""
        self._codes: dict[str, str] = {}
        """The newest one-time codes, likewise."""
        self._finders = (Finder(), Finder(), Finder())
        """Those of the configuration's secrets, of the codes, and of the learned texts."""
        self._is_stale = False
        """Whether the last finder lacks texts."""
        self.masks = False
        """Whether ``hide`` also hides what looks like a key."""

    def __bool__(self) -> bool:
        return bool(self.is_known or self._others or self.masks)

    @property
    def is_known(self) -> bool:
        """Whether there are secrets whose text is known, so that pictures must not show them."""
        return self._is_stale or any(self._finders)

    def add(self, texts: Iterable[Any]) -> None:
        """Hide these texts from now on, in all that ``hide`` gets.

        Args:
            texts: the texts; what is no text, or too short, is left out.
        """
        forms = {form for text in texts for form in _forms(text)}
        if not forms:
            return
        with self._lock:
            self._is_stale = self._is_stale or not forms <= self._learned.keys()
            older = {form: told for form, told in self._learned.items() if form not in forms}
            both = {**older, **dict.fromkeys(forms, self._replacement)}
            self._learned = dict([*both.items()][-_KEPT:])

    def add_code(self, code: str, shown: str) -> None:
        """Hide a one-time code from now on.

        Args:
            code: the code.
            shown: the text that replaces it.
        """
        with self._lock:
            if code not in self._codes:
                self._codes = dict([*self._codes.items(), (code, shown)][-_CODES:])
                known, _, learned = self._finders
                self._finders = (known, _finder(self._codes), learned)

    def configure(self, texts: Mapping[str, str]) -> None:
        """Hide the secrets of the configuration, however they are encoded, and in any case.

        Args:
            texts: each secret, and the text that replaces it.
        """
        finder = _finder({text: told for text, told in texts.items() if len(text) >= SHORTEST})
        with self._lock:
            self._finders = (finder, *self._finders[1:])

    def forget(self) -> None:
        """Forget the texts, but not the configuration's secrets."""
        with self._lock:
            self._learned = {}
            self._is_stale = False
            self._finders = (*self._finders[:2], Finder())

    def hide(self, value: T) -> T:
        """Return a value without the secrets: text, or a struct, mapping or list that has some."""
        if self._others is not None:
            value = self._others.hide(value)
        if not self.is_known and not self.masks:
            return value
        finders = self._current()
        texts: list[str] = []
        _gather(value, texts)
        told = "\n".join(texts)  # one search of all of them, because most values have no secret
        if not any(one.may_have(told) for one in finders) and not (
            self.masks and masked(told) != told
        ):
            return value
        hidden: T = self._hidden(finders, value)
        return hidden

    def places_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Give the places of the secrets in a text, as ``(start, end)``."""
        for finder in self._current():
            yield from finder.places(text)

    def _current(self) -> Finders:
        with self._lock:
            if self._is_stale:
                longest_first = sorted(self._learned, key=len, reverse=True)
                every = "|".join(map(re.escape, longest_first))
                learned = Finder([(every, self._replacement)])
                self._finders, self._is_stale = (*self._finders[:2], learned), False
            return self._finders

    def _hidden(self, finders: Finders, value: Any) -> Any:
        if isinstance(value, str):
            return self._hidden_text(finders, value)
        if isinstance(value, msgspec.Struct):
            fields = {
                name: self._hidden(finders, getattr(value, name))
                for name in value.__struct_fields__
            }
            return msgspec.structs.replace(value, **fields)
        if isinstance(value, Mapping):
            return {
                self._hidden(finders, key): self._hidden(finders, one) for key, one in value.items()
            }
        if type(value) in (list, tuple):
            return type(value)(self._hidden(finders, one) for one in value)
        if type(value) is int and value >= _NO_COUNT:
            text = str(value)
            return next((shown for one in finders if (shown := one.shown(text))), value)
        return value

    def _hidden_text(self, finders: Finders, text: str) -> str:
        if isinstance(text, Hint):
            return text.changed(lambda part: self._hidden(finders, part))
        for finder in finders:
            text = finder.hidden(text)
        return masked(text) if self.masks else text


def _gather(value: Any, texts: list[str]) -> None:
    """Add each text in a value that ``hide`` looks at."""
    if type(value) is str:
        texts.append(value)
    elif isinstance(value, Hint):
        for part in value.parts:
            for one in part if isinstance(part, tuple) else (part,):
                _gather(one.arguments if isinstance(one, Next) else str(one), texts)
    elif isinstance(value, str):
        texts.append(value)
    elif isinstance(value, msgspec.Struct):
        _gather([getattr(value, name) for name in value.__struct_fields__], texts)
    elif isinstance(value, Mapping):
        _gather([*value.keys(), *value.values()], texts)
    elif type(value) in (list, tuple):
        for one in value:
            _gather(one, texts)
    elif type(value) is int and value >= _NO_COUNT:
        texts.append(str(value))


def _finder(texts: Mapping[str, str]) -> Finder:
    longest_first = sorted(texts, key=len, reverse=True)
    return Finder([(pattern_of(text), texts[text]) for text in longest_first])


def _forms(text: Any) -> set[str]:
    """Return a text as it may stand in JSON, in URLs and in HTML."""
    if not isinstance(text, str) or len(text) < SHORTEST:
        return set()
    in_json = json.dumps(text)[1:-1]
    return {
        text,
        in_json,
        json.dumps(in_json)[1:-1],  # JSON in a text that is shown in quotation marks
        json.dumps(text, ensure_ascii=False)[1:-1],
        quote(text, safe="", errors="replace"),
        quote(text, safe="!'()*", errors="replace"),  # as encodeURIComponent does
        quote_plus(text, errors="replace"),
        html.escape(text),
        html.escape(text, quote=False),
    }

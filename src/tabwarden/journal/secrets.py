"""Secrets: texts that must not be shown, and how to take them out of a value."""

from __future__ import annotations

import base64
import html
import json
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

import msgspec

from tabwarden.hints import Hint
from tabwarden.journal.keys import masked

SECRET = "(secret)"
"""Recordings have this text where the secret was."""
SHORTEST = 4
"""A shorter text is hidden only in its own place: it would also hide parts of many words."""
_NOTHING = r"(?!)"
_NO_COUNT = 100_000
"""A smaller number is not hidden: it may be a size or a count."""
_SHORTEST_CORE = 6
"""A shorter part of a base64 text may be a part of any text."""
_URL_SAFE = str.maketrans("+/", "-_")
_KEPT = 1_000
"""How many forms of texts are kept; the oldest are dropped."""

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
        self._configured: dict[str, str] = {}
        """The forms of the configuration's secrets, each with the text that replaces it."""
        self._pattern: re.Pattern[str] | None = None
        self.masks = False
        """Whether ``hide`` also hides what looks like a key."""

    def __bool__(self) -> bool:
        return bool(self._learned or self._configured or self._others or self.masks)

    @property
    def is_known(self) -> bool:
        """Whether there are secrets whose text is known, so that pictures must not show them."""
        return bool(self._learned or self._configured)

    def add(self, texts: Iterable[Any], shown: str = "") -> None:
        """Hide these texts from now on, in all that ``hide`` gets.

        Args:
            texts: the texts; what is no text, or too short, is left out.
            shown: the text that replaces them, if not the usual one.
        """
        forms = {form for text in texts for form in _forms(text)}
        if not forms:
            return
        with self._lock:
            if not forms <= self._learned.keys():
                self._pattern = None
            older = {form: told for form, told in self._learned.items() if form not in forms}
            both = {**older, **dict.fromkeys(forms, shown or self._replacement)}
            self._learned = dict([*both.items()][-_KEPT:])

    def configure(self, texts: Mapping[str, str]) -> None:
        """Hide the secrets of the configuration, also inside of base64 and in any case.

        Args:
            texts: each secret, and the text that replaces it.
        """
        with self._lock:
            self._configured = {
                form.casefold(): told
                for text, told in texts.items()
                for form in (*_forms(text), *_in_base64(text))
            }
            self._pattern = None

    def forget(self) -> None:
        """Forget the texts, but not the configuration's secrets."""
        with self._lock:
            self._learned = {}
            self._pattern = None

    def hide(self, value: T) -> T:
        """Return a value without the secrets: text, or a struct, mapping or list that has some."""
        if self._others is not None:
            value = self._others.hide(value)
        if not self._learned and not self._configured and not self.masks:
            return value
        with self._lock:
            pattern = self._pattern = self._pattern or self._compiled()
        hidden: T = self._hidden(pattern, value)
        return hidden

    def places_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Give the places of the secrets in a text, as ``(start, end)``."""
        if self._learned or self._configured:
            with self._lock:
                pattern = self._pattern = self._pattern or self._compiled()
            yield from (found.span() for found in pattern.finditer(text))

    def _compiled(self) -> re.Pattern[str]:
        forms = [(re.escape(one), len(one)) for one in self._learned]
        forms += [(f"(?i:{re.escape(one)})", len(one)) for one in self._configured]
        longest_first = sorted(forms, key=lambda one: one[1], reverse=True)
        return re.compile("|".join(form for form, _ in longest_first) or _NOTHING)

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
        if type(value) is int and value >= _NO_COUNT and pattern.fullmatch(str(value)):
            return self._hidden_text(pattern, str(value))
        return value

    def _hidden_text(self, pattern: re.Pattern[str], text: str) -> str:
        if isinstance(text, Hint):
            return Hint(
                *(self._plain(pattern, one) if type(one) is str else one for one in text.parts)
            )
        return self._plain(pattern, text)

    def _plain(self, pattern: re.Pattern[str], text: str) -> str:
        text = pattern.sub(self._shown, text)
        return masked(text) if self.masks else text

    def _shown(self, found: re.Match[str]) -> str:
        learned = self._learned.get(found[0])
        return learned or self._configured.get(found[0].casefold(), self._replacement)


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


def _in_base64(text: str) -> set[str]:
    """Return the part of a text's base64 that does not depend on what stands around the text: one
    for each place in a group of three bytes. For example, ``Basic`` logins are in base64."""
    raw = text.encode("utf-8", "replace")
    forms: set[str] = set()
    for before in range(3):
        kept = slice(-(-before * 8 // 6), (before + len(raw)) * 8 // 6)
        core = base64.b64encode(b"\0" * before + raw).decode()[kept]
        forms |= {core, core.translate(_URL_SAFE)}
    return {form for form in forms if len(form) >= _SHORTEST_CORE}

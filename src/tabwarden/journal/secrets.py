"""Store secrets, texts that must not be shown, and mask them in values."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec

from tabwarden.hints import Hint, Next
from tabwarden.journal.forms import Finder, Known, readings

MASKED = "(masked)"
"""The replacement for an API key in results."""
_FORMS = (
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",  # AWS
    r"\bAIza[\w-]{35}",  # Google
    r"\bgh[pousr]_[A-Za-z0-9]{36,}",  # GitHub
    r"\bgithub_pat_\w{40,}",
    r"\bglpat-[\w-]{20,}",  # GitLab
    r"\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic
    r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
    r"\bhooks\.slack\.com/services/[\w/]{20,}",
    r"\bnpm_[A-Za-z0-9]{36}",
    r"\bpypi-AgE[\w-]{50,}",
    r"\bhf_[A-Za-z0-9]{30,}",  # Hugging Face
    r"\bSG\.[\w-]{16,}\.[\w-]{32,}",  # SendGrid
    r"\bdop_v1_[a-f0-9]{64}",  # DigitalOcean
    r"\beyJ[\w-]{8,500}\.eyJ[\w-]{8,}\.[\w-]{8,}",  # JSON Web Tokens
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    r"(?i:(?<=\bbearer ))[\w.~+/=-]{20,}",
    # the user name and password in a URL, but not in an example URL
    r"(?<=://)(?!(?:user|username|name|me):(?:pass|password|pw|PASSWORD)@)[^/\s:@]+:[^/\s:@]+(?=@)",
)
_KEYS = re.compile("|".join(_FORMS))


def masked(text: str) -> str:
    """Mask text that looks like an API key."""
    return _KEYS.sub(MASKED, text)


SECRET = "(secret)"
"""The replacement for a secret in recordings."""
SHORTEST = 4
"""The minimum length of a secret that is masked in all texts. A shorter secret is masked only in
its own field, because it would also match parts of many words.
"""
_NO_COUNT = 100_000
"""The smallest number that is masked. A smaller number may be a size or a count."""
_KEPT = 1_000
"""How many texts are kept; older ones are dropped."""

_CODES = 20
"""How many one-time codes are kept; older ones are dropped."""

Finders: TypeAlias = tuple[Finder, Finder, Finder]
T = TypeVar("T")


class Secrets:
    """One task's secrets, kept only in memory. Thread-safe.

    Args:
        replacement: the text that replaces a secret.
        others: other secrets, which ``hide`` masks too.
    """

    def __init__(self, replacement: str = SECRET, others: Secrets | None = None) -> None:
        self._others = others
        self._replacement = replacement
        self._lock = threading.Lock()
        self._learned: dict[str, Known] = {}
        """The texts added with ``add``, the newest last."""
        self._codes: dict[str, str] = {}
        """The newest one-time codes, the newest last."""
        self._finders = (Finder(), Finder(), Finder())
        """The finders for the configuration's secrets, the codes and the learned texts."""
        self._is_stale = False
        """Whether the finder for the learned texts is out of date."""
        self.masks = False
        """Whether ``hide`` also masks text that looks like a key."""

    def __bool__(self) -> bool:
        return bool(self.is_known or self._others or self.masks)

    @property
    def is_known(self) -> bool:
        """Whether there are secrets whose text is known, which images must not show."""
        return self._is_stale or any(self._finders)

    def add(self, texts: Iterable[Any]) -> None:
        """Add texts that ``hide`` masks from now on.

        Args:
            texts: the texts; values that are not strings, or too short, are ignored.
        """
        fresh = {text for text in texts if isinstance(text, str) and len(text) >= SHORTEST}
        if not fresh:
            return
        with self._lock:
            self._is_stale = self._is_stale or not fresh <= self._learned.keys()
            known = {text: self._learned.pop(text, None) for text in fresh}
            for text, one in known.items():
                self._learned[text] = one or Known(text, self._replacement)
            self._learned = dict([*self._learned.items()][-_KEPT:])

    def add_code(self, code: str, shown: str) -> None:
        """Add a one-time code that ``hide`` masks from now on.

        Args:
            code: the code.
            shown: the text that replaces the code.
        """
        with self._lock:
            if code not in self._codes:
                self._codes = dict([*self._codes.items(), (code, shown)][-_CODES:])
                known, _, learned = self._finders
                self._finders = (known, _finder(self._codes), learned)

    def configure(self, texts: Mapping[str, str]) -> None:
        """Add the configuration's secrets, which ``hide`` masks in every known encoding and in
        upper and lower case.

        Args:
            texts: each secret, and the text that replaces it.
        """
        finder = _finder(
            {text: replacement for text, replacement in texts.items() if len(text) >= SHORTEST}
        )
        with self._lock:
            self._finders = (finder, *self._finders[1:])

    def forget(self) -> None:
        """Forget the learned texts, but not the configuration's secrets."""
        with self._lock:
            self._learned = {}
            self._is_stale = False
            self._finders = (*self._finders[:2], Finder())

    def hide(self, value: T) -> T:
        """Return ``value`` with the secrets masked; it can be a string, or a struct, mapping or
        list that contains strings.
        """
        finders = [one for one in self._every() if one]
        masks = self.masks or (self._others is not None and self._others.masks)
        if not finders and not masks:
            return value
        texts: list[str] = []
        _gather(value, texts)
        joined_text = "\n".join(texts)  # search all texts together: most values contain no secret
        read = readings(joined_text) if finders else ()
        if not any(one.may_have(read) for one in finders) and not (
            masks and masked(joined_text) != joined_text
        ):
            return value
        hidden: T = _hidden(finders, masks, value)
        return hidden

    def places_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the positions of the secrets in a text, as ``(start, end)``."""
        for finder in self._current():
            yield from finder.places(text)

    def _every(self) -> tuple[Finder, ...]:
        """Return the finders for the other secrets and for these secrets."""
        others = self._others._every() if self._others is not None else ()
        return (*others, *self._current())

    def _current(self) -> Finders:
        with self._lock:
            if self._is_stale:
                learned = Finder(self._learned.values())
                self._finders, self._is_stale = (*self._finders[:2], learned), False
            return self._finders


def _hidden(finders: Sequence[Finder], masks: bool, value: Any) -> Any:
    if isinstance(value, str):
        return _hidden_text(finders, masks, value)
    if isinstance(value, msgspec.Struct):
        fields = {
            name: _hidden(finders, masks, getattr(value, name)) for name in value.__struct_fields__
        }
        return msgspec.structs.replace(value, **fields)
    if isinstance(value, Mapping):
        return {
            _hidden(finders, masks, key): _hidden(finders, masks, one) for key, one in value.items()
        }
    if type(value) in (list, tuple):
        return type(value)(_hidden(finders, masks, one) for one in value)
    if type(value) is int and value >= _NO_COUNT:
        text = str(value)
        return next((shown for one in finders if (shown := one.shown(text))), value)
    return value


def _hidden_text(finders: Sequence[Finder], masks: bool, text: str) -> str:
    if text == SECRET:  # the password itself may be "secret"
        return text
    if isinstance(text, Hint):
        return text.changed(lambda part: _hidden(finders, masks, part))
    read = readings(text)
    for finder in finders:
        if finder.may_have(read):
            text = finder.hidden(text)
            read = readings(text)
    return masked(text) if masks else text


def _gather(value: Any, texts: list[str]) -> None:
    """Collect each string in a value that ``hide`` would search."""
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
    return Finder(Known(text, shown, is_loose=True) for text, shown in texts.items())

"""States: what is said of an element beside its role, its name and its ref."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from operator import eq
from typing import Any

from tabwarden.page.line import is_plain, quoted
from tabwarden.page.links import short_url
from tabwarden.page.node import Props

__all__ = ["States"]

_STATES = ("checked", "disabled", "expanded", "selected", "pressed", "level", "invalid")
_FLAGS = (
    "required", "readonly", "busy", "active", "clickable", "modal", "editable", "draggable",
    "multiselectable", "offscreen", "obscured",
)  # fmt: skip
_WORDS = (
    "value", "min", "max", "placeholder", "description", "url", "type", "haspopup", "current",
    "orientation", "sort",
)  # fmt: skip
_ORDER = {key: at for at, key in enumerate((*_STATES, *_FLAGS, *_WORDS))}
_FIRST_FLAG, _FIRST_WORD, _UNTOLD = _ORDER[_FLAGS[0]], _ORDER[_WORDS[0]], len(_ORDER)
_TOKENS = frozenset(("type", "haspopup", "current", "orientation", "sort"))
# A word that needs no quotes.
_TOKEN = re.compile("[a-z][a-z-]{0,30}")
_LONG_ENOUGH = 24
"""A URL or a list of options that is longer is not said twice in a row."""


class States:
    """The states of one frame's elements, in words; what was said just before is not said again."""

    def __init__(self) -> None:
        self._url = ("", 0)
        """Where the last link leads, and its ref's number."""
        self._options: dict[str, int] = {}
        """The options of selects, and the number of the first that has them."""

    def added(self, text: str, props: Props, number: int, name: str = "") -> str:
        """A line with the states of its element."""
        if not props:
            return text
        if isinstance(props, str):
            url = short_url(props)
            return f"{text} {self._url_words(url, number)}" if url else text
        words = [text]
        for key in props if len(props) == 1 else sorted(props, key=_place_of):
            value, place = props[key], _place_of(key)
            if place < _FIRST_FLAG:
                if key == "expanded" and not value and "haspopup" in props:
                    continue  # what pops up is not there
                words.append(key if value is True else f"{key}={_json(value)}")
            elif place < _FIRST_WORD:
                if value:
                    words.append(key)
            elif value and place < _UNTOLD:
                said = str(value)
                if said == name and key in ("placeholder", "description"):
                    continue
                if key == "url":
                    if said := short_url(said):
                        words.append(self._url_words(said, number))
                elif key in _TOKENS and _TOKEN.fullmatch(said):
                    words.append(f"{key}={said}")
                else:
                    words.append(f"{key}={quoted(said)}")
        if options := props.get("options"):
            shown = ", ".join(quoted(str(option)) for option in options)
            more = f", {props['options_more']} more" if props.get("options_more") else ""
            words.append(self._options_words(f"[{shown}{more}]", number))
        return " ".join(words)

    def _url_words(self, url: str, number: int) -> str:
        """``url="/long"``; or, where the last link leads there too, ``url as e12``."""
        known, of = self._url
        if known == url and len(url) > _LONG_ENOUGH and of and number and of != number:
            return f"url as e{of}"
        self._url = (url, number)
        return f"url={quoted(url)}"

    def _options_words(self, options: str, number: int) -> str:
        of = self._options.setdefault(options, number) if number else number
        return (
            f"options as e{of}"
            if of != number and len(options) > _LONG_ENOUGH
            else f"options={options}"
        )

    def of_urls(self, urls: Sequence[Props], numbers: Sequence[int]) -> list[str]:
        """What is said of the URLs of a run of elements, with a space before it."""
        short = [short_url(url) if url else "" for url in urls]  # type: ignore[arg-type]
        some = list(filter(None, short))
        if not some:
            return short
        again = some[0] == self._url[0] or any(map(eq, some, some[1:]))
        if again or not is_plain("".join(some)):
            return [
                f" {self._url_words(url, number)}" if url else ""
                for url, number in zip(short, numbers, strict=True)
            ]
        last = len(short) - 1 - short[::-1].index(some[-1])
        self._url = (short[last], numbers[last])
        return [f' url="{url}"' if url else "" for url in short]


def _json(value: Any) -> str:
    return str(value) if type(value) is int else json.dumps(value)


def _place_of(key: str) -> int:
    """Where a state stands among others."""
    return _ORDER.get(key, _UNTOLD)

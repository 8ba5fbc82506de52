"""Write the words in an element's line after its role, name and ref."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from operator import eq
from typing import Any

from tabwarden.page.text import is_plain, quoted, token
from tabwarden.page.walker import Props

_MOST = 80
_MOST_INLINE = 24
# Tracking parameters: they don't change the page content.
_TRACKING = re.compile(
    r"(?<=[?&])(?:utm_\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid"
    r"|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_enc_id|oly_anon_id)=[^&#]*(?:&|(?=#|$))",
    re.IGNORECASE,
)


def short_url(url: str) -> str:
    """Return a link's URL without tracking parameters, shortened with … if it is long.

    Return "" for a link without a destination, such as ``#``.
    """
    if url[:1] == "/" and len(url) <= _MOST and "?" not in url:
        return url  # a fast path for most links within a site
    if "?" in url:
        url = re.sub(r"[?&](?=#|$)", "", _TRACKING.sub("", url))
    if url == "#" or url[:11].lower() == "javascript:":
        return ""
    most = _MOST_INLINE if url.startswith(("data:", "blob:")) else _MOST
    return url if len(url) <= most else f"{url[: most - 1]}…"


_STATES = ("checked", "disabled", "expanded", "selected", "pressed", "level", "invalid")
_FLAGS = (
    "required", "readonly", "busy", "active", "modal", "editable", "multiline",
    "draggable", "multiselectable", "offscreen", "inert", "obscured",
)  # fmt: skip
_WORDS = (
    "near", "author", "svg", "value", "min", "max", "placeholder", "description", "url", "type",
    "haspopup", "current", "orientation", "sort",
)  # fmt: skip
_ORDER = {key: at for at, key in enumerate((*_STATES, *_FLAGS, *_WORDS))}
_FIRST_FLAG, _FIRST_WORD, _UNTOLD = _ORDER[_FLAGS[0]], _ORDER[_WORDS[0]], len(_ORDER)
_TOKENS = frozenset(("type", "haspopup", "current", "orientation", "sort"))
# A word that needs no quotes.
_TOKEN = re.compile("[a-z][a-z-]{0,30}")
# How many of a table's or list's items are in the page.
_PART = re.compile(r"\d+ of [\d?]+ (rows|columns|items)(, \d+ of [\d?]+ columns)?")
LEFT_BEHIND = {
    "aria-hidden": "(hidden from screen readers although no dialog is open; it works)",
    "inert": "(inert although no dialog is open; it ignores clicks and keys)",
}
"""The notes on parts of the page that a closed dialog left hidden (``js/dom/left_behind.js``)."""
_LONG_ENOUGH = 24
"""A URL or option list that is longer than this is not repeated. The line refers to the earlier ref
instead."""


class States:
    """Writes the states of one frame's elements without repeating long URLs and option lists."""

    def __init__(self) -> None:
        self._url = ("", 0)
        """The URL and the ref number of the last link."""
        self._options: dict[str, int] = {}
        """Maps each option list to the ref number of the first select with that list."""

    # This is a single loop, because a function call per property would double the time for a node.
    def added(self, text: str, props: Props, number: int, name: str = "") -> str:  # noqa: C901, PLR0912
        """Return an element's line with its states appended."""
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
                    continue  # the popup is closed
                words.append(key if value is True else f"{key}={_json(value)}")
            elif place < _FIRST_WORD:
                if value:
                    words.append(key)
            elif value and place < _UNTOLD:
                word = str(value)
                if word == name and key in ("placeholder", "description"):
                    continue
                if key == "author":
                    attribute, of_author = value
                    words.append(f"{token(attribute)}={quoted(of_author)}")
                elif key == "url":
                    if word := short_url(word):
                        words.append(self._url_words(word, number))
                elif key in _TOKENS and _TOKEN.fullmatch(word):
                    words.append(f"{key}={word}")
                else:
                    words.append(f"{key}={quoted(word)}")
        if part := props.get("part"):
            words.append(f"({part}: scroll for more)" if _PART.fullmatch(part) else quoted(part))
        if options := props.get("options"):
            words.append(self._options_words(f"[{_listed(options, props)}]", number))
        return " ".join(words)

    def _url_words(self, url: str, number: int) -> str:
        """Return ``url="/long"``, or ``url as e12`` if the last link has the same URL."""
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
        """Return the URL text of each element, with a leading space; "" for an element without a
        URL."""
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


def _listed(options: Sequence[Any], props: Mapping[str, Any]) -> str:
    """Return a select's options: ``"Dog", "Cat" disabled``, those of a group as
    ``"Pets": ["Dog"]``."""
    disabled = props.get("options_disabled") or ()
    groups = {at: str(name) for at, name in props.get("option_groups") or ()}
    text, end = "", ""
    for at, option in enumerate(options):
        if at in groups:
            text += (
                f"{end}{', ' if at else ''}{quoted(groups[at])}: [" if groups[at] else f"{end}, "
            )
            end = "]" if groups[at] else ""
        elif at:
            text += ", "
        text += f"{quoted(str(option))}{' disabled' if at in disabled else ''}"
    more = f", {props['options_more']} more" if props.get("options_more") else ""
    return text + (more + end if groups else more)


def _json(value: Any) -> str:
    return str(value) if type(value) is int else json.dumps(value)


def _place_of(key: str) -> int:
    return _ORDER.get(key, _UNTOLD)

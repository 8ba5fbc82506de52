"""The encodings in which a page can write a text and readers still understand it."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote, quote_plus

__all__ = ["WRITINGS", "written"]


def _base64(text: str, before: int) -> str:
    """The part of a text's base64 that does not depend on the ``before`` bytes before it."""
    raw = text.encode()
    core = slice(-(-before * 8 // 6), (before + len(raw)) * 8 // 6)
    return base64.b64encode(b"\0" * before + raw).decode()[core]


def _percent(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())


def _units(text: str) -> list[int]:
    return memoryview(text.encode("utf-16-le")).cast("H").tolist()


def _halved(text: str, between: str) -> str:
    middle = len(text) // 2
    return text[:middle] + between + text[middle:]


WRITINGS: Mapping[str, Callable[[str], str]] = {
    "plain": str,
    "HTML names": html.escape,
    "HTML text": lambda text: html.escape(text, quote=False),
    "HTML decimal": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "HTML hex": lambda text: "".join(f"&#x{ord(one):X};" for one in text),
    "URL": lambda text: quote(text, safe=""),
    "URL in part": quote,
    "URL whole": lambda text: _percent(text).upper(),
    "URL in lower case": _percent,
    "URL of one letter": lambda text: f"{text[:2]}{_percent(text[2])}{text[3:]}",
    "form": quote_plus,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON in JSON": lambda text: json.dumps(json.dumps(text))[3:-3],
    "\\uXXXX": lambda text: "".join(f"\\u{one:04x}" for one in _units(text)),
    "\\xXX": lambda text: "".join(
        f"\\x{one:02x}" if one < 256 else f"\\u{one:04x}" for one in _units(text)
    ),
    "\\u{...}": lambda text: "".join(f"\\u{{{ord(one):X}}}" for one in text),
    "soft hyphens": "\xad".join,
    "zero-width characters": "\u200b".join,
    "a joiner": lambda text: _halved(text, "\u2060"),
    "spaces": " ".join,
    "a line end": lambda text: _halved(text, "\n"),
    "base64": lambda text: _base64(text, 0),
    "base64 behind one byte": lambda text: _base64(text, 1),
    "base64 behind two bytes": lambda text: _base64(text, 2),
    "base64 for URLs": lambda text: _base64(text, 0).replace("+", "-").replace("/", "_"),
}
"""A text in each encoding, by the encoding's name."""


def written(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text in each encoding, as ``(name, text)``."""
    for name, write in WRITINGS.items():
        yield name, write(text)

"""Patterns for URLs: Playwright's globs, and regular expressions as ``/.../``.

The state machine's thread must not hang, so the time for a match must grow only linearly with the
URL's length. Therefore, this module uses Rust's regex engine, which is part of pydantic.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic_core import SchemaError, SchemaValidator, core_schema

from tabwarden.errors import InvalidArgument

_LONGEST = 2_000
_REGEX = re.compile(r"^/(.+)/(i?)\Z", re.DOTALL)
_WHOLE_URL = re.compile(r"^(\*\*|[{\\]|[A-Za-z*][\w+.*{},-]*:)")
"""The start of a glob that can match a URL. A single ``*`` does not match slashes."""
_PIECE = re.compile(r"\\(?P<plain>.)|(?P<slashes>/?)(?P<stars>\*+)(?P<after>/?)|(?P<other>.)", re.S)


def pattern_of(text: str) -> Callable[[str], bool]:
    """Return a function that says whether a URL matches a pattern.

    Args:
        text: a glob for the whole URL, or a regular expression between slashes for a part of the
            URL (``/.../i`` ignores case). In a glob, ``*`` matches everything but slashes, ``**``
            matches everything, ``{a,b}`` matches ``a`` or ``b``, and ``\\`` escapes the next
            character.

    Raises:
        InvalidArgument: the pattern is invalid or can't match any URL.
    """
    if not isinstance(text, str) or not text or len(text) > _LONGEST:
        raise InvalidArgument(f"url must be a string of 1 to {_LONGEST} characters.", field="url")
    regex = _REGEX.match(text)
    if regex is not None:
        return _compiled(text, f"(?i){regex[1]}" if regex[2] else regex[1])
    if not _WHOLE_URL.match(text):
        nearest = f"**/{text.lstrip('/')}"
        raise InvalidArgument(
            f"{text[:200]!r} matches no URL, because a pattern must match the whole URL.",
            f"Write {nearest[:200]!r}, a full URL, or a regular expression between slashes.",
            field="url",
            nearest=nearest,
        )
    return _compiled(text, _glob(text))


def _glob(text: str) -> str:
    """Convert a glob to a regular expression by Playwright's rules."""
    parts: list[str] = []
    is_in_braces = False
    for piece in _PIECE.finditer(text):
        if piece["stars"]:
            slash, stars, after = piece["slashes"], piece["stars"], piece["after"]
            if len(stars) == 1:
                parts.append(f"{slash}[^/]*{after}")
            elif slash and after:
                parts.append("/(?:.+/)?")
            else:
                parts.append(f"{slash}.*{after}")
            continue
        one = piece["plain"] or piece["other"]
        if piece["plain"] is not None:
            parts.append(re.escape(one))
        elif one == "{":
            if is_in_braces:
                raise _bad(text, "nested braces are not supported")
            is_in_braces = True
            parts.append("(?:")
        elif one == "}" and is_in_braces:
            is_in_braces = False
            parts.append(")")
        elif one == "," and is_in_braces:
            parts.append("|")
        else:
            parts.append(re.escape(one))
    if is_in_braces:
        raise _bad(text, "a '{' has no matching '}'")
    return f"(?s)^{''.join(parts)}$"


def _compiled(text: str, regex: str) -> Callable[[str], bool]:
    schema = core_schema.str_schema(pattern=regex, regex_engine="rust-regex")
    try:
        return SchemaValidator(schema).isinstance_python
    except SchemaError as error:
        why = str(error).strip().rpartition("error: ")[2] or "it is not a regular expression"
        raise _bad(text, why.partition("\n")[0]) from None


def _bad(text: str, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The url pattern {text[:200]!r} is invalid: {why}.",
        "Write a glob such as '**/api/*', or a regular expression (without look-around) such as "
        "'/api\\/v[12]\\//'.",
        field="url",
    )

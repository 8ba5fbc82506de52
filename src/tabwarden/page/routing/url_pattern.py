"""Patterns for URLs: Playwright's globs, and regular expressions as ``/.../``.

Matching takes time that grows linearly with the URL, whatever the pattern: the state machine's
thread must not hang. So we use Rust's regex engine, which pydantic has.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic_core import SchemaError, SchemaValidator, core_schema

from tabwarden.errors import InvalidArgument

_LONGEST = 2_000
_REGEX = re.compile(r"^/(.+)/(i?)\Z", re.DOTALL)
_WHOLE_URL = re.compile(r"^(\*\*|[{\\]|[A-Za-z*][\w+.*{},-]*:)")
"""How a glob starts that can match a URL: ``*`` alone does not match a slash."""
_PIECE = re.compile(r"\\(?P<plain>.)|(?P<slashes>/?)(?P<stars>\*+)(?P<after>/?)|(?P<other>.)", re.S)


def pattern_of(text: str) -> Callable[[str], bool]:
    """Return the function that says whether a URL matches.

    Args:
        text: a glob for the whole URL. ``*`` matches all but slashes, ``**`` matches everything,
            ``{a,b}`` matches either, and ``\\`` takes the next character literally. Or a regular
            expression between slashes for a part of the URL; ``/.../i`` ignores case.

    Raises:
        InvalidArgument: the pattern is wrong, or can't match any URL.
    """
    if not isinstance(text, str) or not text or len(text) > _LONGEST:
        raise InvalidArgument(f"url must be 1 to {_LONGEST} characters of text.", field="url")
    regex = _REGEX.match(text)
    if regex is not None:
        return _compiled(text, f"(?i){regex[1]}" if regex[2] else regex[1])
    if not _WHOLE_URL.match(text):
        nearest = f"**/{text.lstrip('/')}"
        raise InvalidArgument(
            f"{text[:200]!r} matches no URL: a pattern is for the whole URL.",
            f"Write {nearest[:200]!r}, a full URL, or a regular expression between slashes.",
            field="url",
            nearest=nearest,
        )
    return _compiled(text, _glob(text))


def _glob(text: str) -> str:
    """Return the regular expression for a glob, by Playwright's rules."""
    found: list[str] = []
    is_in_braces = False
    for piece in _PIECE.finditer(text):
        if piece["stars"]:
            slash, stars, after = piece["slashes"], piece["stars"], piece["after"]
            if len(stars) == 1:
                found.append(f"{slash}[^/]*{after}")
            elif slash and after:
                found.append("/(?:.+/)?")
            else:
                found.append(f"{slash}.*{after}")
            continue
        one = piece["plain"] or piece["other"]
        if piece["plain"] is not None:
            found.append(re.escape(one))
        elif one == "{":
            if is_in_braces:
                raise _bad(text, "braces in braces are not supported")
            is_in_braces = True
            found.append("(?:")
        elif one == "}" and is_in_braces:
            is_in_braces = False
            found.append(")")
        elif one == "," and is_in_braces:
            found.append("|")
        else:
            found.append(re.escape(one))
    if is_in_braces:
        raise _bad(text, "a { has no }")
    return f"(?s)^{''.join(found)}$"


def _compiled(text: str, regex: str) -> Callable[[str], bool]:
    schema = core_schema.str_schema(pattern=regex, regex_engine="rust-regex")
    try:
        return SchemaValidator(schema).isinstance_python
    except SchemaError as error:
        why = str(error).strip().rpartition("error: ")[2] or "it is no regular expression"
        raise _bad(text, why.partition("\n")[0]) from None


def _bad(text: str, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"url: the pattern {text[:200]!r} is wrong: {why}.",
        "Write a glob such as '**/api/*', or a regular expression without look-around such as "
        "'/api\\/v[12]\\//'.",
        field="url",
    )

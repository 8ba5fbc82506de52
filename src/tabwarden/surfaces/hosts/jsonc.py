"""Read and change JSON that may have comments and trailing commas. The rest of the text stays
unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

__all__ = ["dumped", "parse", "with_value"]

_COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
_PIECES = re.compile(
    rf'"(?:[^"\\\n]|\\.)*+(?:"|\\?\Z|(?=\n))|{_COMMENT}|,(?=(?>\s|{_COMMENT})*+[}}\]])', re.DOTALL
)
"""Matches comments, and commas before a closing bracket. Also matches strings, so that their
content is skipped.
"""
_SPACE = re.compile(r"\s*")
_INDENT = "  "


class _Member(NamedTuple):
    """One member of an object, and the positions of its parts in the text."""

    key: str
    begin: int
    value: int
    end: int


def parse(text: str) -> Any:
    """Return the value of JSON text; ``{}`` if the text is empty. Raises: ValueError: the text is
    not valid JSON. The message contains the line and column, but no values.
    """
    plain = _plain(text)
    if not plain.strip():
        return {}
    try:
        return json.loads(plain, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def with_value(text: str, keys: Sequence[str], value: Any) -> str:
    """Return ``text`` with the value ``value`` at the path ``keys``. Missing objects are created.

    Args:
        text: an object as ``parse`` reads it, or "".
        keys: the path to the value.
        value: a value that JSON can represent.

    Raises:
        ValueError: a value on the path is not an object.
    """
    plain = _plain(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    if not plain.strip():
        written = dumped(_nested(keys, value)).replace("\n", newline)
        return f"{text}{newline if text and not text.endswith(newline) else ''}{written}{newline}"
    at = _space(plain, 0)
    for depth, key in enumerate(keys):
        if plain[at : at + 1] != "{":
            where = ".".join(keys[:depth]) or "the top level"
            line = plain.count("\n", 0, at) + 1
            raise ValueError(f"{where} is not an object (line {line})")
        found = next((one for one in _members(plain, at) if one.key == key), None)
        if found is None:
            made = _nested(keys[depth + 1 :], value)
            return _added(text, plain, at, key, made, newline)
        begin, at, end = found.begin, found.value, found.end
    written = _indented(value, _indent_at(text, begin), _step(text), newline)
    return text[:at] + written + text[end:]


def dumped(value: Any) -> str:
    """Return a value as indented JSON."""
    return json.dumps(value, indent=_INDENT, ensure_ascii=False)


def _plain(text: str) -> str:
    """Replace comments and trailing commas with spaces, so that all positions in the text stay the
    same.
    """

    def blank(found: re.Match[str]) -> str:
        piece = found[0]
        return piece if piece.startswith('"') else re.sub(r"[^\n\r]", " ", piece)

    return _PIECES.sub(blank, text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise ValueError(f"an object has the key {twice!r} twice")
    return made


def _members(plain: str, at: int) -> Iterator[_Member]:
    """Yield the members of the object that begins at ``at``."""
    read = json.JSONDecoder().raw_decode
    at = _space(plain, at + 1)
    while plain[at] != "}":
        key, end = read(plain, at)
        value = _space(plain, _space(plain, end) + len(":"))
        _, end = read(plain, value)
        yield _Member(key, at, value, end)
        at = _space(plain, end)
        if plain[at] == ",":
            at = _space(plain, at + 1)


def _added(text: str, plain: str, at: int, key: str, value: Any, newline: str) -> str:
    """Append a member to the object that begins at ``at``. Return the new text."""
    members = [*_members(plain, at)]
    _, end = json.JSONDecoder().raw_decode(plain, at)
    close = end - 1
    step = _step(text)
    if not members:
        outer = _indent_at(text, at)
        inner = outer + step
        written = f"{json.dumps(key)}: {_indented(value, inner, step, newline)}"
        kept = text[at + 1 : close].rstrip()  # comments
        return f"{text[: at + 1]}{kept}{newline}{inner}{written}{newline}{outer}{text[close:]}"
    last = members[-1]
    rest = text[last.end : close]
    # After the last value, there may be comments and a comma, which is missing in `plain`.
    has_comma = any(found[0] == "," for found in _PIECES.finditer(text, last.end, end))
    kept = rest.rstrip()
    comma = "" if has_comma else ","
    if "\n" not in text[at:close]:  # the object is on one line
        written = f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        return f"{text[: last.end]}{comma}{kept} {written}{rest[len(kept) :]}{text[close:]}"
    inner = _indent_at(text, last.begin)
    written = f"{json.dumps(key)}: {_indented(value, inner, step, newline)}"
    tail = rest[len(kept) :] or newline + _indent_at(text, at)
    trailing = "," if has_comma else ""
    return f"{text[: last.end]}{comma}{kept}{newline}{inner}{written}{trailing}{tail}{text[close:]}"


def _space(plain: str, at: int) -> int:
    found = _SPACE.match(plain, at)
    return found.end() if found else at


def _indent_at(text: str, place: int) -> str:
    """Return the white space at the beginning of the line that contains the position ``place``."""
    begin = text.rfind("\n", 0, place) + 1
    found = re.compile(r"[ \t]*").match(text, begin)
    return found[0] if found else ""


def _step(text: str) -> str:
    """Return the text's indentation for one level."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else _INDENT


def _indented(value: Any, indent: str, step: str, newline: str) -> str:
    text = json.dumps(value, indent=step, ensure_ascii=False)
    return text.replace("\n", newline + indent)


def _nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value

"""Check whether a field shows the typed number, in any number format."""

from __future__ import annotations

import re
from decimal import Decimal

_TYPED = re.compile(r"[+-]?(?!0\d)(?:\d+(?:[.,]\d*)?|[.,]\d+)")
"""A typed number. Text that starts with 0 and another digit is a code, not a number."""
_CONTENT = re.compile(r"[^\d.,+-]*(?:([+-])[^\d.,+-]*)?([.,]?\d(?:[\d.,' ]*\d)?)[.,]?[^\d+-]*")
"""The content of a field: one number, perhaps with a unit before or after it."""
_IN_BRACKETS = re.compile(r"\((.*)\)")
"""A negative number in accounting notation."""
_PLAIN = str.maketrans("\u2212\u2013\u2019\u00a0\u202f", "--'  ")


def _forms() -> list[re.Pattern[str]]:
    """Return patterns for all digit groupings (including the Indian system) and decimal marks."""
    forms = []
    for group in ("", *",.' "):
        one = re.escape(group)
        thousands = rf"\d{{1,3}}(?:{one}\d{{3}})+|\d{{1,2}}(?:{one}\d{{2}})+{one}\d{{3}}"
        whole = thousands if group else r"\d*"
        forms += [rf"({whole})(?:[{mark}](\d*))?" for mark in ".," if mark != group]
    return [re.compile(form) for form in forms]


_FORMS = _forms()


def is_another_number(typed: str, content: str) -> bool:
    """Whether both strings are numbers, but can't mean the same number.

    A comma may separate thousands or decimals, so a typed ``1,250`` matches both ``1250`` and
    ``1.25``. A point in the field's text is just as ambiguous.
    """
    typed, content = typed.strip().translate(_PLAIN), content.strip().translate(_PLAIN)
    if not _TYPED.fullmatch(typed):
        return False
    content_numbers = _readings(content)
    typed_numbers = _readings(typed) if "," in typed else {Decimal(typed)}
    return bool(content_numbers) and not typed_numbers & content_numbers


def _readings(text: str) -> set[Decimal]:
    """Return all numbers that a string can mean, or an empty set if the string is not a number."""
    in_brackets = _IN_BRACKETS.fullmatch(text)
    match = _CONTENT.fullmatch(in_brackets[1] if in_brackets else text)
    if match is None:
        return set()
    sign, body = match.groups()
    minus = -1 if in_brackets or sign == "-" else 1
    matches = filter(None, (form.fullmatch(body) for form in _FORMS))
    return {
        minus * Decimal(f"{re.sub(r'[^0-9]', '', whole) or 0}.{part or 0}")
        for whole, part in (one.groups() for one in matches)
    }

"""Figures: whether a field shows the number that was typed, however it writes it."""

from __future__ import annotations

import re
from decimal import Decimal

__all__ = ["is_another_number"]

_TYPED = re.compile(r"[+-]?(?!0\d)(?:\d+[.,]?\d*|[.,]\d+)")
"""A number as one types it. What begins with more zeros is a code."""
_HELD = re.compile(r"[^\d.,+-]*([+-]?)[^\d.,+-]*([.,]?\d(?:[\d.,' ]*\d)?)[.,]?[^\d+-]*")
"""One number, with a unit before or after it."""
_IN_BRACKETS = re.compile(r"\((.*)\)")
"""Below zero, as accountants write it."""
_PLAIN = str.maketrans("\u2212\u2013\u2019\u00a0\u202f", "--'  ")


def _forms() -> list[re.Pattern[str]]:
    """How digits are grouped (by thousands, or as in India) and what marks the decimals."""
    forms = []
    for group in ("", *",.' "):
        one = re.escape(group)
        thousands = rf"\d{{1,3}}(?:{one}\d{{3}})+|\d{{1,2}}(?:{one}\d{{2}})+{one}\d{{3}}"
        whole = thousands if group else r"\d*"
        forms += [rf"({whole})(?:[{mark}](\d*))?" for mark in ".," if mark != group]
    return [re.compile(form) for form in forms]


_FORMS = _forms()


def is_another_number(typed: str, held: str) -> bool:
    """Whether both texts are numbers, and no reading of one is a reading of the other.

    A comma that is typed before three digits may mark thousands or decimals; in what a field
    shows a point may too. So ``1,250`` is held by ``1250`` and by ``1.25``.
    """
    typed, held = typed.strip().translate(_PLAIN), held.strip().translate(_PLAIN)
    if not _TYPED.fullmatch(typed):
        return False
    shown = _readings(held)
    meant = _readings(typed) if "," in typed else {Decimal(typed)}
    return bool(shown) and not meant & shown


def _readings(text: str) -> set[Decimal]:
    """All that a text may say as a number; nothing where it is none."""
    below = _IN_BRACKETS.fullmatch(text)
    found = _HELD.fullmatch(below[1] if below else text)
    if found is None:
        return set()
    sign, body = found.groups()
    minus = -1 if below or sign == "-" else 1
    written = filter(None, (form.fullmatch(body) for form in _FORMS))
    return {
        minus * Decimal(f"{re.sub(r'[^0-9]', '', whole) or 0}.{part or 0}")
        for whole, part in (one.groups() for one in written)
    }
